"""Whether an object in a cluster is ready, by what is known of its kind: for nodes without a `readyWhen`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from kro_ls.analysis.names.inspection import inspect
from kro_ls.cel.evaluation.failures import EvaluationError
from kro_ls.openapi.json_values import as_object, as_text, value_at
from kro_ls.openapi.readiness import known_signs, signs_of
from kro_ls.runtime.nodes.expressions import program_of
from kro_ls.runtime.passes.node import seen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.cel.evaluation.program import Program
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.openapi.readiness import Sign
    from kro_ls.runtime.nodes.compiled import CompiledNode

_OBJECT: Final = "self"
_NOT_AWAITED: Final = frozenset({"PersistentVolumeClaim"})
"""May wait for the first pod that uses it, which may depend on it."""


def unready_node(node: CompiledNode, objects: Sequence[JsonObject]) -> str:
    """Return why the objects of a node are not ready, for people; empty where they are.

    Of a node that has a `readyWhen` that alone decides, and what is only read is ready when it is there.
    """
    if node.ready_when or node.is_external:
        return ""
    return next((text for each in objects if (text := unready_object(each, node.kind))), "")


def unready_object(value: JsonObject, kind: KindSchema | None) -> str:
    """Return why an object is not ready, for people; empty where it is, or where nothing tells of that.

    A sign that the table has for its kind must be there. One that only its schema suggests need not: perhaps nobody
    ever writes it, and then an object is ready when it exists, as kstatus has it.
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
    """Return whether a sign is there; None where the object lacks a field that it looks at."""
    try:
        found = _program(sign.expression).evaluate({_OBJECT: seen(value, kind.schema if kind else None)})
    except EvaluationError:
        return None
    if sign.condition and found is False:
        conditions = as_object(value.get("status")).get("conditions")
        types = [as_object(each).get("type") for each in conditions] if isinstance(conditions, list) else []
        return False if sign.condition in types else None
    return found is True


@cache
def _program(expression: str) -> Program:
    return program_of(inspect(expression.replace("{x}", _OBJECT)), None)
