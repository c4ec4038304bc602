"""The values that expressions, their parts and the names in them have in a preview."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.inspection import inspect
from kro_ls.analysis.types.checking import check_part
from kro_ls.cel.evaluation.costs import Budget
from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.evaluation.values import EvaluationError
from kro_ls.cel.syntax import ast
from kro_ls.kro.conversion import OMIT, Condition, to_json, without_omitted
from kro_ls.kro.environment import LIBRARIES
from kro_ls.kro.places import Place
from kro_ls.openapi.cel_values import seen
from kro_ls.runtime.nodes.compiled import INSTANCE, compile_graph
from kro_ls.runtime.passes.reasons import short_reason, state_word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.cel.evaluation.values import Value
    from kro_ls.cel.types.check_result import CheckResult
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.features.previews.preview import Preview
    from kro_ls.runtime.cluster.simulation import Simulation
    from kro_ls.runtime.nodes.compiled import CompiledGraph, CompiledNode
    from kro_ls.runtime.passes.results import NodeResult

# A few milliseconds: an editor waits for it.
STEPS = 20_000
"""How much the evaluation for one hover may do."""


class ExpressionValue(Struct, frozen=True):
    """The value as JSON data, or why there is none. `first_of` counts the objects that a collection has, if it is one.

    `is_omitted` is true for `omit()`, which leaves the field out.
    """

    data: object = None
    error: str | None = None
    first_of: int | None = None
    is_omitted: bool = False


def evaluate(
    preview: Preview,
    owner: PlacedPart,
    expression: Expression,
    node: ast.Node | None = None,
    budget: Budget | None = None,
) -> ExpressionValue:
    """Return the value of an expression, or of one node of its tree; in a collection, for its first object.

    `budget` is shared by several evaluations when it is given.
    """
    budget = budget or Budget(STEPS)
    if preview.simulation is None:
        refusals = "; ".join(preview.refusals)
        return ExpressionValue(error=f"the API server would refuse this instance: {refusals}")
    inspection = expression.inspection
    root = node or inspection.parsed.root
    used = [each.name for each in inspection.names if root.start <= each.node.start and each.node.end <= root.end]
    found = name_values(preview.simulation, owner, expression, dict.fromkeys(used), budget)
    for name in used:
        if name in found.missing:
            return ExpressionValue(error=found.missing[name], first_of=found.first_of)
    try:
        value = compile_program(root, LIBRARIES, _checked(owner, expression)).evaluate(found.values, budget)
        if isinstance(value, Condition):
            data: object = value.fields
        else:
            data = to_json(value, budget, for_text=True)
    except EvaluationError as error:
        return ExpressionValue(error=error.message, first_of=found.first_of)
    if data is OMIT:
        return ExpressionValue(first_of=found.first_of, is_omitted=True)
    return ExpressionValue(without_omitted(data), first_of=found.first_of)


def part_with_value(nodes: Iterable[ast.Node], text: str) -> ast.Node | None:
    """Return the innermost node that has a value of its own; `nodes` lead from the root of `text` inwards.

    Namespaces of functions, variables of macros and what uses them have none.
    """
    inspection = inspect(text)
    free = {each.node for each in inspection.names}
    path = list(nodes)
    for depth in reversed(range(len(path))):
        node = path[depth]
        outer = path[depth - 1] if depth else None
        if isinstance(node, ast.Hole) or (isinstance(outer, ast.MacroCall) and node is outer.call):
            continue
        if isinstance(node, ast.Identifier) and node not in free:
            continue
        bound = (
            use
            for variable in inspection.variables
            if not node.start <= variable.span[0] < node.end
            for use in variable.uses
        )
        if not any(node.start <= use.start and use.end <= node.end for use in bound):
            return node
    return None


def _checked(owner: PlacedPart, expression: Expression) -> CheckResult | None:
    scope = owner.rgd.scope(owner.part)
    checks = check_part(owner.part, scope.bindings, scope.kind)
    return next((each.result for each in checks if each.expression is expression), None)


class NameValues(Struct, frozen=True):
    """The values of names at a place, why others have none, and how many objects are made of the expression."""

    values: dict[str, Value]
    missing: dict[str, str]
    first_of: int | None = None


def name_values(
    simulation: Simulation, owner: PlacedPart, expression: Expression, used: Iterable[str], budget: Budget
) -> NameValues:
    """Return the values of the names that an expression uses; in a collection, for its first object."""
    if owner.rgd.outer:  # the values of nodes in child graphs are not looked up
        return NameValues({}, {})
    graph = compile_graph(owner.rgd)
    part = owner.part
    own = next((node for node in graph.nodes if node.id == part.id), None) if isinstance(part, Resource) else None
    if own and expression.place is Place.READY_WHEN:
        return _names_of_readiness(simulation, own)
    found = _values(simulation, graph, expression.place, used)
    if own and own.dimensions and expression.place is Place.TEMPLATE:
        return _with_iterators(simulation, graph, own, found, budget)
    return found


def _values(simulation: Simulation, graph: CompiledGraph, place: Place, used: Iterable[str]) -> NameValues:
    """Return the values of the instance and of nodes, as far as names are theirs."""
    found = NameValues({}, {})
    nodes = {node.id: node for node in graph.nodes}
    for name in used:
        if name == INSTANCE:
            found.values[name] = _instance(simulation, graph, place)
        elif name in nodes:
            result = simulation.final.result.node(name)
            observed = result.observed if result else None
            if observed or (observed is not None and nodes[name].is_list):
                kind = nodes[name].kind
                objects = [seen(each, kind.schema if kind else None) for each in observed]
                found.values[name] = objects if nodes[name].is_list else objects[0]
            else:
                found.missing[name] = _absent(name, result)
    return found


def _instance(simulation: Simulation, graph: CompiledGraph, place: Place) -> Value:
    result = simulation.final
    visible = {name: value for name, value in result.result.instance.items() if name != "status"}
    if place is Place.CONDITION:
        visible["status"] = {"conditions": [dict(each.fields) for each in result.outcome.conditions]}
    return seen(visible, graph.instance_schema)


def _absent(name: str, result: NodeResult | None, otherwise: str = "") -> str:
    """Return why a node has no objects; `otherwise` is the reason where it has none itself."""
    reason = (short_reason(result) if result else "") or otherwise
    return f"{name} is {state_word(result) if result else 'not there'}{reason and f': {reason}'}"


def _names_of_readiness(simulation: Simulation, node: CompiledNode) -> NameValues:
    """Return what `readyWhen` sees: the one object under the node's id, or the first of several as `each`."""
    name = "each" if node.is_list else node.id
    result = simulation.final.result.node(node.id)
    observed = (result.observed if result else None) or ()
    first_of = len(observed) if node.is_list else None
    if observed:
        return NameValues({name: observed[0]}, {}, first_of)
    return NameValues({}, {name: _absent(node.id, result, "there are no objects")}, first_of)


def _with_iterators(
    simulation: Simulation, graph: CompiledGraph, node: CompiledNode, names: NameValues, budget: Budget
) -> NameValues:
    """Return the names with those of the iterators, each at its first value."""
    values, missing, total = dict(names.values), dict(names.missing), 1
    for name, compiled in node.dimensions:
        used = (each.name for each in compiled.expression.inspection.names)
        here = _values(simulation, graph, Place.FOR_EACH, used)
        missing |= here.missing
        try:
            items = to_json(compiled.program.evaluate(here.values, budget), budget)
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
