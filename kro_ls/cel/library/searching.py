"""Searching a text for a part in linear time, paid for before.

Python's own search compares all of a long part again and again in three cases: backwards, in a short text, and within
the last two thousand places of any text, where it does not change to its linear algorithm any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.cel.evaluation.costs import of_search

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cel.evaluation.failures import Budget

_LONG: Final = 100
"""How long a part is for which Python's search may change its algorithm as it goes."""
_LAST_PLACES: Final = 2001


def find(budget: Budget, text: str, part: str, start: int = 0) -> int:
    """Return the first place of a part from `start` on, -1 where there is none."""
    budget.spend(of_search(len(text), len(part)))
    return next(_places(text, part, start), -1) if len(part) >= _LONG else text.find(part, start)


def find_last(budget: Budget, text: str, part: str) -> int:
    """Return the last place of a part, -1 where there is none."""
    found = find(budget, text[::-1], part[::-1]) if part else 0
    return -1 if found < 0 else len(text) - found - len(part)


def count(budget: Budget, text: str, part: str) -> int:
    """Return how often a part occurs, no occurrence overlapping another. Charges a step for each."""
    budget.spend(of_search(len(text), len(part)))
    found = sum(1 for _ in _places(text, part)) if len(part) >= _LONG else text.count(part)
    budget.spend(found)
    return found


def split(budget: Budget, text: str, separator: str, most: int = -1) -> list[str]:
    """Return the texts between separators, which are not empty, or between the first `most` if it is not negative."""
    budget.spend(of_search(len(text), len(separator)))
    if len(separator) < _LONG:
        return text.split(separator, most)
    parts: list[str] = []
    end = 0
    for place in _places(text, separator):
        if len(parts) == most:
            break
        parts.append(text[end:place])
        end = place + len(separator)
    return [*parts, text[end:]]


def _places(text: str, part: str, start: int = 0) -> Iterator[int]:
    """Yield the places of a long part, no occurrence overlapping another."""
    # What is added has no occurrence: it differs from the part's end.
    padded = text + ("b" if part[-1] == "a" else "a") * _LAST_PLACES
    while (place := padded.find(part, start)) >= 0:
        yield place
        start = place + len(part)
