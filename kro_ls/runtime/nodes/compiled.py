"""An analysed RGD made ready to run: each node's template as plain data and its compiled expressions.

Also what a half-typed definition lacks before its nodes can run.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct, field

from kro_ls.analysis.model.expressions import joined
from kro_ls.analysis.model.model import ResourceType
from kro_ls.analysis.names.inspection import inspect
from kro_ls.analysis.types.checking import check_part
from kro_ls.cel.evaluation.costs import BudgetError
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.conversion import of_written
from kro_ls.kro.places import Place
from kro_ls.openapi.json_values import as_object
from kro_ls.queries.cells import cached
from kro_ls.runtime.nodes.budget import count_for
from kro_ls.runtime.nodes.errors import FatalError
from kro_ls.runtime.nodes.programs import CompiledExpression, program_of, text_program
from kro_ls.yaml_positions.nodes import to_python

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import PlacedResource, Resource, SchemaSection
    from kro_ls.analysis.model.paths import Path
    from kro_ls.cel.evaluation.costs import Budget
    from kro_ls.cel.evaluation.program import Program
    from kro_ls.cel.types.check_result import CheckResult
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.queries.cells import Cells
    from kro_ls.runtime.nodes.programs import TextProgram


INSTANCE = "schema"
"""The name of the instance in expressions, and its node's id."""


class CompiledNode(Struct, frozen=True, eq=False):
    """One resource. `fields` are evaluated once, `item_fields` for each object of a collection.

    `dependencies` are ids in the order in which the expressions first name them.
    """

    id: str
    resource: Resource
    kind: KindSchema | None
    template: JsonObject
    fields: tuple[tuple[Path, CompiledExpression], ...]
    item_fields: tuple[tuple[Path, CompiledExpression], ...]
    dimensions: tuple[tuple[str, CompiledExpression], ...]
    include_when: tuple[CompiledExpression, ...]
    ready_when: tuple[CompiledExpression, ...]
    dependencies: tuple[str, ...]
    cost: int
    """The steps of the budget that an object takes whatever its expressions give."""
    unfinished: str = ""
    """What it needs before an object can be made of it; empty where it is complete."""

    @property
    def named(self) -> str:
        """Its name in the message that it takes too long."""
        return f"the template of {self.id}"

    def pay(self, budget: Budget) -> None:
        """Charge for making an object. Raises FatalError when that is more than is left of the budget."""
        count_for(self, budget)
        try:
            budget.spend(self.cost)
        except BudgetError as error:
            raise FatalError(f"node {go_quoted(self.id)}: {error.message}") from None

    @property
    def is_list(self) -> bool:
        """Whether expressions see a list of objects under the node's id."""
        return self.resource.type in (ResourceType.COLLECTION, ResourceType.EXTERNAL_COLLECTION)

    @property
    def is_external(self) -> bool:
        """Whether kro only reads the node's objects."""
        return self.resource.type.is_external

    @property
    def is_namespaced(self) -> bool:
        """Whether the node's objects are in a namespace; those of an unknown kind are assumed to be."""
        return self.kind is None or self.kind.namespaced


class CompiledGraph(Struct, frozen=True, eq=False):
    """The nodes in topological order and what the instance's status is made of.

    `instance_schema` is that of the instance as expressions see it, None where the definition has no schema.
    """

    nodes: tuple[CompiledNode, ...]
    instance_schema: JsonObject | None
    status: tuple[tuple[Path, CompiledExpression], ...]
    conditions: tuple[CompiledExpression, ...]
    cells: Cells = field(default_factory=dict)


@cached
def compile_graph(rgd: RgdAnalysis) -> CompiledGraph:
    """Return what runs; of an RGD that kro refuses, as far as it goes. Nodes that are part of a cycle are left out."""
    dependencies = dict(rgd.graph.dependencies)
    nodes = tuple(_compile_node(rgd, id_, dependencies[id_]) for id_ in rgd.graph.order)
    section = rgd.rgd.schema.section if rgd.rgd.schema else None
    expressions = _compile_expressions(rgd, section, INSTANCE) if section else ()
    return CompiledGraph(
        nodes,
        rgd.instance.schema if rgd.instance else None,
        tuple((each.expression.path, each) for each in expressions if each.expression.place is Place.STATUS),
        tuple(each for each in expressions if each.expression.place is Place.CONDITION),
    )


def _compile_node(rgd: RgdAnalysis, id_: str, dependencies: tuple[str, ...]) -> CompiledNode:
    resource = rgd.resources[id_].resource
    expressions = _compile_expressions(rgd, resource, id_)
    in_place = {place: tuple(each for each in expressions if each.expression.place is place) for place in Place}
    iterators = resource.iterators
    fields: list[tuple[Path, CompiledExpression]] = []
    item_fields: list[tuple[Path, CompiledExpression]] = []
    for each in (*in_place[Place.TEMPLATE], *in_place[Place.EXTERNAL_REFERENCE]):
        varies = not iterators.isdisjoint(each.references)
        (item_fields if varies else fields).append((each.expression.path, each))
    by_expression = {each.expression: each for each in in_place[Place.FOR_EACH]}
    template = _template(resource)
    return CompiledNode(
        id=id_,
        resource=resource,
        kind=rgd.kind(resource),
        template=template,
        fields=tuple(fields),
        item_fields=tuple(item_fields),
        dimensions=tuple(
            (each.name, by_expression[each.expression]) for each in resource.dimensions if each.expression is not None
        ),
        include_when=in_place[Place.INCLUDE_WHEN],
        ready_when=in_place[Place.READY_WHEN],
        dependencies=dependencies,
        cost=of_written(template),
        unfinished=unfinished(resource, template),
    )


def _template(resource: Resource) -> JsonObject:
    """Return the template, the data or the external reference as plain data, of the last without what is empty."""
    template = to_python(resource.data if resource.data is not None else resource.object)
    if not isinstance(template, dict):
        return {}
    if resource.external_reference is None:
        return template
    metadata = {name: value for name, value in as_object(template.get("metadata")).items() if value != ""}
    if resource.collection.selects_beside_metadata:
        metadata["selector"] = template.get("selector")
    selector = metadata.get("selector")
    if isinstance(selector, dict):
        metadata["selector"] = {name: value for name, value in selector.items() if value}
    return {"apiVersion": template.get("apiVersion"), "kind": template.get("kind"), "metadata": metadata}


def _compile_expressions(
    rgd: RgdAnalysis, part: Resource | SchemaSection, owner: str
) -> tuple[CompiledExpression, ...]:
    scope = rgd.scope(part)
    checks = {each.expression: each.result for each in check_part(part, scope.bindings, scope.kind)}
    return tuple(
        CompiledExpression(each, owner, _references(each.text, each.place), _program(each, part, checks))
        for each in joined(part.expressions)
    )


def _program(
    expression: Expression, part: Resource | SchemaSection, checks: Mapping[Expression, CheckResult]
) -> Program | TextProgram:
    if expression in checks or expression.compiled.standalone:
        return program_of(expression.inspection, checks.get(expression))
    parts = [each for each in part.expressions if each.scalar is expression.scalar and each.compiled.is_part]
    programs = [program_of(each.inspection, checks.get(each)) for each in parts]
    return text_program(expression, programs) if parts else program_of(expression.inspection, None)


def _references(text: str, place: Place) -> tuple[str, ...]:
    """Return the names that an expression is given; kro records none for `readyWhen`, which is given all."""
    if place is Place.READY_WHEN:
        return ()
    return tuple(dict.fromkeys(use.name for use in inspect(text).names))


_API_VERSION = re.compile(r"([^\s/:]+/)?[^\s/:]+")


class MissingNode(Struct, frozen=True):
    """A resource that no preview can show; `id` is empty where it has none."""

    id: str
    placed: PlacedResource
    reason: str


def unfinished(resource: Resource, template: JsonObject) -> str:
    """Return what a resource needs before an object can be made of its template; empty where it is complete."""
    if resource.object is None:
        return "it has no template yet" if resource.template is None else "its template is empty"
    for name in ("apiVersion", "kind"):
        value = template.get(name)
        if value in (None, ""):
            return f"its {name} is missing"
        if not isinstance(value, str):
            return f"its {name} is not a string"
    if not _API_VERSION.fullmatch(str(template["apiVersion"])):
        return f"its apiVersion is no group and version: {template['apiVersion']}"
    metadata = template.get("metadata")
    if not isinstance(metadata, dict):
        return "its metadata is missing" if metadata is None else "its metadata is not a mapping"
    return "" if isinstance(metadata.get("name", ""), str) else "its name is not a string"


def missing_nodes(rgd: RgdAnalysis) -> tuple[MissingNode, ...]:
    """Return the resources that are not among the nodes that run, in the order in which they are written."""
    order, cycles = frozenset(rgd.graph.order), rgd.cycles
    seen: set[str] = set()
    found = []
    for placed in rgd.rgd.resources:
        id_ = placed.resource.id
        if not id_:
            found.append(MissingNode("", placed, "it has no id yet"))
        elif id_ in seen:
            found.append(MissingNode(id_, placed, f"another resource has the id {id_}"))
        elif id_ not in order:
            found.append(MissingNode(id_, placed, _held_up(id_, cycles)))
        if id_:
            seen.add(id_)
    return tuple(found)


def _held_up(id_: str, cycles: tuple[tuple[str, ...], ...]) -> str:
    for cycle in cycles:
        if id_ in cycle:
            start = cycle.index(id_)
            around = (*cycle[start:], *cycle[:start], id_)
            return f"it is part of a cycle: {' → '.join(around)}"
    return "it depends on a cycle"
