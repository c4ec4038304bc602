"""Where the values at a pattern of a path stand in an object: `spec.ports[].port`, with `[]` for each item.

Many checks, each with its pattern, are put together as a tree of patterns, so that an object is walked once for all.
"""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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


class CheckTree:
    """Checks by the patterns of their places; what they find comes in the order in which they are given."""

    def __init__(self, checks: Iterable[tuple[str, Check]]) -> None:
        self._root = _Branch()
        for number, (pattern, check) in enumerate(checks):
            branch = self._root
            for step in _steps(pattern):
                branch = branch.inner.setdefault(step, _Branch())
            branch.checks.append((number, check))

    def errors(self, value: JsonValue, path: Path = ()) -> Iterator[FieldError]:
        """Yield what the checks find in a value that stands at a path."""
        found: list[tuple[int, FieldError]] = []
        self._root.visit(value, path, found)
        found.sort(key=itemgetter(0))
        return (error for _, error in found)


class _Branch:
    """The checks of one place, and those of the places below it by the next step of their patterns."""

    def __init__(self) -> None:
        self.checks: list[tuple[int, Check]] = []
        self.inner: dict[str, _Branch] = {}
        """By the names of fields, and `[]` for items."""

    def visit(self, value: JsonValue, path: Path, found: list[tuple[int, FieldError]]) -> None:
        """Add what is found in a value and below it, with the number of its check."""
        for number, check in self.checks:
            for error in check(value, path):
                found.append((number, error))  # noqa: PERF401 - most checks find nothing: a generator is one too many
        if isinstance(value, dict):
            for step, branch in self.inner.items():
                child = value.get(step)
                if child is not None and step != _EACH:
                    branch.visit(child, (*path, step), found)
        elif isinstance(value, list) and _EACH in self.inner:
            branch = self.inner[_EACH]
            for place, item in enumerate(value):
                branch.visit(item, (*path, place), found)
