"""The demands of a graph's expressions on the instance and on each node's objects."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from kro_ls.cel.syntax.parser import parse
from kro_ls.kro.krep_2 import ITEM, VALUE
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.openapi.rules.rule_environment import RULE_LIBRARIES
from kro_ls.openapi.schema import Schema
from kro_ls.queries.cells import cached
from kro_ls.runtime.nodes.compiled import INSTANCE
from kro_ls.runtime.nodes.node_objects import group_kind
from kro_ls.runtime.values.amazon import GROUPS
from kro_ls.runtime.values.demand_reading import DemandReader
from kro_ls.runtime.values.demands import LIST, Demand, Target

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.runtime.nodes.compiled import CompiledGraph, CompiledNode
    from kro_ls.runtime.nodes.programs import CompiledExpression

_RULES = "x-kubernetes-validations"
_CLOUDS = (".azure.com", ".cnrm.cloud.google.com", GROUPS)
"""How the API groups of the controllers of clouds end: Azure Service Operator, Config Connector, ACK."""
_SCALARS = ("string", "integer", "number", "boolean")


@cached
def graph_demands(graph: CompiledGraph) -> dict[str, Demand]:
    """Return what is asked by id; of a node that is what is asked of each of its objects."""
    demands = {INSTANCE: Demand(INSTANCE, (), group=_cloud_group(graph))}
    _hold_rules(as_object(as_object(graph.instance_schema).get("properties")).get("spec"), demands[INSTANCE], "spec")
    _, own = node_demands(graph, demands, None)
    return demands | own


def node_demands(
    graph: CompiledGraph, outside: dict[str, Demand], owner: Demand | None
) -> tuple[dict[str, Demand], dict[str, Demand]]:
    """Return what is asked of all names of a graph, and what of each object of its own nodes.

    `outside` is what is asked of other names. `owner` is what is asked of a child graph, whose fields its nodes are.
    """
    demands = {node.id: Demand(node.id, ()) if owner is None else owner.field(node.id) for node in graph.nodes}
    own_names = {node.id: Demand(same=demands[node.id]) if node.is_list else demands[node.id] for node in graph.nodes}
    names = outside | own_names
    # First what makes nodes ready: where expressions ask for different things, the first wins.
    for node in graph.nodes:
        itself = demands[node.id] if node.resource.collection.tests_each else names[node.id]
        own = {**names, node.id: itself, "each": demands[node.id]}
        for each in node.ready_when:
            _hold(each, own, set())
    for node in graph.nodes:
        tested: set[Demand] = set()
        for each in node.include_when:
            _hold(each, names, tested)
        _read_templates(node, names, tested)
    for each in (*(each for _, each in graph.status), *graph.conditions):
        _read(each, names, None)
    return names, demands


def _cloud_group(graph: CompiledGraph) -> str:
    """Return the group of most of the cloud resources, empty for Amazon's, whose regions are the usual ones."""
    groups = (group_kind(node.template)[0] for node in graph.nodes)
    counted = Counter(group for group in groups if group.endswith(_CLOUDS)).most_common(1)
    return counted[0][0] if counted and not counted[0][0].endswith(GROUPS) else ""


def _hold_rules(schema: JsonValue, parent: Demand, step: str | None) -> None:
    """Ask for what makes the rules of a schema true, and of those inside; `step` is None for the items of a list."""
    if not isinstance(schema, dict) or not _holds_rules(schema):
        return
    found = parent.each() if step is None else parent.field(step)
    for rule in as_list(schema.get(_RULES)):
        parsed = parse(as_text(as_object(rule).get("rule")), RULE_LIBRARIES.macro_set)
        if parsed.is_valid:
            with suppress(RecursionError):
                DemandReader({"self": found}).hold(parsed.root, {})
    for name, inner in as_object(schema.get("properties")).items():
        _hold_rules(inner, found, name)
    for keyword in ("items", "additionalProperties"):
        _hold_rules(schema.get(keyword), found, None)


def _holds_rules(schema: JsonValue) -> bool:
    if isinstance(schema, dict):
        return _RULES in schema or any(map(_holds_rules, schema.values()))
    return isinstance(schema, list) and any(map(_holds_rules, schema))


def _read_templates(node: CompiledNode, names: dict[str, Demand], tested: set[Demand]) -> None:
    iterators: dict[str, Demand] = {}
    for name, each in node.dimensions:
        found = _read(each, names, tested)
        iterators[name] = Demand() if found is None else found.each()
        if node.resource.collection.iterator:
            place = iterators[name] = Demand()
            if found is not None:
                place.fields |= {ITEM: found.each(), VALUE: found.each()}
        elif found is not None and found.same is None:
            found.ask_type(LIST)
    for path, each in (*node.fields, *node.item_fields):
        found = _read(each, {**names, **iterators}, tested, is_name=path == ("metadata", "name"))
        known = Schema(node.kind.schema).field(path) if found is not None and node.kind is not None else None
        if found is None:
            continue
        if known is not None and known.types and known.types[0] in _SCALARS:
            found.ask_type(known.types[0])
        if found.target is None and each.expression.compiled.standalone:
            found.target = Target(path[1:] if path[0] == "spec" else path, known)


def _hold(compiled: CompiledExpression, names: dict[str, Demand], tested: set[Demand]) -> None:
    reader = DemandReader(names)
    try:
        reader.hold(compiled.expression.inspection.parsed.root, {})
    except RecursionError:
        return
    tested |= reader.tested
    _need(reader, tested)


def _read(
    compiled: CompiledExpression, names: dict[str, Demand], tested: set[Demand] | None, *, is_name: bool = False
) -> Demand | None:
    """Read an expression; unless `tested` is None it needs what it reads and what is not among the tested values."""
    reader = DemandReader(names)
    try:
        found = reader.read(compiled.expression.inspection.parsed.root, {})
    except RecursionError:
        return None
    for each in (*reader.added, *([found] if found is not None else [])) if is_name else ():
        each.is_in_name = True
    if tested is not None:
        _need(reader, tested | reader.tested)
    return found


def _need(reader: DemandReader, tested: set[Demand]) -> None:
    for each in reader.plain - tested:
        each.is_needed = True
