"""Sets of code points, and the classes that Go accepts in `\\p{...}`: Unicode categories and scripts.

The tables are Go's own (Unicode 15.0), since those of Python's `unicodedata` belong to the version of Python: 14.0 in
3.11 and later ones in newer versions; and it does not know scripts.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

CODE_POINTS = 0x110000
CharacterSet: TypeAlias = tuple[int, ...]
"""Ascending bounds of an even number: the code points `[first, second)`, `[third, fourth)` and so on belong."""
ALL: CharacterSet = (0, CODE_POINTS)
_PARTS = {
    "C": "Cc Cf Cs Co",
    "L": "Lu Ll Lt Lm Lo",
    "LC": "Lu Ll Lt",
    "M": "Mn Mc Me",
    "N": "Nd Nl No",
    "P": "Pc Pd Ps Pe Pi Pf Po",
    "S": "Sm Sc Sk So",
    "Z": "Zs Zl Zp",
}
"""Categories that consist of others; `C` also has the code points that are in none of the others."""
_TWO_WORDS = r"[ _-]"


@lru_cache(maxsize=512)  # more than there are names
def unicode_class(name: str, *, is_folded: bool = False) -> CharacterSet | None:
    """Return the class that Go knows as `name`; letter case, `_`, `-` and spaces in it do not count.

    A folded one holds the other cases of its characters, too.
    """
    canonical = _canonical(name)
    canonical = _aliases().get(canonical, canonical)
    match canonical:
        case "Any":
            characters = ALL
        case "Ascii":
            characters = (0, 0x80)
        case "Assigned":
            characters = complement(category("Cn"))
        case "Lc" | "LC":
            return category("LC")  # Go does not fold these
        case _:
            if canonical not in _runs() and canonical not in _PARTS and canonical != "Cn":
                return None
            characters = category(canonical)
    return folded(characters) if is_folded else characters


@lru_cache(maxsize=256)  # more than there are categories and scripts
def category(name: str) -> CharacterSet:
    """Return a general category by its short name, such as `Lu` or `L`, or a script."""
    if name == "Cn":
        return complement(union(*(category(each) for each in _PARTS["C"].split()), *map(category, "LMNPSZ")))
    if name == "C":
        return union(category("Cn"), *(category(each) for each in _PARTS["C"].split()))
    if name in _PARTS:
        return union(*(category(each) for each in _PARTS[name].split()))
    return _decoded(_runs()[name])


def is_printable(character: str) -> bool:
    """Whether Go prints a character as it is (`unicode.IsPrint`)."""
    return " " <= character <= "~" or (character > "~" and contains(_printable(), ord(character)))


def folded(characters: CharacterSet) -> CharacterSet:
    """Return a set with the other cases of its code points, by simple folding (Go's `unicode.SimpleFold`)."""
    orbits, folding = _orbits()
    more = [
        (other, other + 1)
        for start, end in ranges(characters)
        for code_point in folding[bisect_left(folding, start) : bisect_left(folding, end)]
        for other in orbits[code_point]
    ]
    return from_bounds([*ranges(characters), *more]) if more else characters


@lru_cache(maxsize=1024)  # patterns ask for the same letters
def cases(code_point: int) -> CharacterSet:
    """Return a code point and its other cases."""
    return folded((code_point, code_point + 1))


@lru_cache(maxsize=1)  # decoded once
def _orbits() -> tuple[dict[int, tuple[int, ...]], list[int]]:
    """Return the cases of each code point that has several, itself included, and these code points in order."""
    from kro_ls.golang.unicode_tables import FOLDING

    orbits: list[tuple[int, ...]] = []
    for token in FOLDING.split():
        if "," in token:
            orbits.append(tuple(int(each, 36) for each in token.split(",")))
        else:
            first, count, step, distance = (int(each, 36) for each in token.split("."))
            orbits += ((each, each + distance) for each in range(first, first + count * step, step))
    of = {code_point: orbit for orbit in orbits for code_point in orbit}
    return of, sorted(of)


def contains(characters: CharacterSet, code_point: int) -> bool:
    """Whether a code point belongs to a set."""
    return bisect_right(characters, code_point) % 2 == 1


def from_bounds(ranges: Iterable[tuple[int, int]]) -> CharacterSet:
    """Return the set of half-open ranges, which may overlap and have any order."""
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
    """Return the code points that belong to any of the sets."""
    filled = [characters for characters in sets if characters]
    if len(filled) == 1:
        return filled[0]
    return from_bounds(each for characters in filled for each in ranges(characters))


def complement(characters: CharacterSet) -> CharacterSet:
    """Return the code points that do not belong to a set."""
    first = characters[1:] if characters[:1] == (0,) else (0, *characters)
    return first[:-1] if first[-1:] == (CODE_POINTS,) else (*first, CODE_POINTS)


@lru_cache(maxsize=1)  # decoded once
def _printable() -> CharacterSet:
    return union(*map(category, "LMNPS"))


def _canonical(name: str) -> str:
    words = re.sub(_TWO_WORDS, "", name)
    return words[:1].upper() + words[1:].lower() if words.isascii() else words


@lru_cache(maxsize=1)  # decoded once
def _runs() -> dict[str, str]:
    """Return the runs of each table, not yet decoded."""
    from kro_ls.golang.unicode_tables import RANGES

    return {name: runs for name, runs in re.findall(r"([A-Z][A-Za-z]*)([^A-Z]*)", RANGES)}  # noqa: C416


@lru_cache(maxsize=1)  # loaded once
def _aliases() -> dict[str, str]:
    from kro_ls.golang.unicode_tables import CATEGORY_ALIASES

    return {_canonical(name): short for name, _, short in (each.partition(">") for each in CATEGORY_ALIASES.split())}


def _decoded(runs: str) -> CharacterSet:
    ranges: list[tuple[int, int]] = []
    end = 0
    for run in runs.split():
        gap, _, length = run.partition(".")
        start = end + int(gap, 36)
        end = start + int(length or "1", 36)
        ranges.append((start, end))
    return from_bounds(ranges)
