"""Whether a condition has the same answer for every object, as far as types and schemas tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cel.syntax import ast
from kro_ls.cel.types.types import Kind
from kro_ls.kro.places import Place
from kro_ls.rules.surprises.possible_values import compare, field_schema, possible
from kro_ls.rules.types.typed import root_name
from kro_ls.spelling import listed

if TYPE_CHECKING:
    from kro_ls.analysis.types.checking import CheckedExpression
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.openapi.cel_types import SchemaTypes
    from kro_ls.rules.surprises.possible_values import Constant, Possible

_EQUALITY = (ast.Operator.EQUALS, ast.Operator.NOT_EQUALS)
_ORDER = (ast.Operator.LESS, ast.Operator.LESS_EQUALS, ast.Operator.GREATER, ast.Operator.GREATER_EQUALS)
COMPARISONS = frozenset({ast.Operator.IN, *_EQUALITY, *_ORDER})
"""The operators that compare two values."""
_MOST_SHOWN = 8


class Verdict(Struct, frozen=True):
    """What a comparison always gives, where that shows, and why."""

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
        """Return the verdict on one comparison, None for anything else and for what depends on values."""
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
        """Return what a condition always gives, None where it depends on values."""
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
        """Return the elements of a written list that the value looked for in it can never be."""
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
