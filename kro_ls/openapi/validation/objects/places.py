"""Where the values at a pattern of a path stand in an object: `spec.ports[].port`, with `[]` for each item."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.errors import Path

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
