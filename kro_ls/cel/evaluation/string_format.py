"""`'...'.format([...])` (cel-go `ext/formatting_v2.go`): the clauses, and how each prints a value."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from kro_ls.cel.evaluation.costs import ELEMENT, Budget, of_sort
from kro_ls.cel.evaluation.printing import duration_seconds, in_order, joined, rfc3339, shortest_decimal
from kro_ls.cel.evaluation.values import (
    Duration,
    EvaluationError,
    Timestamp,
    TypeValue,
    Value,
    entries,
    is_list,
    is_map,
    type_name,
)
from kro_ls.cel.types.format_check import CLAUSES, read_clause
from kro_ls.golang.quoting import utf8

if TYPE_CHECKING:
    from collections.abc import Sequence

_DEFAULT_PRECISION: Final = 6
_CLAUSE: Final = 30
_DOUBLE: Final = 40
"""The steps of a clause, and of a double in a text."""


def format_string(budget: Budget, text: str, values: Sequence[Value]) -> str:
    """Return the text with its clauses filled in. Raises EvaluationError; values that are left over are ignored."""
    parts: list[str] = []
    used = offset = 0
    while (found := text.find("%", offset)) >= 0:
        budget.spend(_CLAUSE)
        parts.append(text[offset:found])
        if text.startswith("%%", found):
            parts.append("%")
            offset = found + 2
            continue
        if found + 1 == len(text):
            raise EvaluationError("unexpected end of string")
        if used >= len(values):
            raise EvaluationError(f"index {used} out of range")
        offset, clause, error = read_clause(text, found + 1)
        if error:
            raise EvaluationError(f"could not parse formatting clause: {error}")
        parts.append(_print(values[used], text[found + 1 : offset], clause, budget))
        used += 1
    return joined("", [*parts, text[offset:]], budget)


def _print(value: Value, written: str, clause: str, budget: Budget) -> str:
    precision = int(written[1:-1]) if written.startswith(".") else _DEFAULT_PRECISION
    printed: str | None
    match clause:
        case "s":
            return to_text(value, budget)
        case "d":
            printed = _decimal(value)
        case "f" | "e":
            printed = _fixed_or_scientific(value, precision, clause)
        case "b":
            printed = f"{int(value):b}" if isinstance(value, int) else None
        case "x":
            printed = _hexadecimal(value)
            printed = printed.upper() if printed is not None and written.endswith("X") else printed
        case _:
            printed = f"{int(value):o}" if isinstance(value, int) and not isinstance(value, bool) else None
    if printed is None:
        raise _wrong(clause, value)
    budget.spend_text(len(printed), is_ascii=True)
    return printed


def _wrong(clause: str, value: Value) -> EvaluationError:
    return EvaluationError(f"error during formatting: {CLAUSES[clause][1]}, was given {type_name(value)}")


def to_text(value: Value, budget: Budget) -> str:
    """Return a value as `%s` prints it. Raises EvaluationError for values without such a text."""
    budget.spend(2 * ELEMENT)
    match value:
        case str():
            budget.spend_text(len(value), is_ascii=value.isascii())
            return value
        case bool():
            return "true" if value else "false"
        case int():
            return str(int(value))
        case float():
            budget.spend(_DOUBLE)
            return _double(value)
        case None:
            return "null"
        case bytes():
            budget.spend_text(len(value), is_ascii=False)
            return value.decode(errors="replace")
        case Duration():
            return duration_seconds(value)
        case Timestamp():
            return rfc3339(value, in_utc=True)
        case TypeValue():
            return value.name
    if is_list(value):
        return f"[{joined(', ', [to_text(element, budget) for element in value], budget)}]"
    if is_map(value):
        budget.spend(of_sort(len(value)))
        pairs = in_order((to_text(key, budget), to_text(each, budget)) for key, each in entries(value))
        return f"{{{joined(', ', [f'{key}: {each}' for key, each in pairs], budget)}}}"
    raise _wrong("s", value)


def _double(value: float) -> str:
    if math.isfinite(value):
        return shortest_decimal(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _decimal(value: Value) -> str | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return _double(value) if isinstance(value, float) else str(int(value))


def _fixed_or_scientific(value: Value, precision: int, clause: str) -> str | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    number = float(value)
    return format(number, f".{precision}{clause}") if math.isfinite(number) else _double(number)


def _hexadecimal(value: Value) -> str | None:
    if isinstance(value, str):
        return utf8(value).hex()
    if isinstance(value, bytes):
        return value.hex()
    return f"{int(value):x}" if isinstance(value, int) and not isinstance(value, bool) else None
