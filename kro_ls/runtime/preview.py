"""A preview as values: the simulation of an instance, ready for any format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.runtime.deletion import deletion
from kro_ls.runtime.graph_walk import unstamped
from kro_ls.runtime.made_up import made_up_note
from kro_ls.runtime.metadata import Ownership, unmanaged
from kro_ls.runtime.missing_status import missing_status
from kro_ls.runtime.reasons import object_name, pass_reason, short_reason, state_word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.deletion import DeletedObject
    from kro_ls.runtime.missing_status import MissingStatus
    from kro_ls.runtime.results import NodeResult
    from kro_ls.runtime.simulation import Simulation, Step


def objects_of(rgd: RgdAnalysis, simulation: Simulation, *, with_metadata: bool) -> list[tuple[str, JsonObject]]:
    """Return what kro applies in the end, in topological order, each object with its node's id."""
    result = simulation.final.result
    if rgd.rgd.is_graph:
        objects = ((each.id, value) for each in result.nodes for value in each.desired if not each.is_external)
        return [(id_, value if with_metadata else unstamped(value)) for id_, value in objects]
    ownership = Ownership(rgd, result.instance) if with_metadata else None
    found: list[tuple[str, JsonObject]] = []
    for each in result.nodes:
        for value in () if each.is_external else each.desired:
            count = len(each.desired)
            found.append((each.id, ownership.managed(each.id, value, count) if ownership else unmanaged(value)))
    return found


def as_json(rgd: RgdAnalysis, simulation: Simulation, *, with_metadata: bool) -> dict[str, Any]:
    """Return all that is known of a simulation."""
    return {
        "instance": simulation.final.result.instance,
        "state": simulation.state.value,
        "settled": simulation.settled,
        "status": simulation.status,
        "nodes": [_node(simulation, each) for each in simulation.final.result.nodes],
        "objects": [
            {"node": id_, "object": value} for id_, value in objects_of(rgd, simulation, with_metadata=with_metadata)
        ],
        "passes": passes(simulation),
        "deletion": deletion_json(rgd, simulation),
    }


def passes(simulation: Simulation) -> list[dict[str, Any]]:
    """Return the passes; each has the nodes of which it told something else than the pass before."""
    found = []
    before: dict[str, NodeResult] = {}
    for step in simulation.steps:
        changed = [each for each in step.result.nodes if each is not (old := before.get(each.id)) and each != old]
        before.update((each.id, each) for each in changed)
        found.append(_step(simulation, step, changed))
    return found


def deletion_json(rgd: RgdAnalysis, simulation: Simulation) -> dict[str, Any]:
    """Return what happens when the instance is deleted."""
    found = deletion(rgd, simulation)
    waves = [
        {"wave": number, "objects": [_named(each.node, each.value) | _held(each) for each in objects]}
        for number, objects in found.waves
    ]
    kept = [_named(each.node, each.value) | {"reason": each.reason} for each in found.kept]
    return {"waves": waves, "kept": kept}


def _held(deleted: DeletedObject) -> dict[str, Any]:
    return {"finalizers": list(deleted.finalizers)} if deleted.finalizers else {}


def _node(simulation: Simulation, result: NodeResult) -> dict[str, Any]:
    reason = result.reason or result.unready
    found: dict[str, Any] = {"id": result.id, "state": state_word(result), "objects": result.count}
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


def _step(simulation: Simulation, step: Step, changed: Iterable[NodeResult]) -> dict[str, Any]:
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


def missing_json(part: MissingStatus) -> dict[str, Any]:
    """Return why a part of the status has no value."""
    found = {"path": part.path, "reason": part.reason, "kro": part.text}
    if part.cause:
        found |= {"expression": part.cause.expression.compiled.user_text, "missing": part.cause.failing}
    return found


def _named(node: str, value: JsonObject) -> dict[str, Any]:
    return {"node": node, "object": object_name(value)}
