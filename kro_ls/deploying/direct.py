"""Deploys without kro: level by level, each when what it depends on is ready."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from kro_ls.analysis.names.inspection import inspect
from kro_ls.cel.evaluation.values import EvaluationError
from kro_ls.deploying.direct_work import DirectWork
from kro_ls.deploying.inventory import Inventory
from kro_ls.deploying.live_objects import Applying
from kro_ls.deploying.strategy import Strategy
from kro_ls.deploying.trial import try_objects
from kro_ls.openapi.cel_values import seen
from kro_ls.openapi.json_values import as_object, as_text, value_at
from kro_ls.openapi.readiness import known_signs, signs_of
from kro_ls.runtime.nodes.programs import program_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.cel.evaluation.program import Program
    from kro_ls.deploying.cluster_api import ClusterApi
    from kro_ls.deploying.course import Course
    from kro_ls.deploying.deployment_events import Event
    from kro_ls.deploying.target import Target
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.openapi.readiness import Sign
    from kro_ls.runtime.nodes.compiled import CompiledNode


_OBJECT: Final = "self"
_NOT_AWAITED: Final = frozenset({"PersistentVolumeClaim"})
"""May wait for the first pod that uses it, which may depend on it."""


def unready_object(value: JsonObject, kind: KindSchema | None) -> str:
    """Return why an object is not ready, for people; empty if it is ready, or has no sign of readiness.

    A sign that the table has for its kind must be present. One that only its schema suggests may be missing: perhaps no
    controller ever writes it, and then an object is ready when it exists, as in kstatus.
    """
    early = _early(value)
    if early:
        return early
    if value.get("kind") in _NOT_AWAITED:
        return ""
    named = as_text(value.get("kind"))
    group = as_text(value.get("apiVersion")).rpartition("/")[0]
    is_known = known_signs(group, named) is not None
    signs = [each for each in signs_of(group, named, kind) if _applies(each, value)]
    for sign in signs:
        holds = _holds(sign, value, kind)
        if holds is None and (sign is not signs[-1] or not is_known):
            continue
        return "" if holds else f"until {named} {as_text(as_object(value['metadata']).get('name'))} {sign.means}"
    return ""


def _early(value: JsonObject) -> str:
    """Return what keeps any object from being ready, whatever its kind."""
    metadata, status = as_object(value.get("metadata")), as_object(value.get("status"))
    named = f"{value.get('kind')} {metadata.get('name')}"
    if metadata.get("deletionTimestamp"):
        return f"{named} is being deleted"
    seen_generation, generation = status.get("observedGeneration"), metadata.get("generation")
    if isinstance(seen_generation, int) and isinstance(generation, int) and seen_generation < generation:
        return f"the controller of {named} has not looked at its last change yet"
    wanted, updated = as_object(value.get("spec")).get("replicas"), status.get("updatedReplicas")
    if isinstance(wanted, int) and isinstance(updated, int) and updated < wanted:
        return f"{named} has {updated} of {wanted} replicas as they should be"
    return ""


def _applies(sign: Sign, value: JsonObject) -> bool:
    return not sign.only_with or value_at(value, sign.only_with[:-1]) == sign.only_with[-1]


def _holds(sign: Sign, value: JsonObject, kind: KindSchema | None) -> bool | None:
    """Return whether a sign is present; None if the object lacks a field that the sign reads."""
    try:
        found = _program(sign.expression).evaluate({_OBJECT: seen(value, kind.schema if kind else None)})
    except EvaluationError:
        return None
    if sign.condition and found is False:
        conditions = as_object(value.get("status")).get("conditions")
        types = [as_object(each).get("type") for each in conditions] if isinstance(conditions, list) else []
        return False if sign.condition in types else None
    return found is True


@cache  # a few constants
def _program(expression: str) -> Program:
    return program_of(inspect(expression.replace("{x}", _OBJECT)), None)


class Direct(Strategy):
    """Needs no kro in the cluster: applies the objects itself, and evaluates the expressions on what is there.

    Within a level `parallel` objects are applied at once. An existing object that no deployment of the instance has
    created is left alone, unless `adopt` takes it over. Fields of the status that are missing when everything is ready
    are awaited for `settle` seconds.
    """

    def __init__(
        self, context: str = "", *, parallel: int = 8, adopt: bool = False, settle: float = 5.0, **options: Any
    ) -> None:
        super().__init__(context, **options)
        self.parallel = parallel
        self.adopt = adopt
        self.settle = settle

    def unready(self, node: CompiledNode, objects: Sequence[JsonObject]) -> str:
        """Return why the objects of a node are not ready, for people; empty where they are.

        A `readyWhen` decides alone, and an object that is only read is ready when it exists.
        """
        if node.ready_when or node.is_external:
            return ""
        return next((text for each in objects if (text := unready_object(each, node.kind))), "")

    def prepare(self, node: str, value: JsonObject) -> JsonObject:  # noqa: ARG002 (for subclasses)
        """Return what is applied for an object of a node; a subclass may add to it."""
        return value

    def deploying(self, api: ClusterApi, target: Target, course: Course) -> Iterator[Event]:
        """Apply level after level."""
        work = DirectWork(self, api, target, course)
        course.undo = work.rolled_back
        yield from work.deployed()

    def deleting(self, api: ClusterApi, target: Target, course: Course) -> Iterator[Event]:
        """Delete what the inventory lists."""
        with course.phase("deletion"):
            yield from DirectWork(self, api, target, course).deleted()

    def trying(self, api: ClusterApi, target: Target, course: Course) -> Iterator[Event]:
        """Try each object that the preview makes."""
        with course.phase("dry run"):
            inventory = Inventory(api, target.instance, self.manager)
            applying = Applying(self.manager, self.force, self.adopt)
            yield from try_objects(
                api, target, course, applying, lambda node, value: inventory.marked(self.prepare(node, value))
            )
