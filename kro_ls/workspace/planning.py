"""Plans what a change of definitions and instances does to each instance and its child instances."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from kro_ls.analysis.crd.compatibility import CompatibilityError
from kro_ls.kro.versions.version import NEWEST
from kro_ls.openapi.json_values import as_object
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.scenario import Scenario
from kro_ls.runtime.plans.applying import applied_again
from kro_ls.runtime.plans.field_changes import field_changes
from kro_ls.runtime.plans.live_differences import live_differences
from kro_ls.runtime.plans.plan import Fate, InstancePlan, Trouble, TroubleKind
from kro_ls.runtime.plans.transition import Side, made_of, transition
from kro_ls.workspace.editions import WrittenInstance, instances_in_text
from kro_ls.workspace.evolution import evolutions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.cluster.scenario import Observed
    from kro_ls.runtime.plans.field_changes import FieldChange
    from kro_ls.runtime.plans.transition import Transition
    from kro_ls.workspace.editions import Edition, GroupKind, ServedKind

_KIND_IS_FIXED = "kind is immutable"
_MOST_DEPTH = 5
"""The deepest child instances; a circle of definitions would never end."""


class InstanceChange(Struct, frozen=True):
    """An instance before and after a change, None if it does not exist; with a `file` alone, all instances in it.

    `observed` has the state of existing objects in a cluster by node; `live` are those that kro made.
    """

    file: str = ""
    old: WrittenInstance | None = None
    new: WrittenInstance | None = None
    observed: Mapping[str, Observed] = field(default_factory=dict)
    live: tuple[JsonObject, ...] = ()


class Serving(Struct, frozen=True, eq=False):
    """How kro serves a kind after a change: with the graph of one definition, and the CRD of that or another one.

    kro keeps the previous graph if it refuses the definition, or the API server refuses to change it. After a breaking
    change kro keeps the previous CRD but uses the new graph. `refused` gives the reason. Without a graph kro does
    nothing.
    """

    graph: RgdAnalysis | None
    crd: RgdAnalysis | None
    refused: str = ""


class Planner:
    """Plans instance by instance; the plan of one does not depend on the others."""

    def __init__(self, old: Edition, new: Edition, *, with_values: bool = False) -> None:
        self._old = old
        self._new = new
        self._with_values = with_values
        self.kinds = frozenset({*old.homes, *new.homes})
        """The groups and kinds of all instances."""
        self._serving_of = cache(serving_of)

    def plan(self, change: InstanceChange) -> list[InstancePlan]:
        """Return the plans of an instance and its child instances, or of all instances in a file."""
        if not change.file:
            return list(self._plans(change.old, change.new, "", 0, change))
        found = instances_in_text(change.file, self._new.texts[change.file], self.kinds)
        return [each for instance in found for each in self._plans(instance, instance, "", 0)]

    def _plans(
        self,
        old: WrittenInstance | None,
        new: WrittenInstance | None,
        maker: str,
        depth: int,
        change: InstanceChange | None = None,
    ) -> Iterator[InstancePlan]:
        served_old = self._old.served(old.source, old.value) if old else None
        served_new = self._new.served(new.source, new.value) if new else None
        before = self._side_before(old, served_old)
        after, troubles = self._side_after(old, new, before, served_new)
        served = served_new or served_old
        scenario = Scenario(change.observed if change else {}, kro=served.kro if served else NEWEST)
        found = transition(before, after, scenario, with_values=self._with_values)
        plan = _plan_of(old, new, _edited(old, new, before, after), found, troubles, maker)
        if change and change.live and after is not None:
            plan = replace(plan, drift=tuple(live_differences(after.rgd, found.made, change.live)))
        yield plan
        if depth < _MOST_DEPTH:
            for made in made_of(found.made, self.kinds):
                was, becomes = (
                    WrittenInstance(_home(old, new), each) if each else None for each in (made.old, made.new)
                )
                yield from self._plans(was, becomes, f"{plan.kind} {plan.name}", depth + 1)

    def _side_before(self, old: WrittenInstance | None, served: ServedKind | None) -> Side | None:
        """Return the state before the change, None if kro or the API server refuses it."""
        if old is None or served is None or served.refused:
            return None
        admission = admit_instance(served.declared.rgd, old.value)
        return None if admission.errors else Side(served.declared.rgd, admission.instance)

    def _side_after(
        self, old: WrittenInstance | None, new: WrittenInstance | None, before: Side | None, served: ServedKind | None
    ) -> tuple[Side | None, list[Trouble]]:
        """Return the state after the change, and the troubles with it."""
        if new is None:
            return None, []
        known = self._old.served(new.source, new.value)
        serving = self._serving_of(known, served)
        if (known is None) is not (served is None) and self._has_other_kind(known or served):
            graph = serving_of(known, known).graph if known else None
            serving = Serving(graph, graph, f"the API server refuses the definition: {_KIND_IS_FIXED}")
        if serving.graph is None or serving.crd is None:
            was_served = known is not None and not known.refused
            return before, [Trouble(TroubleKind.NOT_SERVED, serving.refused, is_new=was_served or old is None)]
        value = applied_again(before.instance, old.value, new.value) if before and old else new.value
        admission = admit_instance(serving.crd, value)
        if not admission.errors:
            return Side(serving.graph, admission.instance), []
        text = "; ".join(each.placed_message for each in admission.errors if not each.is_about_others)
        kro = "; ".join(each.text for each in admission.errors)
        is_kept = old is not None and old.value == new.value
        if is_kept and before is not None:  # it is there, and kro goes on with it
            text = f"the new schema refuses it when it is applied again: {text}"
            return Side(serving.graph, admission.instance), [Trouble(TroubleKind.REFUSED, text, kro=kro)]
        return before, [Trouble(TroubleKind.REFUSED, text, is_new=not (is_kept and before is None), kro=kro)]

    def _has_other_kind(self, served: ServedKind | None) -> bool:
        """Whether the definition of a kind that exists only before or after the change has another kind then."""
        if served is None or not served.declared.name:
            return False
        declared, path = served.declared, served.declared.path
        if not all(path in edition.texts for edition in (self._old, self._new)):
            return False
        others = (each.declared for edition in (self._old, self._new) for each in edition.served_in(path))
        return any(each.name == declared.name and each.kind != declared.kind for each in others)


def serving_of(old: ServedKind | None, new: ServedKind | None) -> Serving:
    """Return how kro serves a kind after its definition changed."""
    former = old.declared.rgd if old and not old.refused else None
    if new is None:
        return Serving(None, None, "no definition declares its kind any more; its objects stay as they are")
    if new.refused:
        return Serving(former, former, f"kro refuses the definition: {new.refused}")
    if old is None or former is None:
        return Serving(new.declared.rgd, new.declared.rgd)
    if old.meaning == new.meaning and _kinds_used(former) == _kinds_used(new.declared.rgd):
        return Serving(former, former)
    try:
        changed = next(evolutions((old.declared,), (new.declared,), {}), None)
    except CompatibilityError as error:
        return Serving(former, former, str(error))
    fixed = next((each for each in changed.frozen if not each.resource), None) if changed else None
    if fixed is not None:
        return Serving(former, former, f"the API server refuses the definition: {fixed.message}")
    if changed is None or not changed.report.has_changes:  # kro does not write what it does not compare
        return Serving(new.declared.rgd, former)
    if changed.is_breaking:
        return Serving(new.declared.rgd, former, changed.report.summary)
    return Serving(new.declared.rgd, new.declared.rgd)


def _kinds_used(rgd: RgdAnalysis) -> list[JsonObject | None]:
    """Return the schemas of the custom kinds of resources."""
    kinds = (rgd.kind(each.resource) for each in rgd.resources.values())
    return [each.declared_schema for each in kinds if each is not None]


def _home(old: WrittenInstance | None, new: WrittenInstance | None) -> str:
    return new.source if new else old.source if old else ""


def _edited(
    old: WrittenInstance | None, new: WrittenInstance | None, before: Side | None, after: Side | None
) -> tuple[FieldChange, ...]:
    """Return the fields of an instance that change: as stored if both states exist, else as written."""
    if old is None or new is None:
        return ()
    if before is not None and after is not None and before is not after:
        return field_changes(_own(before.instance), _own(after.instance))
    return field_changes(_own(old.value), _own(new.value))


def _plan_of(
    old: WrittenInstance | None,
    new: WrittenInstance | None,
    fields: tuple[FieldChange, ...],
    found: Transition,
    troubles: list[Trouble],
    maker: str,
) -> InstancePlan:
    instance = new or old
    assert instance is not None  # noqa: S101 # one of the two is there
    if old is None or new is None:
        fate = Fate.CREATED if old is None else Fate.DELETED
    else:
        fate = Fate.EDITED if fields else Fate.KEPT
    return InstancePlan(
        instance.kind[1],
        instance.name,
        f"made by {maker}" if maker else instance.source,
        fate,
        found.objects,
        found.before,
        found.after,
        (*troubles, *found.troubles),
        fields,
        found.kept,
    )


def unplanned(change: InstanceChange, reason: str) -> InstancePlan:
    """Return the plan of an instance, or of the instances in a file, that could not be planned for a reason."""
    trouble = Trouble(TroubleKind.ERROR, reason)
    instance = change.new or change.old
    if instance is None:
        return InstancePlan("instances of", change.file, change.file, Fate.KEPT, troubles=(trouble,))
    return InstancePlan(instance.kind[1], instance.name, instance.source, Fate.KEPT, troubles=(trouble,))


def _own(value: JsonObject) -> JsonObject:
    """Return the fields of an instance that people write."""
    metadata = as_object(value.get("metadata"))
    shown: JsonObject = {name: metadata[name] for name in ("labels", "annotations") if metadata.get(name)}
    rest: JsonObject = {name: each for name, each in value.items() if name not in ("status", "metadata")}
    return {**rest, "metadata": shown} if shown else rest


def changes_between(old: dict[str, str], new: dict[str, str], kinds: frozenset[GroupKind]) -> Iterator[InstanceChange]:
    """Yield the instances in texts before and after a change, by path; unchanged files as they are."""
    same = {path for path, text in new.items() if old.get(path) == text}
    before, after = (
        [each for path, text in texts.items() if path not in same for each in instances_in_text(path, text, kinds)]
        for texts in (old, new)
    )
    yield from (InstanceChange(path) for path in sorted(same))
    yield from paired(before, after)


def paired(before: list[WrittenInstance], after: list[WrittenInstance]) -> Iterator[InstanceChange]:
    """Yield the instances of two lists in pairs."""
    left: dict[tuple[str, str, str, str], list[WrittenInstance]] = {}
    for each in before:
        left.setdefault(each.key, []).append(each)
    for each in after:
        candidates = left.get(each.key, [])
        own = next((other for other in candidates if other.source == each.source), next(iter(candidates), None))
        if own is not None:
            candidates.remove(own)
        yield InstanceChange(old=own, new=each)
    for gone in left.values():
        yield from (InstanceChange(old=each) for each in gone)
