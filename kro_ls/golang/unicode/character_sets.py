"""Sets of code points, as the places where membership changes."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

CODE_POINTS = 0x110000

CharacterSet: TypeAlias = tuple[int, ...]
"""Ascending bounds of an even number: the code points `[first, second)`, `[third, fourth)` and so on belong."""

ALL: CharacterSet = (0, CODE_POINTS)


def contains(characters: CharacterSet, code_point: int) -> bool:
    """Whether a code point belongs to a set."""
    return bisect_right(characters, code_point) % 2 == 1


def from_bounds(ranges: Iterable[tuple[int, int]]) -> CharacterSet:
    """Return the set of half-open ranges, which may overlap and stand in any order."""
    bounds: list[int] = []
    for start, end in sorted(ranges):
        if bounds and start <= bounds[-1]:
            bounds[-1] = max(bounds[-1], end)
        else:
            bounds += (start, end)
    return tuple(bounds)


def ranges(characters: CharacterSet) -> list[tuple[int, int]]:
    """Return the half-open ranges of a set."""
    return list(pairwise(characters))[::2]


def union(*sets: CharacterSet) -> CharacterSet:
    """Return what belongs to any of the sets."""
    filled = [characters for characters in sets if characters]
    if len(filled) == 1:
        return filled[0]
    return from_bounds(each for characters in filled for each in ranges(characters))


def complement(characters: CharacterSet) -> CharacterSet:
    """Return what does not belong to a set."""
    first = characters[1:] if characters[:1] == (0,) else (0, *characters)
    return first[:-1] if first[-1:] == (CODE_POINTS,) else (*first, CODE_POINTS)
