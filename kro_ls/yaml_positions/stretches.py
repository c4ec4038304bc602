"""Long texts are searched in stretches: no other thread gets its turn while an expression searches."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, AnyStr, Final

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

STRETCH: Final = 64_000


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


def holds(text: AnyStr, words: AnyStr) -> bool:
    """Whether some words are in a text."""
    if len(text) <= STRETCH:
        return words in text
    longest = STRETCH + len(words) - 1
    return any(text.find(words, start, start + longest) >= 0 for start in range(0, len(text), STRETCH))


def matches_after_feeds(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Return the matches of a pattern that begins with a line feed. Only the beginnings of very long lines are read."""
    if end - start <= STRETCH:
        return pattern.finditer(text, start, end)
    found = (
        pattern.finditer(text, *lines)
        if lines[1] - lines[0] <= 2 * STRETCH
        else _matches_at_feeds(pattern, text, *lines)
        for lines in line_stretches(text, start, end)
    )
    return chain.from_iterable(found)


def _matches_at_feeds(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    feed = text.find("\n", start, end)
    while feed >= 0:
        match = pattern.match(text, feed, end)
        if match:
            yield match
        feed = text.find("\n", match.end() if match else feed + 1, end)
