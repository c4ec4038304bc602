"""Converts a value to a type that its place accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.analysis.types.checking import check_part
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.types import BOOL, STRING, Kind, Type, list_type
from kro_ls.kro.places import BOOL_PLACES
from kro_ls.kro.places import Place as Where
from kro_ls.repairs.literals import literal_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.repairs.place import Place
    from kro_ls.rules.diagnostics import Fix

_DEFAULTS: Final = {
    Kind.STRING: '""',
    Kind.INT: "0",
    Kind.UINT: "0u",
    Kind.DOUBLE: "0.0",
    Kind.BOOL: "false",
    Kind.LIST: "[]",
    Kind.MAP: "{}",
}
_TO_TEXT: Final = frozenset(
    {Kind.INT, Kind.UINT, Kind.DOUBLE, Kind.BOOL, Kind.TIMESTAMP, Kind.DURATION, Kind.BYTES, Kind.STRING, Kind.DYN}
)
_NUMBERS: Final = {Kind.INT: "int", Kind.UINT: "uint", Kind.DOUBLE: "double"}
_BY_NUMBER: Final = frozenset({*_NUMBERS, Kind.STRING, Kind.DYN})
_OPERATORS: Final = frozenset(vars(ast.Operator).values())


def no_overload(place: Place) -> Iterator[Fix]:
    """Yield fixes for the operands of a call: a fallback of an optional, a conversion, other quotes."""
    error = place.error
    if error is None or not isinstance(error.node, ast.Call):
        return
    node = error.node
    operands = [node.target, *node.arguments] if node.target else list(node.arguments)
    given = list(zip(operands, error.types, strict=False))
    for operand, type_ in given:
        yield from _unwrapped(place, operand, type_)
    for operand, type_ in given:
        for _, other in given:
            if other is not type_:
                yield from converted(place, operand, type_, other)
    for operand, type_ in given:
        yield from converted(place, operand, type_, STRING)
        yield from converted(place, operand, type_, BOOL)
        if type_.kind is Kind.LIST and type_.parameters[0].kind in _TO_TEXT:
            each = ".map(each, string(each))"
            yield from place.around(f"Convert each to text: {each}", operand, "", each)
        if type_.kind is Kind.LIST and node.target is operand:
            yield from place.around(f"Take the first: {place.text_of(operand)}[0]", operand, "", "[0]")
    operator = place.source(error.start, error.end)
    if len(node.arguments) == 2 and node.target is None and operator.start < operator.end:
        for kept, removed in (node.arguments, tuple(reversed(node.arguments))):
            title = f"Remove '{place.text_of(removed)}'"
            yield from place.rewritten(title, node.start, node.end, place.text_of(kept))


def _unwrapped(place: Place, operand: ast.Node, type_: Type) -> Iterator[Fix]:
    """Yield the fallbacks of an empty optional."""
    if not type_.is_optional:
        return
    inner = type_.parameters[0]
    default = _DEFAULTS.get(inner.kind, '""' if inner.is_dynamic else None)
    if default:
        call = f".orValue({default})"
        yield from place.around(f"Use {default} where it is left out: {call}", operand, *_called(operand, call))
    if isinstance(operand, ast.Select) and operand.optional:
        at = operand.position
        title = f"Read as '.{operand.field}', which is needed then"
        yield from place.rewritten(title, at, operand.field_span[0], ".")


def converted(place: Place, node: ast.Node, given: Type, wanted: Type) -> Iterator[Fix]:
    """Yield the conversions from one type to another."""
    if given.is_optional and not wanted.is_optional:
        yield from _unwrapped(place, node, given)
        return
    if isinstance(node, ast.Literal):
        text = literal_of(node.value, wanted)
        if text:
            yield from place.rewritten(f"Change to {text}", node.start, node.end, text)
    if wanted.kind is Kind.STRING and given.kind in _TO_TEXT and given.kind is not Kind.STRING:
        yield from place.around("Convert to text with string()", node, "string(", ")")
    elif wanted.kind is Kind.STRING and given.kind is Kind.LIST:
        yield from place.around('Join with .join(",")', node, *_called(node, '.join(",")'))
        yield from place.around("Take the first: [0]", node, *_called(node, "[0]"))
    elif wanted.kind in _NUMBERS and given.kind in _BY_NUMBER and given.kind is not wanted.kind:
        name = _NUMBERS[wanted.kind]
        yield from place.around(f"Convert to a number with {name}()", node, f"{name}(", ")")
    elif wanted.kind is Kind.BOOL:
        yield from truth(place, node, given)
    elif wanted.kind is Kind.LIST:
        if given.kind is Kind.MAP:
            yield from place.around("Take the keys: .map(k, k)", node, *_called(node, ".map(k, k)"))
        elif given.kind is Kind.STRING:
            yield from place.around("Write as a list: [...]", node, "[", "]")
            yield from place.around('Split with .split(",")', node, *_called(node, '.split(",")'))
        else:
            yield from place.around("Write as a list: [...]", node, "[", "]")


def truth(place: Place, node: ast.Node, given: Type) -> Iterator[Fix]:
    """Yield the conditions that may be meant by a value that is not a bool."""
    if isinstance(node, ast.Literal) and given.kind is Kind.STRING:
        value = str(node.value).lower()
        text = value if value in ("true", "false") else "true"
        yield from place.rewritten(f"Change to {text}", node.start, node.end, text)
        return
    compared = {
        Kind.STRING: ('Compare with text: != ""', ' != ""'),
        Kind.INT: ("Compare with 0: > 0", " > 0"),
        Kind.DOUBLE: ("Compare with 0: > 0.0", " > 0.0"),
        Kind.DYN: ("Compare with true: == true", " == true"),
    }.get(given.kind)
    if given.is_optional:
        yield from place.around("Ask whether it is there: .hasValue()", node, *_called(node, ".hasValue()"))
    elif given.kind is Kind.STRING:
        yield from place.around('Compare with text: != ""', node, *_compared(node, ' != ""'))
        yield from place.around('Compare with text: == "true"', node, *_compared(node, ' == "true"'))
    elif compared:
        yield from place.around(compared[0], node, *_compared(node, compared[1]))
    elif given.kind in (Kind.LIST, Kind.MAP):
        yield from place.around("Ask whether it holds something: size() > 0", node, "size(", ") > 0")
    if isinstance(node, ast.Select) and not given.is_optional:
        yield from place.around("Ask whether it is there: has()", node, "has(", ")")


def _called(node: ast.Node, call: str) -> tuple[str, str]:
    """Return the text before and after a node that calls a method on it."""
    bare = isinstance(node, ast.Identifier | ast.Select | ast.Literal | ast.ListLiteral | ast.MapLiteral)
    is_call = isinstance(node, ast.Call) and node.function not in _OPERATORS
    is_index = isinstance(node, ast.Call) and node.function in ast.INDICES
    return ("", call) if bare or is_call or is_index else ("(", f"){call}")


def _compared(node: ast.Node, comparison: str) -> tuple[str, str]:
    before, after = _called(node, "")
    return before, after + comparison


def mismatch(place: Place) -> Iterator[Fix]:
    """Yield fixes that make the result of an expression fit its field."""
    if place.typed is None or place.part is None or place.rgd is None:
        return
    part = place.part.part
    scope = place.rgd.scope(part)
    for checked in check_part(part, scope.bindings, scope.kind):
        if checked.expression is place.expression and checked.expected:
            root, given = place.typed.root, checked.result.type
            yield from converted(place, root, given, checked.expected)
            if checked.expected.kind is Kind.STRING and given.kind in (Kind.STRUCT, Kind.MAP, Kind.LIST):
                yield from place.around("Write as JSON with json.marshal()", root, "json.marshal(", ")")


def condition(place: Place) -> Iterator[Fix]:
    """Yield fixes that turn an expression into a condition, or into a list for an iterator."""
    if place.typed is None or place.expression is None:
        return
    root = place.typed.root
    if place.expression.place in BOOL_PLACES:
        yield from truth(place, root, place.typed.type_of(root))
    elif place.expression.place is Where.FOR_EACH:
        yield from converted(place, root, place.typed.type_of(root), list_type(STRING))


def type_error(place: Place) -> Iterator[Fix]:
    """Yield fixes that give an operand the type that its place in the expression expects."""
    error = place.error
    if error is not None and len(error.types) == 2 and not isinstance(error.node, ast.StructField):
        expected, actual = error.types
        yield from converted(place, error.node, actual, expected)
        if actual.kind in (Kind.STRUCT, Kind.STRING) and expected.kind is not Kind.BOOL:
            yield from place.around("Write as a list: [...]", error.node, "[", "]")
