"""Schedules of CronJobs: what keeps the controller from reading them.

Source: github.com/robfig/cron/v3, parser.go and spec.go.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from kro_ls.golang.quoting import go_quoted


class _Field(Struct, frozen=True):
    """One of the five fields of a schedule: its bounds, and names for numbers."""

    least: int
    most: int
    names: tuple[str, ...] = ()
    first: int = 0
    """The number of the first name."""


_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS: Final = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_FIELDS: Final = (_Field(0, 59), _Field(0, 23), _Field(1, 31), _Field(1, 12, _MONTHS, 1), _Field(0, 6, _DAYS))
_DESCRIPTORS: Final = frozenset(
    f"@{each}" for each in ("yearly", "annually", "monthly", "weekly", "daily", "midnight", "hourly")
)
_NUMBER: Final = re.compile("[+-]?[0-9]+")


class _UnreadableError(Exception):
    """Says what is wrong with a schedule."""


def schedule_problem(text: str) -> str:
    """Return why a schedule cannot be read; empty where it can."""
    if text.startswith("@"):
        known = text in _DESCRIPTORS or text.startswith("@every ")
        return "" if known else f"unrecognized descriptor: {text}"
    fields = text.split()
    if len(fields) != len(_FIELDS):
        return f"expected exactly {len(_FIELDS)} fields, found {len(fields)}: [{' '.join(fields)}]"
    try:
        for written, field in zip(fields, _FIELDS, strict=True):
            for each in written.split(","):
                if each:
                    _read(each, field)
    except _UnreadableError as failed:
        return str(failed)
    return ""


def _read(text: str, field: _Field) -> None:
    span, *steps = text.split("/")
    ends = span.split("-")
    if ends[0] in ("*", "?"):
        start, end = field.least, field.most
    else:
        start = _number(ends[0], field)
        if len(ends) > 2:
            raise _UnreadableError(f"too many hyphens: {text}")
        end = _number(ends[1], field) if len(ends) > 1 else start
    if len(steps) > 1:
        raise _UnreadableError(f"too many slashes: {text}")
    step = _integer(steps[0]) if steps else 1
    if steps and len(ends) == 1:
        end = field.most
    if start < field.least:
        raise _UnreadableError(f"beginning of range ({start}) below minimum ({field.least}): {text}")
    if end > field.most:
        raise _UnreadableError(f"end of range ({end}) above maximum ({field.most}): {text}")
    if start > end:
        raise _UnreadableError(f"beginning of range ({start}) beyond end of range ({end}): {text}")
    if step == 0:
        raise _UnreadableError(f"step of range should be a positive number: {text}")


def _number(text: str, field: _Field) -> int:
    name = text.lower()
    return field.names.index(name) + field.first if name in field.names else _integer(text)


def _integer(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise _UnreadableError(
            f"failed to parse int from {text}: strconv.Atoi: parsing {go_quoted(text)}: invalid syntax"
        )
    number = int(text)
    if number < 0:
        raise _UnreadableError(f"negative number ({number}) not allowed: {text}")
    return number
