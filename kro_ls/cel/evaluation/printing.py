"""Values as text: as Go prints them in messages, as JSON, and as the clauses of `'...'.format([...])` print them.

JSON has sorted keys, no spaces, and escapes for characters of HTML. Source of the clauses: cel-go
`ext/formatting_v2.go`.
"""

from __future__ import annotations

import math
import re
from heapq import merge
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from kro_ls.cel.evaluation.costs import ELEMENT, Budget, of_sort, of_text
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
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any


_UNITS = ((3600 * 10**9, "h"), (60 * 10**9, "m"))


def joined(separator: str, parts: list[str], budget: Budget) -> str:
    """Return the parts with the separator between them, and charge for the text."""
    length = sum(map(len, parts)) + len(separator) * len(parts)
    budget.spend_text(length, is_ascii=separator.isascii() and all(map(str.isascii, parts)))
    return separator.join(parts)


def go_text(value: Value) -> str:
    """Return a value as Go's `%v` prints it, at most a line of it."""
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return go_float(value)
        case str():
            return value[:200]
        case int():
            return str(int(value))
        case None:
            return "null"
        case bytes():
            return f"[{' '.join(map(str, value[:50]))}]"
        case Duration():
            return go_duration(value)
        case Timestamp():
            return rfc3339(value)
        case _:
            return f"{type_name(value)} value"


def go_float(value: float, smallest: int = -4, exponent_from: int = 6) -> str:
    """Return the shortest text of a double as Go's `%g` does: `1.5`, `1e+06`.

    It has an exponent, of two digits or more, from ten to the power `exponent_from` on and below that of `smallest`.
    """
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    if math.isnan(value):
        return "NaN"
    sign, digits, exponent = decimal_digits(value)
    if digits == "0":
        return f"{sign}0"
    if exponent < smallest or exponent >= exponent_from:
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent):02}"
    return sign + positional(digits, exponent)


def positional(digits: str, exponent: int) -> str:
    """Return digits with the decimal point after the first one moved right by `exponent`."""
    if exponent < 0:
        return f"0.{'0' * (-exponent - 1)}{digits}"
    whole, fraction = digits[: exponent + 1].ljust(exponent + 1, "0"), digits[exponent + 1 :]
    return f"{whole}.{fraction}" if fraction else whole


def decimal_digits(value: float) -> tuple[str, str, int]:
    """Return sign, shortest significant digits and the exponent of the first digit of a finite double."""
    match = re.fullmatch(r"(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?", repr(value))
    if match is None:
        raise ValueError(f"not a finite double: {value}")
    sign, whole, fraction, power = match[1], match[2], match[3] or "", int(match[4] or 0)
    exponent = power + len(whole) - 1
    digits = whole + fraction
    stripped = digits.lstrip("0")
    if not stripped:
        return sign, "0", 0
    exponent -= len(digits) - len(stripped)
    return sign, stripped.rstrip("0"), exponent


def shortest_decimal(value: float) -> str:
    """Return the shortest text of a double without exponent, Go's `FormatFloat(value, 'f', -1, 64)`."""
    if not math.isfinite(value):
        return go_float(value)
    sign, digits, exponent = decimal_digits(value)
    return sign + positional(digits, exponent)


def go_duration(value: Duration) -> str:
    """Return a duration as Go prints it: `1h30m0s`, `1.5s`, `20ms`, `0s`."""
    total = abs(value.nanoseconds)
    sign = "-" if value.nanoseconds < 0 else ""
    if total == 0:
        return "0s"
    if total < 10**9:
        for size, unit in ((10**6, "ms"), (10**3, "µs"), (1, "ns")):
            if total >= size:
                return f"{sign}{_fraction(total, size)}{unit}"
    text = ""
    for size, unit in _UNITS:
        if total >= size or text:
            text += f"{total // size}{unit}"
            total %= size
    return f"{sign}{text}{_fraction(total, 10**9)}s"


def _fraction(amount: int, unit: int) -> str:
    whole, rest = divmod(amount, unit)
    if not rest:
        return str(whole)
    return f"{whole}.{str(rest).rjust(len(str(unit)) - 1, '0').rstrip('0')}"


def duration_seconds(value: Duration) -> str:
    """Return a duration as seconds, rounded to a double as cel-go does: `5400s`, `0.001s`."""
    sign = -1 if value.nanoseconds < 0 else 1
    whole, rest = divmod(abs(value.nanoseconds), 10**9)
    return f"{shortest_decimal(sign * (float(whole) + rest / 1e9))}s"


def rfc3339(value: Timestamp, *, in_utc: bool = False, with_fraction: bool = True) -> str:
    """Return a timestamp as RFC 3339 text in the zone it was written in, with as many decimals as it needs."""
    offset = 0 if in_utc else value.offset
    seconds, nanoseconds = divmod(value.nanoseconds, 10**9)
    date = civil(seconds + offset)
    fraction = f".{nanoseconds:09}".rstrip("0") if nanoseconds and with_fraction else ""
    zone = f"{'-' if offset < 0 else '+'}{abs(offset) // 3600:02}:{abs(offset) // 60 % 60:02}" if offset else "Z"
    return (
        f"{date['year']:04}-{date['month']:02}-{date['day']:02}"
        f"T{date['hour']:02}:{date['minute']:02}:{date['second']:02}{fraction}{zone}"
    )


def civil(seconds: int) -> Mapping[str, int]:
    """Return the parts of a date and time given as seconds since 1970, in the Gregorian calendar, any year."""
    days, rest = divmod(seconds, 86400)
    # Years are counted from March, so that the leap day is the last: 400 years have 146097 days.
    era, day_of_era = divmod(days + 719468, 146097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36524 - day_of_era // 146096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    month = (5 * day_of_year + 2) // 153
    return {
        "year": year_of_era + era * 400 + (month >= 10),
        "month": month + 3 if month < 10 else month - 9,
        "day": day_of_year - (153 * month + 2) // 5 + 1,
        "hour": rest // 3600,
        "minute": rest // 60 % 60,
        "second": rest % 60,
        "weekday": (days + 4) % 7,
    }


T = TypeVar("T", bound="Any")

_PIECE: Final = 20_000


def in_order(elements: Iterable[T]) -> list[T]:
    """Return the elements, smallest first. Other threads can run meanwhile: sorting one long list blocks them."""
    every = list(elements)
    if len(every) <= _PIECE:
        return sorted(every)
    return list(merge(*(sorted(every[start : start + _PIECE]) for start in range(0, len(every), _PIECE))))


Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_ESCAPED = {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
_NUMBER: Final = 40
"""The steps of writing a double."""


def write_json(value: object, budget: Budget) -> str:
    """Return the text. Raises ValueError for what JSON cannot hold, such as NaN, and BudgetError."""
    budget.spend(ELEMENT)
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            budget.spend(_NUMBER)
            return _number(value)
        case str():
            return _string(value, budget)
        case list():
            return f"[{joined(',', [write_json(each, budget) for each in value], budget)}]"
        case dict():
            budget.spend(of_sort(len(value)))
            entries = [f"{_string(key, budget)}:{write_json(value[key], budget)}" for key in in_order(value)]
            return f"{{{joined(',', entries, budget)}}}"
        case _:
            raise ValueError(f"json: unsupported value: {value}")


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError(f"json: unsupported value: {go_float(value)}")
    if value == 0:
        return "-0" if math.copysign(1, value) < 0 else "0"
    text = go_float(value, smallest=-6, exponent_from=21)
    return re.sub(r"e-0(\d)$", r"e-\1", text)


def _string(text: str, budget: Budget) -> str:
    budget.spend(4 * of_text(len(text)))
    written = encode_basestring(text)
    for character, escape in _ESCAPED.items():
        written = written.replace(character, escape)
    budget.spend_text(len(written), is_ascii=written.isascii())
    return written


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
