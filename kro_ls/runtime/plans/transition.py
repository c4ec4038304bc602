"""What happens to the objects of an instance when its definition or the instance changes.

Both are simulated, the new one in the cluster that the old one left: so what kro creates, changes and deletes, what the
API server refuses and what waits is what would really happen to objects that exist.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.openapi.json_values import as_object
from kro_ls.runtime.cluster.deletion import deletion
from kro_ls.runtime.cluster.preview_data import objects_of
from kro_ls.runtime.cluster.refused_objects import ObjectRefusals
from kro_ls.runtime.cluster.simulation import made_up_note, simulate
from kro_ls.runtime.nodes.budget import PreviewBudget
from kro_ls.runtime.nodes.compiled import compile_graph
from kro_ls.runtime.nodes.node_objects import group_kind, identity, metadata_text
from kro_ls.runtime.passes.metadata import unmanaged
from kro_ls.runtime.passes.reasons import object_name, pass_reason
from kro_ls.runtime.passes.results import InstanceState
from kro_ls.runtime.plans.field_changes import field_changes
from kro_ls.runtime.plans.plan import Action, ObjectChange, Trouble, TroubleKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.cluster.scenario import Scenario
    from kro_ls.runtime.cluster.simulation import Simulation

_UNEXPLAINED_STATES = (InstanceState.ACTIVE, InstanceState.REFUSED)


class Side(Struct, frozen=True):
    """A definition, and an instance of it as the API server stores it."""

    rgd: RgdAnalysis
    instance: JsonObject


class Made(Struct, frozen=True):
    """An object that kro applies before the change, after it, or both, and its node."""

    node: str
    old: JsonObject | None
    new: JsonObject | None


class Transition(Struct, frozen=True):
    """What a change does to an instance; `made` are all objects of both sides, `kept` those that stay, and why."""

    objects: tuple[ObjectChange, ...]
    before: str
    after: str
    troubles: tuple[Trouble, ...]
    made: tuple[Made, ...]
    kept: tuple[str, ...] = ()


def transition(
    old: Side | None, new: Side | None, scenario: Scenario | None = None, *, with_values: bool = False
) -> Transition:
    """Return what happens to an instance that is created, changed or deleted; None is a side without it.

    The `scenario` describes the cluster. `with_values` adds the objects as kro applies them to the changes.
    """
    before = simulate(old.rgd, old.instance, scenario, PreviewBudget()) if old else None
    if new is None:
        return _deleted(old, before)
    if before is not None and old is not None and old.rgd is new.rgd and old.instance == new.instance:
        made = tuple(Made(id_, value, value) for id_, value in _plain(before))
        state, troubles = before.state.value, tuple(_troubles(new.rgd, before, before))
        return Transition((), state, state, troubles, made)
    after = simulate(new.rgd, _next_generation(old, new), scenario, PreviewBudget(), before=before)
    was, now = _by_identity(before), _by_identity(after)
    changes = _changes(new.rgd, after, was, now)
    if with_values:
        changes = _with_values(changes, new.rgd, after)
    troubles = tuple(_troubles(new.rgd, after, before))
    made = tuple(
        Made(id_, was[key][1] if key in was else None, now[key][1] if key in now else None)
        for key, (id_, _) in {**was, **now}.items()
    )
    state = before.state.value if before else ""
    return Transition(tuple(changes), state, after.state.value, troubles, made, tuple(_left(after)))


def _with_values(changes: list[ObjectChange], rgd: RgdAnalysis, after: Simulation) -> list[ObjectChange]:
    """Return the changes with the objects as kro applies them; those that are blocked have theirs already."""
    applied = {(id_, object_name(value)): value for id_, value in objects_of(rgd, after, with_metadata=True)}
    return [replace(each, value=each.value or applied.get((each.node, each.name))) for each in changes]


def _next_generation(old: Side | None, new: Side) -> JsonObject:
    """Return an instance with the generation that the API server gives it."""
    if old is None or old.instance.get("spec") == new.instance.get("spec"):
        return new.instance
    return {**new.instance, "metadata": {**as_object(new.instance.get("metadata")), "generation": 2}}


def _plain(simulation: Simulation) -> Iterator[tuple[str, JsonObject]]:
    return ((id_, unmanaged(value)) for id_, value in simulation.applied)


def _by_identity(simulation: Simulation | None) -> dict[str, tuple[str, JsonObject]]:
    found = _plain(simulation) if simulation is not None else ()
    return {identity(value): (id_, value) for id_, value in found}


def _deleted(old: Side | None, before: Simulation | None) -> Transition:
    if old is None or before is None:
        return Transition((), "", "", (), ())
    found = deletion(old.rgd, before)
    changes = tuple(
        ObjectChange(Action.DELETE, each.node, object_name(each.value), step)
        for step, (_, objects) in enumerate(found.waves, 1)
        for each in objects
    )
    kept = tuple(f"{object_name(each.value)} ({each.node}): {each.reason}" for each in found.kept)
    made = tuple(Made(id_, value, None) for id_, value in _plain(before))
    return Transition(changes, before.state.value, "", (), made, kept)


def _left(after: Simulation) -> Iterator[str]:
    """Yield the objects that no node wants, and that kro does not delete as long as a node waits or is refused."""
    wanted = {identity(value) for each in after.final.result.nodes for value in each.desired}
    for id_, value in after.applied:
        if identity(value) not in wanted and after.final.outcome.text:
            yield f"{object_name(value)} ({id_}): kro deletes nothing while a node waits or is refused"


def _changes(
    rgd: RgdAnalysis, after: Simulation, was: dict[str, tuple[str, JsonObject]], now: dict[str, tuple[str, JsonObject]]
) -> list[ObjectChange]:
    """Return what happens to each object, in the order of kro's passes."""
    steps = _first_steps(after)
    blocked = {identity(value): each for value, each in _blocked(rgd, after, was)}
    gone, new = _only_in(was, now), _only_in(now, was)
    replaced = {
        key: former
        for id_, keys in new.items()
        if len(gone[id_]) == len(keys)
        for key, former in zip(keys, gone[id_], strict=True)
    }
    found = dict(blocked)
    for key, (id_, value) in now.items():
        step = steps.get(key, 0)
        if key in blocked:
            continue
        if key in replaced:
            former = was[replaced[key]][1]
            fields = tuple(each for each in field_changes(former, value) if each.path not in _NAMES)
            names = object_name(value), object_name(former)
            found[key] = ObjectChange(Action.REPLACE, id_, names[0], step, fields, names[1], _other(former, value))
        elif key not in was:
            found[key] = ObjectChange(Action.CREATE, id_, object_name(value), step)
        elif fields := field_changes(was[key][1], value):
            found[key] = ObjectChange(Action.CHANGE, id_, object_name(value), step, fields)
    formers = set(replaced.values())
    for key, (id_, value) in was.items():
        if key not in now and key not in formers:
            found[key] = ObjectChange(Action.DELETE, id_, object_name(value), steps.get(key, 0))
    order = {node.id: place for place, node in enumerate(compile_graph(rgd).nodes)}
    return sorted(
        found.values(), key=lambda each: (each.step, each.action is Action.DELETE, order.get(each.node, len(order)))
    )


def _only_in(
    one: dict[str, tuple[str, JsonObject]], other: dict[str, tuple[str, JsonObject]]
) -> defaultdict[str, list[str]]:
    """Return the identities that are in one of two sets of objects, by their nodes."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for key, (id_, _) in one.items():
        if key not in other:
            found[id_].append(key)
    return found


_NAMES = frozenset(("kind", "apiVersion", "metadata.name", "metadata.namespace"))


def _other(former: JsonObject, value: JsonObject) -> str:
    """Return how two objects of a node differ: in name, namespace or kind."""
    places = [
        ("kind", (former.get("apiVersion"), former.get("kind")), (value.get("apiVersion"), value.get("kind"))),
        *((name, metadata_text(former, name), metadata_text(value, name)) for name in ("namespace", "name")),
    ]
    return " and ".join(f"another {what}" for what, before, after in places if before != after)


def _first_steps(simulation: Simulation) -> dict[str, int]:
    """Return the pass in which kro first processes each object, in order."""
    found: dict[str, int] = {}
    for step in simulation.steps:
        for _, value in (*step.created, *step.updated, *step.deleted):
            found.setdefault(identity(value), step.number)
    return found


def _blocked(
    rgd: RgdAnalysis, after: Simulation, was: dict[str, tuple[str, JsonObject]]
) -> Iterator[tuple[JsonObject, ObjectChange]]:
    """Yield the objects that the API server refuses, as they should be."""
    nodes = {node.id: node for node in compile_graph(rgd).nodes}
    asking = ObjectRefusals(after.scenario, after.final.result.instance, nodes)
    for id_, index, refusal in after.refused:
        result = after.final.result.node(id_)
        if result is None or index >= len(result.desired):
            continue
        value = unmanaged(result.desired[index])
        former = was.get(identity(value))
        fields = field_changes(former[1], value) if former else ()
        is_immutable = former is not None and asking.of(nodes[id_], value, None) is None
        name, text = object_name(value), refusal.text
        yield value, ObjectChange(Action.BLOCKED, id_, name, 1, fields, "", "", text, is_immutable, value)


def _troubles(rgd: RgdAnalysis, after: Simulation, before: Simulation | None) -> Iterator[Trouble]:
    """Yield why an instance does not become active."""
    former = {each.text for _, _, each in before.refused} if before else set()
    blocked = _blocked(rgd, after, _by_identity(before) if before is not after else {})
    kinds = {each.text: each.is_immutable for _, each in blocked}
    for text, is_immutable in kinds.items():
        kind = TroubleKind.IMMUTABLE if is_immutable else TroubleKind.INVALID
        yield Trouble(kind, text, is_new=before is not after and text not in former)
    if kinds:
        return
    text = _reason(after)
    if not after.settled and after.state in _UNEXPLAINED_STATES:
        text = "kro changes objects in each pass, and does not come to rest"
    if (text and after.final.outcome.text) or after.state not in _UNEXPLAINED_STATES:
        is_error = after.state is InstanceState.ERROR or not after.settled
        kind = TroubleKind.ERROR if is_error else TroubleKind.WAITS
        is_new = before is not after and (before is None or (before.state, _reason(before)) != (after.state, text))
        yield Trouble(kind, text, is_new=is_new, kro=after.final.outcome.text)


def _reason(simulation: Simulation) -> str:
    """Return why an instance is not active, with the made-up values that this may follow from."""
    result, outcome = simulation.final.result, simulation.final.outcome
    if result.status_error is not None:
        return result.status_error.plain or result.status_error.text
    if not outcome.text and result.conditions.failures:
        return "; ".join(result.conditions.failures)
    text = pass_reason(result.nodes, outcome)
    causes = (each.why.cause for each in result.nodes if each.why)
    note = next(filter(None, (made_up_note(simulation, each) for each in causes)), "")
    return f"{text} ({note})" if note and text else text


def made_of(made: Iterable[Made], kinds: frozenset[tuple[str, str]]) -> Iterator[Made]:
    """Yield the objects that are instances themselves, of one of these groups and kinds."""
    for each in made:
        if group_kind(each.new or each.old or {}) in kinds:
            yield each
