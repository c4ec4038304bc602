"""A CEL text in a place of an RGD: the types of its parts and those that would fit, also of half-typed or wrong text.

The types are those that `kro_ls/analysis/types/checking.py` gives the same text in the same place, from the same
functions. Beside them stand the shapes of objects that kro leaves untyped, for completion and documentation. Types are
shown with the kind of the object in place of its id.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.analysis.names.inspection import inspect
from kro_ls.analysis.types.checking import check_node
from kro_ls.analysis.types.template import expected_type
from kro_ls.analysis.types.variables import (
    environment_of,
    iterator_binding,
    names_at,
    resource_binding,
    roots_of,
    value_schema,
)
from kro_ls.cel.library.comprehensions import BIND, TRANSFORM_MAP
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.ast import Operator
from kro_ls.cel.types.types import BOOL, DYN, INT, STRING, Kind, Type, checker_name, list_type, struct_type
from kro_ls.cel.types.unification import TypeVariables
from kro_ls.cursor.parts import selected_resource
from kro_ls.graphs import children_of, declaring_graph
from kro_ls.kro.environment import MACROS
from kro_ls.kro.library import CONDITION
from kro_ls.kro.places import Place
from kro_ls.openapi.cel_types import ELEMENT, TYPE_NAME_PREFIX, VALUE, SchemaRoot, SchemaTypes
from kro_ls.queries.cells import cached_attribute
from kro_ls.yaml_positions.nodes import field, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Dimension
    from kro_ls.analysis.model.paths import Path
    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.analysis.types.variables import Binding
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cel.types.check_result import CheckResult
    from kro_ls.cel.types.declarations import Environment, FunctionDeclaration, Overload
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

    @cached_attribute
    def result(self) -> CheckResult:
        """The types in the whole text, and its errors."""
        return check_node(self.root, self.environment)

    @cached_attribute
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

    @cached_attribute
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
            type_ = found.result.type if found.inspection.parsed.is_valid else DYN
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


_LOGICAL = frozenset({Operator.AND, Operator.OR, Operator.NOT})
_CONTAINERS = frozenset({Kind.STRUCT, Kind.LIST, Kind.MAP})


class Fit(IntEnum):
    """How well a value fits, best first: by its type; perhaps, by what can be selected from it; not at all."""

    FITS = 0
    LEADS_ON = 1
    UNFIT = 2


def fit(type_: Type, expected: tuple[Type, ...]) -> Fit:
    """Return how well a value of a type fits where one of some types is expected; anything fits where none is."""
    if not expected:
        return Fit.FITS
    inner = unwrapped(type_)
    if inner.is_dynamic or inner.kind is Kind.ERROR or inner is not type_:
        return Fit.LEADS_ON
    if any(_takes(each, type_) for each in expected):
        return Fit.FITS
    # Anything can be compared.
    return Fit.LEADS_ON if type_.kind in _CONTAINERS or BOOL in expected else Fit.UNFIT


def _takes(expected: Type, given: Type) -> bool:
    # A struct is named by its declaration, while kro compares the fields, some of which may agree.
    both_structs = expected.kind is given.kind is Kind.STRUCT
    return both_structs or TypeVariables().assign(expected, given)


def expected_in_place(owner: PlacedPart, place: Place, path: Path, *, standalone: bool) -> Type:
    """Return the type that the expression at a path of the template must have; dyn where anything goes."""
    if place in (Place.INCLUDE_WHEN, Place.READY_WHEN):
        return BOOL
    if place is Place.FOR_EACH:
        return list_type(DYN)
    if place is Place.CONDITION:
        return CONDITION
    if not standalone or place is Place.EXTERNAL_REFERENCE:
        return STRING
    if place is Place.TEMPLATE and isinstance(owner.part, Resource):
        return expected_type(owner.part.id or "", owner.rgd.kind(owner.part), path)
    return DYN


def expected_types(typed: TypedExpression, offset: int, whole: Type) -> tuple[Type, ...]:
    """Return the types that fit the innermost part at an offset; nothing where anything goes.

    `whole` is the type of the whole text.
    """
    expected = _usable(whole)
    macro: ast.MacroCall | None = None
    for parent, child in pairwise(typed.nodes_touching(offset)):
        if isinstance(parent, ast.MacroCall):
            macro = parent
        elif isinstance(parent, ast.Call):
            is_macro = macro is not None and macro.call is parent
            expected = _in_macro(parent, child, expected) if is_macro else _in_call(typed, parent, child, expected)
        elif isinstance(parent, ast.ListLiteral):
            expected = tuple(each.parameters[0] for each in expected if each.kind is Kind.LIST)
        elif isinstance(parent, ast.MapLiteral):
            is_value = any(entry.value is child for entry in parent.entries)
            expected = tuple(each.parameters[is_value] for each in expected if each.kind is Kind.MAP)
        else:
            expected = ()
    return tuple(type_ for each in expected for type_ in _usable(each))


def _usable(type_: Type) -> tuple[Type, ...]:
    useless = type_.is_dynamic or type_.kind in (Kind.ERROR, Kind.TYPE_PARAMETER)
    return () if useless else (type_,)


def _in_macro(call: ast.Call, child: Node, expected: tuple[Type, ...]) -> tuple[Type, ...]:
    macro = MACROS.get(call.function)
    names = macro.form(len(call.arguments)) if macro else ()
    match next((name for name, argument in zip(names, call.arguments, strict=False) if argument is child), ""):
        case "predicate":
            return (BOOL,)
        case "transform" if macro is TRANSFORM_MAP:
            return tuple(each.parameters[1] for each in expected if each.kind is Kind.MAP)
        case "transform":
            return tuple(each.parameters[0] for each in expected if each.kind is Kind.LIST)
        case "expression" if macro is BIND:
            return expected
    return ()


def _in_call(typed: TypedExpression, call: ast.Call, child: Node, expected: tuple[Type, ...]) -> tuple[Type, ...]:
    if child is call.target:
        return ()
    position = next(number for number, argument in enumerate(call.arguments) if argument is child)
    if call.target is None and call.function in _LOGICAL:
        return (BOOL,)
    if call.target is None and call.function == Operator.CONDITIONAL:
        return (BOOL,) if position == 0 else expected
    if call.target is None and not call.function.isidentifier():
        return _operand(typed, call, position)
    function = declared_function(typed, call)
    if function is None:
        return ()
    fitting = fitting_overloads(typed, call, function, position)
    parameters = (parameter for _, types in fitting for parameter in types[position : position + 1])
    return tuple(dict.fromkeys(each for parameter in parameters for each in _usable(parameter)))


def _operand(typed: TypedExpression, call: ast.Call, position: int) -> tuple[Type, ...]:
    if len(call.arguments) != 2:
        return ()
    other = typed.type_of(call.arguments[1 - position])
    if call.function in ast.INDICES:
        if position == 0:
            return ()
        other = unwrapped(other)
        return (INT,) if other.kind is Kind.LIST else other.parameters[:1]
    if call.function == Operator.IN:
        return (list_type(other),) if position else other.parameters[:1]
    return (other,)


def declared_function(typed: TypedExpression, call: ast.Call) -> FunctionDeclaration | None:
    """Return the function that a call means, also one in a namespace (`lists.range`)."""
    if isinstance(call.target, ast.Identifier):
        namespaced = typed.environment.find_function(f"{call.target.name}.{call.function}")
        if namespaced:
            return namespaced
    return typed.environment.find_function(call.function)


def fitting_overloads(
    typed: TypedExpression, call: ast.Call, function: FunctionDeclaration, position: int
) -> tuple[tuple[Overload, tuple[Type, ...]], ...]:
    """Return the overloads that take the receiver and the arguments before a position.

    Each comes with the types of its arguments, type parameters replaced where previous arguments determine them.
    """
    is_method = call.target is not None and "." not in function.name
    given = [typed.type_of(call.target)] if call.target is not None and is_method else []
    given += [typed.type_of(argument) for argument in call.arguments[:position]]
    return _fitting(function, tuple(given), is_method)


@lru_cache(maxsize=256)  # the same calls occur all over a definition
def _fitting(
    function: FunctionDeclaration, given: tuple[Type, ...], is_method: bool
) -> tuple[tuple[Overload, tuple[Type, ...]], ...]:
    found = []
    for overload in function.overloads:
        variables = TypeVariables()
        taken = overload.parameters[: len(given)]
        if overload.is_member is is_method and variables.assign_all(given[: len(taken)], taken):
            parameters = overload.parameters[is_method:]
            found.append((overload, tuple(variables.substitute(parameter) for parameter in parameters)))
    return tuple(found)
