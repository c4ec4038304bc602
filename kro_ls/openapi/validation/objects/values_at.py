"""Where the values at a pattern of a path stand in an object: `spec.ports[].port`, with `[]` for each item.

A shape is checks with the patterns of their places, in the order in which the API server asks them; shapes nest.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.field_errors import FieldError, Path
    from kro_ls.openapi.validation.objects.checks import Check

_EACH = "[]"


@lru_cache(maxsize=1024)  # of patterns, which are constants of this program
def _steps(pattern: str) -> tuple[str, ...]:
    return tuple(pattern.replace(_EACH, f".{_EACH}").split(".")) if pattern else ()


def values_at(value: JsonObject, pattern: str) -> Iterator[tuple[Path, JsonValue]]:
    """Yield each value at a pattern with its path; an empty pattern is the object itself."""
    yield from _values(value, _steps(pattern), ())


def _values(value: JsonValue, steps: tuple[str, ...], path: Path) -> Iterator[tuple[Path, JsonValue]]:
    if not steps:
        yield path, value
    elif steps[0] == _EACH:
        for number, item in enumerate(value if isinstance(value, list) else ()):
            yield from _values(item, steps[1:], (*path, number))
    elif isinstance(value, dict) and value.get(steps[0]) is not None:
        yield from _values(value[steps[0]], steps[1:], (*path, steps[0]))


def filled(value: JsonObject, pattern: str) -> JsonObject:
    """Return an object with an empty one for each field on the way to a pattern's end that it lacks."""
    step, _, rest = pattern.partition(".")
    inner = value.get(step)
    if not step or not isinstance(inner, dict | None):
        return value
    return {**value, step: filled(inner or {}, rest)}


class Shape:
    """A check of an object that consists of checks of parts of it. A part that is not there is not checked."""

    def __init__(self, *parts: tuple[str, Check]) -> None:
        self._parts = tuple((_steps(pattern), check) for pattern, check in parts)

    def begins_with(self, step: str) -> bool:
        """Return whether all parts are in a field."""
        return all(steps[:1] == (step,) for steps, _ in self._parts)

    def __call__(self, value: JsonValue, path: Path) -> list[FieldError]:
        """Return what the checks find, in the order in which they are given."""
        found: list[FieldError] = []
        for steps, check in self._parts:
            _visit(value, steps, path, check, found)
        return found


def _visit(value: JsonValue, steps: tuple[str, ...], path: Path, check: Check, found: list[FieldError]) -> None:
    """Add what a check finds at the end of the steps: a list is passed on, for most checks find nothing."""
    if not steps:
        found += check(value, path)
        return
    step = steps[0]
    if step == _EACH:
        if isinstance(value, list):
            for number, item in enumerate(value):
                _visit(item, steps[1:], (*path, number), check, found)
    elif isinstance(value, dict):
        child = value.get(step)
        if child is not None:
            _visit(child, steps[1:], (*path, step), check, found)
