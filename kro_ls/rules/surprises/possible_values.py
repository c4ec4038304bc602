"""What a part of an expression can be at run time, as far as schemas and functions tell: some values, or a range."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.analysis.types.variables import item_binding
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.identifiers import field_name
from kro_ls.cel.types.types import Kind
from kro_ls.kro.places import Place
from kro_ls.openapi.cel_types import SchemaRoot, SchemaTypes
from kro_ls.openapi.schema import Schema

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.cel.syntax.ast import Node

Constant: TypeAlias = str | int | float

_COUNTS = {"size": 0, "indexOf": -1, "lastIndexOf": -1}
"""Functions that give a whole number, and the smallest they give."""


class Possible(Struct, frozen=True):
    """The values that are possible, or None and the bounds of the numbers; `source` names where that comes from."""

    values: frozenset[Constant] | None = None
    least: float | None = None
    most: float | None = None
    source: str = ""


def possible(node: Node, checked: CheckedExpression, schemas: SchemaTypes) -> Possible | None:
    """Return what a node can be, None where nothing is known."""
    match node:
        case ast.Literal(value=str() | int() | float() as value) if not isinstance(value, bool):
            return Possible(frozenset({value}))
        case ast.Select(test_only=False):
            schema = field_schema(node, checked, schemas)
            return _of_schema(schema, node.field) if schema else None
        case ast.Call(function="orValue", target=target, arguments=(otherwise,)) if target is not None:
            return _union(possible(target, checked, schemas), possible(otherwise, checked, schemas))
        case ast.Call(function=ast.Operator.CONDITIONAL, target=None, arguments=(_, then, otherwise)):
            return _union(possible(then, checked, schemas), possible(otherwise, checked, schemas))
        case ast.Call() if node.function in _COUNTS and checked.result.types[node].kind is Kind.INT:
            return Possible(None, _COUNTS[node.function], None, f"{node.function}()")
    return None


def schemas_of(part: Resource | SchemaSection, scope: Scope, place: Place) -> SchemaTypes:
    """Return the schemas of the names that an expression in a place of a part can use."""
    roots = [binding for _, binding in scope.bindings.items() if isinstance(binding, SchemaRoot)]
    if place is Place.READY_WHEN and isinstance(part, Resource) and part.type is ResourceType.COLLECTION:
        each = item_binding("each", scope.kind.schema if scope.kind else None)
        roots += [each] if isinstance(each, SchemaRoot) else []
    return SchemaTypes(roots)


def field_schema(node: ast.Select, checked: CheckedExpression, schemas: SchemaTypes) -> Schema | None:
    """Return the schema of a selected field, also through an optional, None where the value before the dot has none."""
    owner = checked.result.types.get(node.operand)
    while owner is not None and owner.is_optional:
        owner = owner.parameters[0]
    if owner is None or owner.kind is not Kind.STRUCT:
        return None
    found = schemas.find_schema(f"{owner.name}.{field_name(node.field)}")
    return None if found is None else Schema(dict(found))


def _of_schema(schema: Schema, field: str) -> Possible | None:
    if schema.nullable or schema.is_int_or_string:
        return None
    source = f"'{field}'"
    enum = schema.enum
    if enum and all(isinstance(value, str | int | float) and not isinstance(value, bool) for value in enum):
        return Possible(frozenset(value for value in enum if isinstance(value, str | int | float)), source=source)
    if schema.types in (("integer",), ("number",)):
        least, most = (schema.raw.get(name) for name in ("minimum", "maximum"))
        least = least if isinstance(least, int | float) else None
        most = most if isinstance(most, int | float) else None
        return None if least is None and most is None else Possible(None, least, most, source)
    return None


def _union(left: Possible | None, right: Possible | None) -> Possible | None:
    if left is None or right is None:
        return None
    if left.values is not None and right.values is not None:
        return Possible(left.values | right.values, source=left.source or right.source)
    bounds = [_bounds(each) for each in (left, right)]
    if bounds[0] is None or bounds[1] is None:
        return None
    (least, most), (other_least, other_most) = bounds[0], bounds[1]
    return Possible(
        None,
        None if least is None or other_least is None else min(least, other_least),
        None if most is None or other_most is None else max(most, other_most),
        left.source or right.source,
    )


def _bounds(each: Possible) -> tuple[float | None, float | None] | None:
    if each.values is None:
        return each.least, each.most
    numbers = [value for value in each.values if not isinstance(value, str)]
    return (min(numbers), max(numbers)) if numbers and len(numbers) == len(each.values) else None


def compare(function: str, left: Possible, right: Possible) -> bool | None:
    """Return what a comparison always gives, None where it depends on the values."""
    if function in (ast.Operator.EQUALS, ast.Operator.NOT_EQUALS):
        return function == ast.Operator.NOT_EQUALS if _never_equal(left, right) else None
    if function in (ast.Operator.GREATER, ast.Operator.GREATER_EQUALS):
        mirrored = {ast.Operator.GREATER: ast.Operator.LESS, ast.Operator.GREATER_EQUALS: ast.Operator.LESS_EQUALS}
        return compare(mirrored[function], right, left)
    return _is_less(left, right, or_equal=function == ast.Operator.LESS_EQUALS)


def _never_equal(left: Possible, right: Possible) -> bool:
    if left.values is not None and right.values is not None:
        return not left.values & right.values
    bounds = _bounds(left), _bounds(right)
    if bounds[0] is None or bounds[1] is None:
        return False
    (least, most), (other_least, other_most) = bounds[0], bounds[1]
    return _is_over(least, other_most) or _is_over(other_least, most)


def _is_over(least: float | None, most: float | None) -> bool:
    return least is not None and most is not None and least > most


def _is_less(left: Possible, right: Possible, *, or_equal: bool) -> bool | None:
    bounds = _bounds(left), _bounds(right)
    if bounds[0] is None or bounds[1] is None:
        return None
    (least, most), (other_least, other_most) = bounds[0], bounds[1]
    if most is not None and other_least is not None and (most < other_least or (or_equal and most == other_least)):
        return True
    if least is not None and other_most is not None and (least > other_most or (not or_equal and least == other_most)):
        return False
    return None
