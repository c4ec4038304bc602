"""A CEL text in a place of an RGD with the types of its parts, also where the text is half-typed or in error.

The types are those that `kro_ls/analysis/types/checking.py` gives the same text in the same place, from the same
functions. Beside them stand the shapes of objects that kro leaves untyped, for completion and documentation. Types are
shown with the kind of the object in place of its id.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.analysis.names.inspection import inspect
from kro_ls.analysis.types.checking import check_node
from kro_ls.analysis.types.variables import (
    environment_of,
    iterator_binding,
    names_at,
    resource_binding,
    roots_of,
    value_schema,
)
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.types import DYN, Kind, Type, checker_name, struct_type
from kro_ls.cursor.parts import selected_resource
from kro_ls.graphs import children_of, declaring_graph
from kro_ls.kro.places import Place
from kro_ls.openapi.cel_types import ELEMENT, TYPE_NAME_PREFIX, VALUE, SchemaRoot, SchemaTypes
from kro_ls.yaml_positions.nodes import field, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Dimension
    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.analysis.types.variables import Binding
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cel.types.check_result import CheckResult
    from kro_ls.cel.types.declarations import Environment
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.openapi.json_values import JsonObject


class TypedExpression(Struct, frozen=True, eq=False, dict=True):
    """A CEL text with the types of its parts.

    `roots` are the schemas that the struct types in it come from. `ranges` are the expressions of the iterators in the
    text, by their names. In `shaped`, objects that kro leaves untyped have their shapes; None where there are none.
    """

    inspection: Inspection
    environment: Environment
    roots: tuple[SchemaRoot, ...]
    ranges: Mapping[str, TypedExpression] = msgspec.field(default_factory=dict)
    shaped: Environment | None = None

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
        """The types in the whole text, and its errors."""
        return check_node(self.root, self.environment)

    @cached_property
    def _shaped_result(self) -> CheckResult:
        return check_node(self.root, self.shaped or self.environment)

    def type_of(self, node: Node) -> Type:
        """Return the type of a node, or its shape where kro leaves it untyped.

        A node that an error kept from being checked is checked alone.
        """
        found = self._type(node, self.result, self.environment)
        if found.is_dynamic and self.shaped:
            found = self._type(node, self._shaped_result, self.shaped)
        return found

    def _type(self, node: Node, result: CheckResult, environment: Environment) -> Type:
        found = result.types.get(node) or check_node(node, environment).type
        return DYN if found.kind is Kind.ERROR else found

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
    # A macro with a mistake has no expansion, so the names in it are not in the inspection.
    names = {node.name for node in ast.walk(inspection.parsed.root) if isinstance(node, ast.Identifier)}
    declared = dict(owner.rgd.bindings(owner.part, names).items())
    kind = owner.rgd.kind(owner.part) if isinstance(owner.part, Resource) else None
    ranges: dict[str, TypedExpression] = {}
    iterators: dict[str, Binding] = {}
    for each in _iterators(owner, place):
        if each.name in names and each.expression:
            ranges[each.name] = found = typed_range(owner, each)
            type_ = DYN if found.inspection.parsed.errors else found.result.type
            iterators[each.name] = iterator_binding(owner.part, each.expression, type_, found.schemas)
    shapes = dict(_shapes(owner.rgd, declared))
    bound, shown = (names_at(place, owner.part, each, iterators, kind) for each in (declared, {**declared, **shapes}))
    below = (root for each in ranges.values() for root in each.roots)
    roots = tuple(dict.fromkeys((*roots_of(shown.values()), *below)))
    shaped = environment_of(shown.items(), roots) if shapes else None
    return TypedExpression(inspection, environment_of(bound.items(), roots), roots, ranges, shaped)


def typed_range(owner: PlacedPart, dimension: Dimension) -> TypedExpression:
    """Return the types in the expression that an iterator runs over."""
    return typed_expression(owner, Place.FOR_EACH, dimension.expression.text if dimension.expression else "")


def unwrapped(type_: Type) -> Type:
    """Return what an optional holds; of any other type itself."""
    return type_.parameters[0] if type_.is_optional else type_


def _iterators(owner: PlacedPart, place: Place) -> tuple[Dimension, ...]:
    return owner.part.dimensions if place is Place.TEMPLATE and isinstance(owner.part, Resource) else ()


def _shapes(rgd: RgdAnalysis, declared: dict[str, Binding]) -> Iterator[tuple[str, Binding]]:
    """Yield the shapes of the objects that kro leaves untyped; of a repeated id that of its first resource."""
    for name, binding in declared.items():
        declaring = declaring_graph(rgd, name) if isinstance(binding, Type) and binding.is_dynamic else None
        if declaring:
            resource = declaring.resources[name].resource
            shape = resource_binding(name, resource.type, _schema_of(declaring, resource))
            if isinstance(shape, SchemaRoot):
                yield name, shape


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


_STEPS = {ELEMENT: "[]", VALUE: "{}"}


def type_name(type_: Type, owner: PlacedPart) -> str:
    """Return a type's text in an expression of a part: `list(Pod.spec.containers)`, `map(string, string)`.

    An item of that list is `Pod.spec.containers[]`.
    """
    return checker_name(_renamed(type_, owner))


def _renamed(type_: Type, owner: PlacedPart) -> Type:
    if type_.kind is Kind.STRUCT and type_.name.startswith(TYPE_NAME_PREFIX):
        return struct_type(_struct_name(type_.name.removeprefix(TYPE_NAME_PREFIX).split("."), owner))
    if not type_.parameters:
        return type_
    parameters = [_renamed(each, owner) for each in type_.parameters]
    if type_.kind is Kind.LIST:  # which says already that these are items
        parameters = [_without_brackets(each) for each in parameters]
    return Type(type_.kind, type_.name, tuple(parameters), type_.nullable)


def _without_brackets(type_: Type) -> Type:
    is_item = type_.kind is Kind.STRUCT and type_.name.endswith(_STEPS[ELEMENT])
    return struct_type(type_.name.removesuffix(_STEPS[ELEMENT])) if is_item else type_


def _struct_name(path: list[str], owner: PlacedPart) -> str:
    """Return `Pod.spec.containers[]` for the path `pod`, `spec`, `containers`, `@idx`."""
    variable = path[0]
    resource, below = selected_resource(owner, variable, path[1:])
    kind = text_of(field(resource.object, "kind")) if resource else None
    if variable == "schema" and owner.rgd.rgd.schema:
        kind = owner.rgd.rgd.schema.section.kind
    return "".join([kind or variable, *(_STEPS.get(step, f".{step}") for step in below)])
