"""Characters that are the same but for their case, by Unicode's simple folding (Go's `unicode.SimpleFold`)."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache

from kro_ls.golang.unicode.character_sets import CharacterSet, from_bounds, ranges


def folded(characters: CharacterSet) -> CharacterSet:
    """Return a set with all that is the same but for its case."""
    orbits, folding = _orbits()
    more = [
        (other, other + 1)
        for start, end in ranges(characters)
        for code_point in folding[bisect_left(folding, start) : bisect_left(folding, end)]
        for other in orbits[code_point]
    ]
    return from_bounds([*ranges(characters), *more]) if more else characters


@lru_cache(maxsize=1024)
def cases(code_point: int) -> CharacterSet:
    """Return all that is the same as a code point but for its case, itself included."""
    return folded((code_point, code_point + 1))


@lru_cache(maxsize=1)
def _orbits() -> tuple[dict[int, tuple[int, ...]], list[int]]:
    """Return what each code point with a case is the same as, itself included, and those code points in order."""
    from kro_ls.golang.unicode.tables import FOLDING

    orbits: list[tuple[int, ...]] = []
    for token in FOLDING.split():
        if "," in token:
            orbits.append(tuple(int(each, 36) for each in token.split(",")))
        else:
            first, count, step, distance = (int(each, 36) for each in token.split("."))
            orbits += ((each, each + distance) for each in range(first, first + count * step, step))
    of = {code_point: orbit for orbit in orbits for code_point in orbit}
    return of, sorted(of)
