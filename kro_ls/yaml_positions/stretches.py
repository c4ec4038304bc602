"""Long texts are searched in stretches: no other thread gets its turn while an expression searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

STRETCH: Final = 250_000


def stretches(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the stretches of a text start and end."""
    for start in range(0, len(text), STRETCH):
        yield start, start + STRETCH


def line_stretches(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield stretches of whole lines. Each begins with the line ending before it, so no line is found twice."""
    while end - start > STRETCH and (line := text.find("\n", start + STRETCH, end) + 1):
        yield start, line
        start = line - 1
    yield start, end
