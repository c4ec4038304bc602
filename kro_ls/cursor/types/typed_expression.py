"""A CEL text in a place of an RGD with the types of its parts, also where the text is half-typed or in error."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct, field

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.analysis.names.inspection import inspect
from kro_ls.analysis.names.references import Meaning, allowed_meanings
from kro_ls.analysis.types.checking import environment_of, iterator_binding, roots_of
from kro_ls.analysis.types.variables import item_binding, resource_binding, value_schema
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.checker import check
from kro_ls.cel.types.types import DYN, Kind, Type
from kro_ls.graphs import children_of, declaring_graph
from kro_ls.kro.places import Place
from kro_ls.openapi.cel_types import SchemaRoot, SchemaTypes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Dimension
    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.analysis.types.variables import Binding
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cel.types.check_result import CheckResult
    from kro_ls.cel.types.environment import Environment
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.openapi.json_values import JsonObject


class TypedExpression(Struct, frozen=True, eq=False, dict=True):
    """A CEL text with the types of its parts.

    `roots` are the schemas that the struct types in it come from. `ranges` are what the iterators in the text run over,
    by their names.
    """

    inspection: Inspection
    environment: Environment
    roots: tuple[SchemaRoot, ...]
    ranges: Mapping[str, TypedExpression] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text."""
        return self.inspection.text

    @property
    def root(self) -> Node:
        """The tree of the text."""
        return self.inspection.parsed.root

    @cached_property
    def result(self) -> CheckResult:
        """What the checker finds in the whole text."""
        return self._check(self.root)

    def type_of(self, node: Node) -> Type:
        """Return the type of a node; one that an error kept from being checked is looked at on its own, else dyn."""
        found = self.result.types.get(node)
        if found is None:
            found = self._check(node).type
        return DYN if found.kind is Kind.ERROR else found

    def _check(self, node: Node) -> CheckResult:
        # Text that is being typed meets the checker here and nowhere else.
        return check(node, self.text, self.environment)

    def nodes_touching(self, offset: int) -> tuple[Node, ...]:
        """Return the nodes that touch an offset, the innermost last: after `a ? b` it is `b`, not the missing rest."""
        path: list[Node] = []
        candidates: tuple[Node, ...] = (self.root,)
        while touching := [node for node in candidates if node.start <= offset <= node.end]:
            written = [node for node in touching if not isinstance(node, ast.Hole)]
            path.append((written or touching)[-1])
            candidates = ast.children(path[-1])
        return tuple(path)

    @property
    def schemas(self) -> SchemaTypes:
        """The schemas that the struct types come from."""
        return SchemaTypes(self.roots)


def typed_expression(owner: PlacedPart, place: Place, text: str) -> TypedExpression:
    """Return the types in a text as an expression in a place of a part; of a bad text those of its good parts."""
    inspection = inspect(text)
    # All names, as those in a macro that makes no sense, which has no expansion, are to be known as well.
    names = {node.name for node in ast.walk(inspection.parsed.root) if isinstance(node, ast.Identifier)}
    ranges = {each.name: typed_range(owner, each) for each in _iterators(owner, place) if each.name in names}
    bindings = _bindings(owner, place, names)
    for name, each in ranges.items():
        bindings[name] = iterator_binding(owner.part, each.result.type, each.schemas)
    below = (root for each in ranges.values() for root in each.roots)
    roots = tuple(dict.fromkeys((*roots_of(bindings.values()), *below)))
    return TypedExpression(inspection, environment_of(bindings.items(), roots), roots, ranges)


def typed_range(owner: PlacedPart, dimension: Dimension) -> TypedExpression:
    """Return the types in the expression that an iterator runs over."""
    return typed_expression(owner, Place.FOR_EACH, dimension.expression.text if dimension.expression else "")


def unwrapped(type_: Type) -> Type:
    """Return what an optional holds; of any other type itself."""
    return type_.parameters[0] if type_.is_optional else type_


def _iterators(owner: PlacedPart, place: Place) -> tuple[Dimension, ...]:
    return owner.part.dimensions if place is Place.TEMPLATE and isinstance(owner.part, Resource) else ()


def _bindings(owner: PlacedPart, place: Place, names: set[str]) -> dict[str, Binding]:
    """Return what those of the names are that the RGD declares for this place; of a repeated id the first resource."""
    part, rgd = owner.part, owner.rgd
    if place is Place.READY_WHEN and isinstance(part, Resource) and Meaning.EACH in allowed_meanings(place, part):
        schema = value_schema(part, rgd.kind(part))
        each = item_binding("each", schema)
        if not part.form.sees_itself or part.id not in names:
            return {"each": each}
        return {"each": each, part.id: resource_binding(part.id, part.type, schema)}
    bindings: dict[str, Binding] = {}
    if "schema" in names and rgd.instance:
        bindings["schema"] = rgd.instance
    for name in names:
        declaring = declaring_graph(rgd, name)
        resource = declaring.resources[name].resource if declaring else None
        if declaring and resource:
            bindings[name] = resource_binding(name, resource.type, _schema_of(declaring, resource))
            if resource.collection.alias:
                bindings[f"{name}.{resource.collection.alias}"] = bindings[name]
    return bindings


def _schema_of(rgd: RgdAnalysis, resource: Resource) -> JsonObject | None:
    """Return the schema of a resource's value; of a child graph that of its nodes, which kro leaves untyped."""
    child = dict(children_of(rgd)).get(resource)
    if child is None:
        return value_schema(resource, rgd.kind(resource))
    properties: JsonObject = {}
    for each in child.rgd.parts:
        schema = _schema_of(child, each)
        if each.id is not None and schema is not None:
            is_list = each.type in (ResourceType.COLLECTION, ResourceType.EXTERNAL_COLLECTION)
            properties[each.id] = {"type": "array", "items": schema} if is_list else schema
    return {"type": "object", "properties": properties, "x-kubernetes-preserve-unknown-fields": True}
