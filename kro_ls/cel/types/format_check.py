"""The check of `'...'.format([...])` with literal string and list, after type checking (cel-go `ext/formatting_v2.go`).

Only the kind of a value counts, not what a list or map holds, unless it is a literal too; dyn passes everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.cel.syntax.ast import Call, Hole, ListLiteral, Literal, LiteralKind, MapLiteral, Node
from kro_ls.cel.types.types import Kind
from kro_ls.golang.quoting import utf8

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.cel.syntax.ast import Span
    from kro_ls.cel.types.types import Type

_MAX_PRECISION = 100
_MAX_INT = 2**63 - 1
_INT_DIGITS = len(str(_MAX_INT))
_UNKNOWN = frozenset({Kind.DYN, Kind.ERROR})
_NUMBERS = frozenset({Kind.INT, Kind.UINT, Kind.DOUBLE})
_ANY_VALUE = frozenset(
    {
        *(Kind.LIST, Kind.MAP, Kind.INT, Kind.UINT, Kind.DOUBLE, Kind.BOOL, Kind.STRING, Kind.TIMESTAMP, Kind.BYTES),
        *(Kind.DURATION, Kind.TYPE, Kind.NULL),
    }
)

CLAUSES: Final[Mapping[str, tuple[frozenset[Kind], str]]] = {
    "s": (
        _ANY_VALUE,
        (
            "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, "
            "and timestamps"
        ),
    ),
    "d": (_NUMBERS, "decimal clause can only be used on ints, uints, and doubles"),
    "f": (_NUMBERS, "fixed-point clause can only be used on ints, uints, and doubles"),
    "e": (_NUMBERS, "scientific clause can only be used on ints, uints, and doubles"),
    "b": (frozenset({Kind.BOOL, Kind.INT, Kind.UINT}), "only ints, uints, and bools can be formatted as binary"),
    "x": (
        frozenset({Kind.INT, Kind.UINT, Kind.STRING, Kind.BYTES}),
        "only ints, uints, bytes, and strings can be formatted as hex",
    ),
    "o": (frozenset({Kind.INT, Kind.UINT}), "octal clause can only be used on ints and uints"),
}
"""By letter: the kinds of value the clause prints, and what is said of others. `X` is `x`."""


def format_problem(call: Call, types: Mapping[Node, Type]) -> tuple[str, Node, Span] | None:
    """Return the first error of the call: its message, the node that is wrong, and the span to mark.

    None if there is none, and unless string and list are complete literals.
    """
    target = call.target
    if not isinstance(target, Literal) or target.kind is not LiteralKind.STRING or len(call.arguments) != 1:
        return None
    values = call.arguments[0]
    if not isinstance(values, ListLiteral) or any(isinstance(value, Hole) for value in values.elements):
        return None
    problem = _first_problem(str(target.value), values.elements, types)
    if problem is None:
        return None
    message, wrong = problem
    marked = wrong or target
    return message, wrong or call, (marked.start, marked.end)


def _first_problem(text: str, values: tuple[Node, ...], types: Mapping[Node, Type]) -> tuple[str, Node | None] | None:
    offset = used = 0
    while (offset := text.find("%", offset)) >= 0:
        if text.startswith("%%", offset):
            offset += 2
            continue
        if offset + 1 == len(text):
            return "unexpected end of string", None
        if used == len(values):
            return f"index {used} out of range", None
        offset, clause, error = read_clause(text, offset + 1)
        if error:
            return f"could not parse formatting clause: {error}", None
        wrong = _find_unprintable(values[used], clause, types)
        if wrong is not None:
            return f"error during formatting: {CLAUSES[clause][1]}, was given {types[wrong].name}", wrong
        used += 1
    if len(values) > used:
        return f"too many arguments supplied to string.format (expected {used}, got {len(values)})", None
    return None


def read_clause(text: str, offset: int) -> tuple[int, str, str]:
    """Read `.2f` or `s` at the offset; return the offset after it, the letter of the clause, and an error or ""."""
    if text[offset] == ".":
        offset += 1
        start = offset
        while offset < len(text) and text[offset] in "0123456789":
            offset += 1
        digits = text[start:offset]
        error = _precision_error(digits, at_end=offset == len(text))
        if error:
            return offset, "", f"error while parsing precision: {error}"
    letter = text[offset].replace("X", "x")
    if letter in CLAUSES:
        return offset + 1, letter, ""
    first_byte = chr(utf8(letter)[0])
    return offset, "", f'unrecognized formatting clause "{first_byte}"'


def _precision_error(digits: str, *, at_end: bool) -> str:
    if at_end:
        return "could not find end of precision specifier"
    if not digits:
        return 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax'
    significant = digits.lstrip("0") or "0"
    if len(significant) > _INT_DIGITS or int(significant) > _MAX_INT:
        return f'error while converting precision to integer: strconv.Atoi: parsing "{digits}": value out of range'
    if int(significant) > _MAX_PRECISION:
        return f"precision {significant} exceeds maximum allowed precision {_MAX_PRECISION}"
    return ""


def _find_unprintable(value: Node, clause: str, types: Mapping[Node, Type]) -> Node | None:
    """Return the value, or for `%s` the part of a literal list or map, that the clause cannot print."""
    type_ = types[value]
    if type_.kind not in _UNKNOWN and type_.kind not in CLAUSES[clause][0]:
        return value
    if clause != "s":
        return None
    parts: tuple[Node, ...] = ()
    if isinstance(value, ListLiteral):
        parts = value.elements
    elif isinstance(value, MapLiteral):
        parts = tuple(part for entry in value.entries for part in (entry.key, entry.value))
    return next((wrong for part in parts if (wrong := _find_unprintable(part, clause, types)) is not None), None)
