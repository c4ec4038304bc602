"""Names that a mistyped name probably meant; every "did you mean" asks here.

A name is similar when at most a third of its letters, and at least one, have to be inserted, left out, replaced or
swapped with a neighbour; upper and lower case are the same. Where none is, a name may go on after the one that is meant
(`replicasCount`).
"""

from __future__ import annotations

from functools import cached_property  # noqa: TID251 - lower case for some names takes microseconds
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LONGEST_COMPARED: Final = 100
_SHORTEST_BEGINNING: Final = 2


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that `name` most likely means, the first of several, or None."""
    return closest_among(name, (Spellings(tuple(candidates)),))


def closest_among(name: str, groups: Sequence[Spellings]) -> str | None:
    """Return what `closest` returns, for groups of candidates that are cached for the next search."""
    if not 0 < len(name) <= _LONGEST_COMPARED:
        return None
    wanted = name.lower()
    found, nearest = _first(wanted, groups), _limit(name) + 1
    if found is not None:
        return found
    for group in groups:
        for other, distance in group.near(wanted, nearest - 1):
            if distance < nearest:
                found, nearest = group.names[other], distance
    return found if found is not None else _beginning(wanted, groups)


def similar(name: str, candidates: Iterable[str], *, most: int = 3) -> tuple[str, ...]:
    """Return the candidates that `name` may mean, the best first, at most `most`."""
    return similar_among(name, Spellings(tuple(dict.fromkeys(candidates))), most=most)


def similar_among(name: str, spellings: Spellings, *, most: int = 3) -> tuple[str, ...]:
    """Return what `similar` returns, for candidates that are cached for the next search."""
    if not 0 < len(name) <= _LONGEST_COMPARED:
        return ()
    wanted = name.lower()
    near = dict(spellings.near(wanted, _limit(name)))
    if not near:
        beginning = _beginning(wanted, (spellings,))
        return (beginning,) if beginning is not None else ()
    found = [each for each in spellings.given if each.lower() in near]
    return tuple(sorted(found, key=lambda each: near[each.lower()])[:most])


def is_similar(name: str, other: str) -> bool:
    """Whether `name` may mean another name."""
    return bool(all_similar(name, Spellings((other,))))


def all_similar(name: str, spellings: Spellings) -> frozenset[str]:
    """Return all candidates that `name` may mean: similar ones, and those that it begins with."""
    if not 0 < len(name) <= _LONGEST_COMPARED:
        return frozenset()
    wanted = name.lower()
    near = dict(spellings.near(wanted, _limit(name)))
    return frozenset(
        each
        for each in spellings.given
        if (meant := each.lower()) in near or (len(meant) >= _SHORTEST_BEGINNING and wanted.startswith(meant))
    )


def is_abbreviation(name: str, long: str) -> bool:
    """Whether a name is the first letter of a longer one and some of the others in their order: `svc` of `Service`."""
    short, letters = name.lower(), iter(long.lower())
    return 0 < len(name) < len(long) and short[0] == long[0].lower() and all(letter in letters for letter in short)


def listed(names: Iterable[str], word: str = "or") -> str:
    """Return names in quotes as a sentence lists them: `'a'`, `'a' or 'b'`, `'a', 'b' or 'c'`."""
    *others, last = [f"'{name}'" for name in names]
    return f"{', '.join(others)} {word} {last}" if others else last


class Spellings:
    """Names to be searched."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.given = names

    @cached_property
    def names(self) -> dict[str, str]:
        """The first name that is spelled so, by its lower case, in their order."""
        found: dict[str, str] = {}
        for name in self.given:
            found.setdefault(name.lower(), name)
        return found

    @cached_property
    def _in_lower_case(self) -> list[str]:
        return list(self.names)

    def near(self, wanted: str, limit: int) -> list[tuple[str, int]]:
        """Return the names in lower case that at most so many changes make of another one, each with how many."""
        if limit < 1 or not self.given:
            return []
        # Imported where something is misspelt, which takes longer than all that it is asked then.
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        found = extract(wanted, self._in_lower_case, scorer=OSA.distance, score_cutoff=limit, limit=None)
        return [(name, int(distance)) for name, distance, _ in sorted(found, key=lambda each: each[2])]

    def without(self, name: str) -> Spellings:
        """Return all but one of the names."""
        return Spellings(tuple(each for each in self.given if each != name)) if name.lower() in self.names else self


def _first(wanted: str, groups: Sequence[Spellings]) -> str | None:
    return next((group.names[wanted] for group in groups if wanted in group.names), None)


def _beginning(wanted: str, groups: Sequence[Spellings]) -> str | None:
    """Return the longest name that another one begins with."""
    beginnings = (wanted[:length] for length in range(len(wanted) - 1, _SHORTEST_BEGINNING - 1, -1))
    return next((each for beginning in beginnings if (each := _first(beginning, groups)) is not None), None)


def _limit(name: str) -> int:
    return max(1, len(name) // 3)
