"""A preview as values: the simulation of an instance, ready for any format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.runtime.metadata import Ownership, unmanaged
from kro_ls.runtime.reasons import object_name, short_reason, state_word

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.results import NodeResult
    from kro_ls.runtime.simulation import Simulation, Step


def objects_of(rgd: RgdAnalysis, simulation: Simulation, *, with_metadata: bool) -> list[tuple[str, JsonObject]]:
    """Return what kro applies in the end, in topological order, each object with its node's id."""
    result = simulation.final.result
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
        "nodes": [_node(each) for each in simulation.final.result.nodes],
        "objects": [
            {"node": id_, "object": value} for id_, value in objects_of(rgd, simulation, with_metadata=with_metadata)
        ],
        "passes": [_step(step) for step in simulation.steps],
    }


def _node(result: NodeResult) -> dict[str, Any]:
    reason = result.reason or result.unready
    found: dict[str, Any] = {"id": result.id, "state": state_word(result), "objects": result.count}
    if short_reason(result):
        found["reason"] = short_reason(result)
    if reason is not None:
        found["kro"] = reason.text
        if reason.waits_for:
            found["waitsFor"] = reason.waits_for
        if reason.cause:
            found["expression"] = reason.cause.expression.compiled.user_text
            found["missing"] = reason.cause.failing
    return found


def _step(step: Step) -> dict[str, Any]:
    return {
        "pass": step.number,
        "state": step.outcome.state.value,
        "text": step.outcome.text,
        "created": [_named(*each) for each in step.created],
        "nodes": [_node(each) for each in step.result.nodes],
    }


def _named(node: str, value: JsonObject) -> dict[str, Any]:
    return {"node": node, "object": object_name(value)}
