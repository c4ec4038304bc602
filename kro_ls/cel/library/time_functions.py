"""Timestamps and durations: reading them, and their parts in a time zone (cel-go `common/types/timestamp.go`)."""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from kro_ls.cel.evaluation import operators
from kro_ls.cel.evaluation.costs import READING, Cost
from kro_ls.cel.evaluation.printing import civil
from kro_ls.cel.evaluation.values import MAX_INT, Duration, EvaluationError, Timestamp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kro_ls.cel.evaluation.costs import Budget

_RFC3339 = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:(Z)|([+-])(\d\d):(\d\d))", re.ASCII)
_DURATION = re.compile(r"([0-9]*)(?:(\.)([0-9]*))?(h|ms|m|s|us|µs|μs|ns)")
_UNITS: Final = {"h": 3600 * 10**9, "m": 60 * 10**9, "s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
_LONGEST_DURATION_TEXT: Final = 1000
_OFFSET = re.compile(r"([+-]?)(\d+):(\d+)", re.ASCII)
_MOST_DIGITS: Final = 20
_ZONE_NAME = re.compile(r"[A-Za-z0-9_+-]{1,32}(?:/[A-Za-z0-9_+-]{1,32}){0,2}|")
_NEW_ZONE: Final = 2_000
"""The steps of looking for a time zone in the files of the system."""


def parse_timestamp(text: str) -> Timestamp:
    """Read RFC 3339 text. Raises EvaluationError for other text and for years outside of 1 to 9999."""
    match = _RFC3339.fullmatch(text)
    if match is None:
        raise _invalid(text)
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    sign = -1 if match[9] == "-" else 1
    offset_hours, offset_minutes = int(match[10] or 0), int(match[11] or 0)
    if hour > 23 or minute > 59 or second > 59 or offset_hours > 24 or offset_minutes > 59:
        raise _invalid(text)
    offset = sign * (offset_hours * 3600 + offset_minutes * 60)
    try:
        # The year 0 has the same days as the year 400.
        days = date(year or 400, month, day).toordinal() - (0 if year else 146097)
    except ValueError:
        raise _invalid(text) from None
    seconds = (days - date(1970, 1, 1).toordinal()) * 86400 + hour * 3600 + minute * 60 + second - offset
    return operators.timestamp(seconds * 10**9 + int((match[7] or "").ljust(9, "0")[:9]), offset)


def _invalid(text: str) -> EvaluationError:
    return EvaluationError(f'invalid RFC 3339 timestamp "{text[:100]}"')


def _timestamp_of_int(seconds: int) -> Timestamp:
    return operators.timestamp(seconds * 10**9)


def parse_duration(text: str) -> Duration:
    """Read what Go's ParseDuration reads. Raises EvaluationError for other text."""
    unsigned = text[1:] if text[:1] in {"+", "-"} else text
    total = 0
    position = 0
    if len(unsigned) > _LONGEST_DURATION_TEXT:
        raise _no_duration()
    if unsigned != "0":
        while position < len(unsigned) or position == 0:
            match = _DURATION.match(unsigned, position)
            if match is None or not (match[1] or match[3]):
                raise _no_duration()
            total += _amount(match)
            position = match.end()
    signed = -total if text.startswith("-") else total
    if total > MAX_INT + (signed < 0):
        raise _no_duration()
    return Duration(signed)


def _amount(match: re.Match[str]) -> int:
    unit = _UNITS[match[4].replace("µ", "u").replace("μ", "u")]
    # Go reads as many decimals as fit into 63 bits and multiplies as doubles.
    digits = match[3] or ""
    fraction = 0
    scale = 1.0
    for digit in digits:
        if fraction * 10 + int(digit) > MAX_INT:
            break
        fraction = fraction * 10 + int(digit)
        scale *= 10
    return int(match[1] or 0) * unit + (int(fraction * (unit / scale)) if digits else 0)


def _no_duration() -> EvaluationError:
    return EvaluationError("type conversion error from 'string' to 'google.protobuf.Duration'")


def _zone_offset(budget: Budget, zone: str, value: Timestamp) -> int:
    """Return the seconds that the zone is ahead of UTC at that time."""
    if ":" in zone:
        return _numeric_offset(zone)
    named = None
    if _ZONE_NAME.fullmatch(zone):
        named = budget.cached(("zone", zone), lambda: _named_zone(zone), _NEW_ZONE)
    if named is None:
        raise EvaluationError(f"unknown time zone {zone[:100]}")
    try:
        offset = datetime.fromtimestamp(value.nanoseconds // 10**9, tz=named).utcoffset()
    except (ValueError, OverflowError):
        # At the very ends of the calendar.
        return 0
    return round(offset.total_seconds()) if offset is not None else 0


@lru_cache(maxsize=256)  # reads a file of the system
def _named_zone(zone: str) -> ZoneInfo | None:
    try:
        return ZoneInfo("UTC" if zone in {"", "Local"} else zone)
    except (KeyError, ValueError, OSError):
        return None


def _numeric_offset(zone: str) -> int:
    match = _OFFSET.fullmatch(zone)
    if match is None or len(zone) > _MOST_DIGITS:
        raise EvaluationError(f"unknown time zone {zone[:100]}")
    hours, minutes = int(match[2]), int(match[3])
    if hours > 23:
        raise EvaluationError(f"timezone offset hours out of range [-23, 23]: {zone}")
    if minutes > 59:
        raise EvaluationError(f"timezone offset minutes out of range [0, 59]: {zone}")
    return (-1 if match[1] == "-" else 1) * (hours * 3600 + minutes * 60)


def _parts(budget: Budget, value: Timestamp, zone: str | None) -> Mapping[str, int]:
    offset = 0 if zone is None else _zone_offset(budget, zone, value)
    return civil(value.nanoseconds // 10**9 + offset)


def _day_of_year(parts: Mapping[str, int]) -> int:
    # A year outside of Python's calendar can only be reached by a time zone, and is one with the same leap day.
    year = parts["year"] if 1 <= parts["year"] <= 9999 else parts["year"] % 400 + 400
    return date(year, parts["month"], parts["day"]).toordinal() - date(year, 1, 1).toordinal()


def _accessor(id_: str, part: Callable[[Mapping[str, int]], int], zone_suffix: str) -> dict[str, Callable[..., int]]:
    return {
        f"timestamp_to_{id_}": lambda budget, value: part(_parts(budget, value, None)),
        f"timestamp_to_{id_}{zone_suffix}": lambda budget, value, zone: part(_parts(budget, value, zone)),
    }


def _milliseconds(budget: Budget, value: Timestamp, zone: str | None = None) -> int:
    if zone is not None:
        _zone_offset(budget, zone, value)
    return value.nanoseconds % 10**9 // 10**6


def _whole(unit: int) -> Callable[[Duration], int]:
    return lambda value: abs(value.nanoseconds) // unit * (-1 if value.nanoseconds < 0 else 1)


_CONVERSIONS = frozenset({"timestamp_to_timestamp"})
IMPLEMENTATIONS: Mapping[str, Callable[..., object]] = {
    "duration_to_duration": lambda value: value,
    "string_to_duration": parse_duration,
    "timestamp_to_timestamp": lambda value: value,
    "int64_to_timestamp": _timestamp_of_int,
    "string_to_timestamp": parse_timestamp,
    **_accessor("year", lambda parts: parts["year"], "_with_tz"),
    **_accessor("month", lambda parts: parts["month"] - 1, "_with_tz"),
    **_accessor("day_of_year", _day_of_year, "_with_tz"),
    **_accessor("day_of_month", lambda parts: parts["day"] - 1, "_with_tz"),
    **_accessor("day_of_month_1_based", lambda parts: parts["day"], "_with_tz"),
    **_accessor("day_of_week", lambda parts: parts["weekday"], "_with_tz"),
    **_accessor("hours", lambda parts: parts["hour"], "_with_tz"),
    **_accessor("minutes", lambda parts: parts["minute"], "_with_tz"),
    **_accessor("seconds", lambda parts: parts["second"], "_tz"),
    "timestamp_to_milliseconds": _milliseconds,
    "timestamp_to_milliseconds_with_tz": _milliseconds,
    "duration_to_hours": _whole(3600 * 10**9),
    "duration_to_minutes": _whole(60 * 10**9),
    "duration_to_seconds": _whole(10**9),
    "duration_to_milliseconds": _whole(10**6),
}
BUDGETED = frozenset(id_ for id_ in IMPLEMENTATIONS if id_.startswith("timestamp_to_") and id_ not in _CONVERSIONS)
COSTS = {
    **dict.fromkeys(IMPLEMENTATIONS, Cost(20)),
    **dict.fromkeys((id_ for id_ in IMPLEMENTATIONS if id_.endswith(("_with_tz", "_tz"))), READING),
    **dict.fromkeys(("string_to_duration", "string_to_timestamp"), READING),
}
