"""A preview as values: the simulation of an instance, ready for any format."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from kro_ls.openapi.validation.field_errors import place_of
from kro_ls.runtime.cluster.deletion import deletion
from kro_ls.runtime.cluster.hazards import assumed, contested
from kro_ls.runtime.cluster.simulation import made_up_note
from kro_ls.runtime.passes.metadata import Ownership, unmanaged, unstamped
from kro_ls.runtime.passes.reasons import StateWord, missing_status, object_name, pass_reason, short_reason, state_word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.cluster.deletion import DeletedObject
    from kro_ls.runtime.cluster.hazards import Hazard
    from kro_ls.runtime.cluster.simulation import Simulation, Step
    from kro_ls.runtime.passes.reasons import MissingStatus
    from kro_ls.runtime.passes.results import NodeResult


class NamedObject(TypedDict):
    """What names an object: its node, and its kind and name."""

    node: str
    object: str


class HeldObject(NamedObject):
    """An object that is deleted, and what holds it until controllers take that away."""

    finalizers: NotRequired[list[str]]


class KeptObject(NamedObject):
    """An object that remains after the instance is gone, and why."""

    reason: str


class Wave(TypedDict):
    """The objects that kro deletes at once."""

    wave: int
    objects: list[HeldObject]


class Deletion(TypedDict):
    """What happens when the instance is deleted."""

    waves: list[Wave]
    kept: list[KeptObject]


class NodeAtPass(TypedDict):
    """A node after a pass: its state, the number of its objects, and why it is not ready, also in kro's words."""

    id: str
    state: StateWord
    objects: int
    data: NotRequired[list[Any]]
    reason: NotRequired[str]
    kro: NotRequired[str]
    waitsFor: NotRequired[str]
    expression: NotRequired[str]
    missing: NotRequired[str]
    madeUp: NotRequired[str]


class MissingPart(TypedDict):
    """Why a part of the status has no value, also in kro's words; the path is empty for what is no single field."""

    path: str
    reason: str
    kro: str
    expression: NotRequired[str]
    missing: NotRequired[str]


_PassNumber = TypedDict("_PassNumber", {"pass": int})


class Pass(_PassNumber, TypedDict):
    """A pass of kro, and the nodes whose state differs from the previous pass."""

    state: str
    reason: str
    text: str
    created: list[NamedObject]
    updated: list[NamedObject]
    deleted: list[NamedObject]
    nodes: list[NodeAtPass]
    missingStatus: list[MissingPart]


def objects_of(rgd: RgdAnalysis, simulation: Simulation, *, with_metadata: bool) -> list[tuple[str, JsonObject]]:
    """Return the final objects as kro applied them, in topological order, each with its node's id."""
    result = simulation.final.result
    if not rgd.rgd.form.declares_kind:
        objects = ((each.id, value) for each in result.nodes for value in each.desired if not each.is_external)
        return [(id_, value if with_metadata else unstamped(value)) for id_, value in objects]
    ownership = Ownership(rgd, result.instance, simulation.scenario.kro) if with_metadata else None
    counts = Counter(id_ for id_, _ in simulation.applied)
    return [
        (id_, ownership.managed(id_, value, counts[id_]) if ownership else unmanaged(value))
        for id_, value in simulation.applied
    ]


def as_json(rgd: RgdAnalysis, simulation: Simulation, *, with_metadata: bool) -> dict[str, Any]:
    """Return a simulation as JSON data."""
    result = simulation.final.result
    return {
        "instance": result.instance,
        # Where kro writes no status, the state is the former one, and None where it never wrote any.
        "state": simulation.status.get("state") if result.status_error else simulation.state.value,
        "settled": simulation.settled,
        "status": simulation.status,
        "nodes": [_node(simulation, each) for each in result.nodes],
        "objects": [
            {"node": id_, "object": value} for id_, value in objects_of(rgd, simulation, with_metadata=with_metadata)
        ],
        "passes": passes(simulation),
        "deletion": deletion_json(rgd, simulation),
        "assumes": [{**_hazard(each), "kro": each.refusal.text} for each in assumed(rgd, simulation)],
        "contested": [_hazard(each) for each in contested(simulation)],
    }


def _hazard(found: Hazard) -> dict[str, str]:
    return {"node": found.node, "path": place_of(found.refusal.path), "reason": found.refusal.message}


def passes(simulation: Simulation) -> list[Pass]:
    """Return the passes; each has the nodes whose result differs from the previous pass."""
    found = []
    before: dict[str, NodeResult] = {}
    for step in simulation.steps:
        changed = [each for each in step.result.nodes if each is not (old := before.get(each.id)) and each != old]
        before.update((each.id, each) for each in changed)
        found.append(_step(simulation, step, changed))
    return found


def deletion_json(rgd: RgdAnalysis, simulation: Simulation) -> Deletion:
    """Return what happens when the instance is deleted."""
    found = deletion(rgd, simulation)
    waves: list[Wave] = [
        {"wave": number, "objects": [_held(each) for each in objects]} for number, objects in found.waves
    ]
    kept: list[KeptObject] = [{**_named(each.node, each.value), "reason": each.reason} for each in found.kept]
    return {"waves": waves, "kept": kept}


def _held(deleted: DeletedObject) -> HeldObject:
    found: HeldObject = {"node": deleted.node, "object": object_name(deleted.value)}
    if deleted.finalizers:
        found["finalizers"] = list(deleted.finalizers)
    return found


def _node(simulation: Simulation, result: NodeResult) -> NodeAtPass:
    reason = result.why
    found: NodeAtPass = {"id": result.id, "state": state_word(result), "objects": result.count}
    if result.is_data:
        found["data"] = list(result.observed or ())
    if short_reason(result):
        found["reason"] = short_reason(result)
    if reason is not None:
        found["kro"] = reason.text
        if reason.waits_for:
            found["waitsFor"] = reason.waits_for
        if reason.cause:
            found["expression"] = reason.cause.expression.compiled.user_text
            found["missing"] = reason.cause.failing
        note = made_up_note(simulation, reason.cause)
        if note:
            found["madeUp"] = note
    return found


def _step(simulation: Simulation, step: Step, changed: Iterable[NodeResult]) -> Pass:
    return {
        "pass": step.number,
        "state": step.outcome.state.value,
        "reason": pass_reason(step.result.nodes, step.outcome),
        "text": step.outcome.text,
        "created": [_named(*each) for each in step.created],
        "updated": [_named(*each) for each in step.updated],
        "deleted": [_named(*each) for each in step.deleted],
        "nodes": [_node(simulation, each) for each in changed],
        "missingStatus": [missing_json(each) for each in missing_status(step.result)],
    }


def missing_json(part: MissingStatus) -> MissingPart:
    """Return why a part of the status has no value."""
    found: MissingPart = {"path": part.path, "reason": part.reason, "kro": part.text}
    if part.cause:
        found["expression"] = part.cause.expression.compiled.user_text
        found["missing"] = part.cause.failing
    return found


def _named(node: str, value: JsonObject) -> NamedObject:
    return {"node": node, "object": object_name(value)}
