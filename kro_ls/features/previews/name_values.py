"""The values that the names in an expression have in a preview."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.model import Resource
from kro_ls.cel.evaluation.failures import Budget, EvaluationError
from kro_ls.kro.conversion import to_json
from kro_ls.kro.places import Place
from kro_ls.runtime.nodes.compiled import INSTANCE, compile_graph
from kro_ls.runtime.passes.node import Instance, seen
from kro_ls.runtime.passes.reasons import short_reason, state_word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.cel.evaluation.values import Value
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.cluster.simulation import Simulation
    from kro_ls.runtime.nodes.compiled import CompiledGraph, CompiledNode


class NameValues(Struct, frozen=True):
    """The values of names at a place, why others have none, and how many objects are made of the expression."""

    values: dict[str, Value]
    missing: dict[str, str]
    first_of: int | None = None


def name_values(
    simulation: Simulation, owner: PlacedPart, expression: Expression, used: Iterable[str], budget: Budget
) -> NameValues:
    """Return the values of the names that an expression uses; in a collection those for its first object."""
    if owner.rgd.outer:  # the values of nodes in child graphs are not looked up
        return NameValues({}, {})
    graph = compile_graph(owner.rgd)
    nodes = {node.id: node for node in graph.nodes}
    part = owner.part
    own = nodes.get(part.id or "") if isinstance(part, Resource) else None
    if own and expression.place is Place.READY_WHEN:
        return _names_of_readiness(simulation, own)
    values: dict[str, Value] = {}
    missing: dict[str, str] = {}
    for name in used:
        if name == INSTANCE:
            values[name] = _instance(simulation, graph, expression.place)
        elif name in nodes:
            _add_node(simulation, nodes[name], values, missing)
    if own and own.dimensions and expression.place is Place.TEMPLATE:
        return _with_iterators(simulation, graph, nodes, own, NameValues(values, missing), budget)
    return NameValues(values, missing)


def _instance(simulation: Simulation, graph: CompiledGraph, place: Place) -> Value:
    result = simulation.final
    if place is not Place.CONDITION:
        return Instance(result.result.instance, graph.instance_schema).variable
    conditions = [
        {name: getattr(each, name) for name in ("type", "status", "reason", "message")}
        for each in result.outcome.conditions
    ]
    visible: JsonObject = {**result.result.instance, "status": {"conditions": list(conditions)}}
    return seen(visible, graph.instance_schema)


def _add_node(simulation: Simulation, node: CompiledNode, values: dict[str, Value], missing: dict[str, str]) -> None:
    result = simulation.final.result.node(node.id)
    observed = result.observed if result else None
    if observed is None or (not observed and not node.is_list):
        reason = short_reason(result) if result else ""
        missing[node.id] = f"{node.id} is {state_word(result) if result else 'not there'}{reason and f': {reason}'}"
        return
    schema = node.kind.schema if node.kind else None
    objects = [seen(each, schema) for each in observed]
    values[node.id] = objects if node.is_list else objects[0]


def _names_of_readiness(simulation: Simulation, node: CompiledNode) -> NameValues:
    """Return what `readyWhen` sees: the one object under the node's id, or the first of several as `each`."""
    name = "each" if node.is_list else node.id
    result = simulation.final.result.node(node.id)
    observed = (result.observed if result else None) or ()
    first_of = len(observed) if node.is_list else None
    if observed:
        return NameValues({name: observed[0]}, {}, first_of)
    reason = (short_reason(result) if result else "") or "there are no objects"
    return NameValues({}, {name: f"{node.id} is {state_word(result) if result else 'not there'}: {reason}"}, first_of)


def _with_iterators(
    simulation: Simulation,
    graph: CompiledGraph,
    nodes: dict[str, CompiledNode],
    node: CompiledNode,
    names: NameValues,
    budget: Budget,
) -> NameValues:
    """Return the names with those of the iterators, each at its first value."""
    values, missing, total = dict(names.values), dict(names.missing), 1
    for name, compiled in node.dimensions:
        here: dict[str, Value] = {}
        for used in compiled.expression.inspection.names:
            if used.name == INSTANCE:
                here[INSTANCE] = _instance(simulation, graph, Place.FOR_EACH)
            elif used.name in nodes:
                _add_node(simulation, nodes[used.name], here, missing)
        try:
            items = to_json(compiled.program.evaluate(here, budget), budget)
        except EvaluationError as error:
            missing[name] = f"{name} has no values: {error.message}"
            continue
        if isinstance(items, list) and items:
            values[name] = items[0]
            total *= len(items)
        else:
            missing[name] = f"{name} has no values, so there are no objects"
            total = 0
    return NameValues(values, missing, total)
