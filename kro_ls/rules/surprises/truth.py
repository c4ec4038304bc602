"""Whether a condition always gives the same answer, by the values that schemas and functions allow its parts."""

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
from kro_ls.rules.types.typed import root_name
from kro_ls.spelling import listed

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.scope import TypedScope
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.cel.syntax.ast import Node


Constant: TypeAlias = str | int | float

_COUNTS = {"size": 0, "indexOf": -1, "lastIndexOf": -1}
"""Functions whose result is a whole number, with the smallest result."""


class Possible(Struct, frozen=True):
    """The possible values, or None and the bounds of a number. `source` names what they come from."""

    values: frozenset[Constant] | None = None
    least: float | None = None
    most: float | None = None
    source: str = ""


def possible(node: Node, checked: CheckedExpression, schemas: SchemaTypes) -> Possible | None:
    """Return the possible values of a node, None if nothing is known."""
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


def schemas_of(part: Resource | SchemaSection, scope: TypedScope, place: Place) -> SchemaTypes:
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
    """Return the constant answer of a comparison, None if it depends on the values."""
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


_EQUALITY = (ast.Operator.EQUALS, ast.Operator.NOT_EQUALS)
_ORDER = (ast.Operator.LESS, ast.Operator.LESS_EQUALS, ast.Operator.GREATER, ast.Operator.GREATER_EQUALS)
COMPARISONS = frozenset({ast.Operator.IN, *_EQUALITY, *_ORDER})
"""The operators that compare two values."""
_MOST_SHOWN = 8


class Verdict(Struct, frozen=True):
    """The constant answer of a comparison, the node to mark, and the reason."""

    answer: bool
    node: Node
    reason: str


class Comparisons:
    """Judges the comparisons of one expression."""

    def __init__(self, checked: CheckedExpression, schemas: SchemaTypes, resource_ids: frozenset[str]) -> None:
        self._checked = checked
        self._schemas = schemas
        self._objects = resource_ids | {"schema"}

    def verdict(self, node: Node) -> Verdict | None:
        """Return the verdict on a comparison; None for other nodes, and if the answer depends on values."""
        if not isinstance(node, ast.Call) or node.target is not None or len(node.arguments) != 2:
            return None
        left, right = node.arguments
        if node.function == ast.Operator.IN:
            return self._membership(left, right)
        if node.function in _EQUALITY:
            with_null = self._with_null(node, left, right) or self._with_null(node, right, left)
            if with_null:
                return with_null
        if node.function in (*_EQUALITY, *_ORDER):
            return self._by_values(node, left, right)
        return None

    def answer(self, node: Node) -> bool | None:
        """Return the constant answer of a condition, None if it depends on values."""
        match node:
            case ast.Literal(value=bool() as value):
                return value
            case ast.Call(function=ast.Operator.NOT, target=None, arguments=(operand,)):
                inner = self.answer(operand)
                return None if inner is None else not inner
            case ast.Call(function=(ast.Operator.AND | ast.Operator.OR), target=None, arguments=(left, right)):
                deciding = node.function == ast.Operator.OR
                answers = (self.answer(left), self.answer(right))
                return deciding if deciding in answers else None if None in answers else not deciding
        found = self.verdict(node)
        return found.answer if found else None

    def _by_values(self, node: ast.Call, left: Node, right: Node) -> Verdict | None:
        known = [possible(each, self._checked, self._schemas) for each in (left, right)]
        if known[0] is None or known[1] is None or not (known[0].source or known[1].source):
            return None
        answer = compare(node.function, known[0], known[1])
        if answer is None:
            return None
        constant = next((each for each in (right, left) if isinstance(each, ast.Literal)), node)
        shown = known[0] if known[0].source else known[1]
        return Verdict(answer, constant, _describe(shown))

    def _membership(self, item: Node, container: Node) -> Verdict | None:
        known = possible(item, self._checked, self._schemas)
        if not isinstance(container, ast.ListLiteral) or container.optional_indices or not container.elements:
            return None
        elements = [possible(each, self._checked, self._schemas) for each in container.elements]
        if known is None or known.values is None or not known.source:
            return None
        values = [each.values for each in elements if each and each.values is not None and not each.source]
        if len(values) < len(elements) or any(known.values & each for each in values):
            return None
        return Verdict(False, container, _describe(known))

    def _with_null(self, node: ast.Call, left: Node, right: Node) -> Verdict | None:
        """Judge a comparison with null: neither an optional nor an object that was read is ever null."""
        if not isinstance(right, ast.Literal) or right.kind is not ast.LiteralKind.NULL:
            return None
        answer = node.function == ast.Operator.NOT_EQUALS
        type_ = self._checked.result.types.get(left)
        if type_ is None:
            return None
        if type_.is_optional:
            return Verdict(answer, right, "an optional is never null, ask with 'hasValue()'")
        if self._checked.expression.place is Place.READY_WHEN or type_.kind not in (Kind.STRUCT, Kind.TIMESTAMP):
            return None
        if isinstance(left, ast.Select) and root_name(left) in self._objects:
            schema = field_schema(left, self._checked, self._schemas)
            if schema is not None and not schema.nullable:
                return Verdict(answer, right, "a field that is null counts as missing, ask with 'has()'")
        return None

    def outside(self, node: Node) -> tuple[tuple[Node, str], ...]:
        """Return the elements of a list literal that never equal the value looked for in it, with the reason."""
        if not isinstance(node, ast.Call) or node.function != ast.Operator.IN or len(node.arguments) != 2:
            return ()
        item, container = node.arguments
        known = possible(item, self._checked, self._schemas)
        if known is None or known.values is None or not known.source or not isinstance(container, ast.ListLiteral):
            return ()
        reason = _describe(known)
        return tuple(
            (each, reason)
            for each in container.elements
            if isinstance(each, ast.Literal) and isinstance(each.value, str | int) and each.value not in known.values
        )


def _describe(known: Possible) -> str:
    if known.values is not None:
        values: list[Constant] = sorted(known.values, key=lambda value: (isinstance(value, str), value))
        more = "" if len(values) <= _MOST_SHOWN else f" and {len(values) - _MOST_SHOWN} more"
        return f"{known.source} can only be {listed(map(str, values[:_MOST_SHOWN]))}{more}"
    limits = [
        *([f"at least {known.least:g}"] if known.least is not None else []),
        *([f"at most {known.most:g}"] if known.most is not None else []),
    ]
    return f"{known.source} is {' and '.join(limits)}"
