"""Names that a mistyped name probably meant; every "did you mean" asks here.

A name is similar when at most a third of its letters, and at least one, have to be inserted, left out, replaced or
swapped with a neighbour; upper and lower case are the same. Where none is, a name may go on after the one that is meant
(`replicasCount`).
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from operator import ne
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LONGEST_COMPARED: Final = 100
_SHORTEST_BEGINNING: Final = 2
_MOST_SEARCHES: Final = 8
_MOST_COUNTED: Final = 4


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that `name` most likely means, the first of several, or None."""
    return closest_among(name, (Spellings(tuple(candidates)),))


def closest_among(name: str, groups: Sequence[Spellings]) -> str | None:
    """Return what `closest` returns, of candidates in groups that are kept for the next search."""
    if not 0 < len(name) <= _LONGEST_COMPARED:
        return None
    wanted = name.lower()
    found, letters = _first(wanted, groups), _letters(wanted)
    if found is not None:
        return found
    for distance in range(1, _limit(name) + 1):  # most are near, and far ones take long
        for group in groups:
            for other in group.near(len(wanted), letters, distance):
                if _distance(wanted, other, distance) == distance:
                    return group.names[other]
    return _beginning(wanted, groups)


def similar(name: str, candidates: Iterable[str], *, most: int = 3) -> tuple[str, ...]:
    """Return the candidates that `name` may mean, the best first, at most `most`."""
    return similar_among(name, Spellings(tuple(dict.fromkeys(candidates))), most=most)


def similar_among(name: str, spellings: Spellings, *, most: int = 3) -> tuple[str, ...]:
    """Return what `similar` returns, of candidates that are kept for the next search."""
    if not 0 < len(name) <= _LONGEST_COMPARED:
        return ()
    wanted, limit = name.lower(), _limit(name)
    distances = {each: _distance(wanted, each, limit) for each in spellings.near(len(wanted), _letters(wanted), limit)}
    near = {each: distance for each, distance in distances.items() if distance <= limit}
    if not near:
        beginning = _beginning(wanted, (spellings,))
        return (beginning,) if beginning is not None else ()
    found = [each for each in spellings.given if each.lower() in near]
    return tuple(sorted(found, key=lambda each: near[each.lower()])[:most])


def is_similar(name: str, other: str) -> bool:
    """Whether `name` may mean another name."""
    if not 0 < len(name) <= _LONGEST_COMPARED:
        return False
    wanted, meant, limit = name.lower(), other.lower(), _limit(name)
    if len(meant) >= _SHORTEST_BEGINNING and wanted.startswith(meant):
        return True
    is_near = _may_be_near(len(meant) - len(wanted), _letters(meant), _letters(wanted), limit)
    return is_near and _distance(wanted, meant, limit) <= limit


def is_abbreviation(name: str, long: str) -> bool:
    """Whether a name is the first letter of a longer one and some of the others in their order: `svc` of `Service`."""
    short, letters = name.lower(), iter(long.lower())
    return 0 < len(name) < len(long) and short[0] == long[0].lower() and all(letter in letters for letter in short)


def listed(names: Iterable[str], word: str = "or") -> str:
    """Return names in quotes as a sentence lists them: `'a'`, `'a' or 'b'`, `'a', 'b' or 'c'`."""
    *others, last = [f"'{name}'" for name in names]
    return f"{', '.join(others)} {word} {last}" if others else last


class Spellings:
    """Names to be searched; what a search needs is worked out at the first one and kept."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.given = names
        self._by_length: dict[int, list[tuple[int, int, str]]] = {}
        self._near: dict[tuple[int, int, int], tuple[str, ...]] = {}

    @cached_property
    def names(self) -> dict[str, str]:
        """The first name that is spelled so, in lower case."""
        return {name.lower(): name for name in reversed(self.given)}

    @cached_property
    def _lengths(self) -> dict[int, list[tuple[int, str]]]:
        """The place and the lower case of the names of each length."""
        found: dict[int, list[tuple[int, str]]] = {}
        for place, name in enumerate(dict.fromkeys(map(str.lower, self.given))):
            found.setdefault(len(name), []).append((place, name))
        return found

    def near(self, length: int, letters: int, limit: int) -> tuple[str, ...]:
        """Return the names in lower case that so many changes may make of one with this length and these letters.

        The last few searches are kept: while a name is typed anew, all who use it are searched for what it was.
        """
        key = (length, letters, limit)
        found = self._near.get(key)
        if found is None:
            if len(self._near) >= _MOST_SEARCHES:
                self._near.clear()
            found = self._near[key] = self._search(length, letters, limit)
        return found

    def _search(self, length: int, letters: int, limit: int) -> tuple[str, ...]:
        found = [
            (place, name)
            for each in range(length - limit, length + limit + 1)
            if each in self._lengths
            for place, own, name in self._of_length(each)
            if _may_be_near(each - length, own, letters, limit)
        ]
        return tuple(name for _, name in sorted(found))

    def without(self, name: str) -> Spellings:
        """Return all but one of the names."""
        return Spellings(tuple(each for each in self.given if each != name)) if name.lower() in self.names else self

    def _of_length(self, length: int) -> list[tuple[int, int, str]]:
        if length not in self._by_length:
            self._by_length[length] = [(place, _letters(name), name) for place, name in self._lengths[length]]
        return self._by_length[length]


def _first(wanted: str, groups: Sequence[Spellings]) -> str | None:
    return next((group.names[wanted] for group in groups if wanted in group.names), None)


def _beginning(wanted: str, groups: Sequence[Spellings]) -> str | None:
    """Return the longest name that another one goes on after."""
    beginnings = (wanted[:length] for length in range(len(wanted) - 1, _SHORTEST_BEGINNING - 1, -1))
    return next((each for beginning in beginnings if (each := _first(beginning, groups)) is not None), None)


def _limit(name: str) -> int:
    return max(1, len(name) // 3)


def _may_be_near(longer: int, letters: int, others: int, limit: int) -> bool:
    """Whether so many changes may make one name of another: by how much longer it is, and the letters of both.

    A change gives and takes one letter at most; one that makes the name longer or shorter does one of both.
    """
    return (letters ^ others).bit_count() <= 2 * limit - abs(longer)


@lru_cache(maxsize=4096)  # while one id is typed, all others are asked about at each key
def _letters(name: str) -> int:
    """Return a bit for each letter that a name has, up to four for one that it has so often.

    Letters that are far apart in Unicode share their bits.
    """
    bits = 0
    for letter in set(name):
        count = min(name.count(letter), _MOST_COUNTED)
        bits |= ((1 << count) - 1) << (_MOST_COUNTED * (ord(letter) & 63))
    return bits


def _distance(left: str, right: str, limit: int) -> int:
    """Return the optimal string alignment distance, one more than `limit` where it is greater."""
    if limit == 1 and len(left) == len(right):  # as of nearly all that are compared
        return _distance_up_to_one(left, right)
    # What both begin and end with makes no difference.
    common = _common(left, right)
    left, right = left[common:], right[common:]
    common = _common(left[::-1], right[::-1])
    left, right = left[: len(left) - common], right[: len(right) - common]
    if not left or not right:
        return len(left) + len(right)
    if limit == 1:
        return 2
    before_previous: list[int] = []
    previous = list(range(len(right) + 1))
    for row, left_char in enumerate(left, 1):
        current = [row]
        for column, right_char in enumerate(right, 1):
            cost = min(previous[column] + 1, current[-1] + 1, previous[column - 1] + (left_char != right_char))
            if row > 1 and column > 1 and left_char == right[column - 2] and left[row - 2] == right_char:
                cost = min(cost, before_previous[column - 2] + 1)
            current.append(cost)
        if min(current) > limit:
            return limit + 1
        before_previous, previous = previous, current
    return previous[-1]


def _distance_up_to_one(left: str, right: str) -> int:
    """Return the distance of two texts of one length, 2 where it is greater than 1."""
    differ = [*map(ne, left, right)]
    count = differ.count(True)
    if count != 2:
        return min(count, 2)
    first = differ.index(True)
    is_swapped = left[first : first + 2] == right[first : first + 2][::-1]
    return 1 if is_swapped else 2


def _common(left: str, right: str) -> int:
    """Return how many characters two texts have in common at their beginning."""
    for place, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return place
    return min(len(left), len(right))
