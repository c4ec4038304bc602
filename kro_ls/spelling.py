"""Names that a mistyped name probably meant; every "did you mean" asks here.

A name is similar when at most a third of its letters, and at least one, have to be inserted, left out, replaced or
swapped with a neighbour; upper and lower case are the same. Where none is, a name may go on after the one that is meant
(`replicasCount`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST_COMPARED: Final = 100
_SHORTEST_BEGINNING: Final = 2


def closest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that `name` most likely means, the first of several, or None."""
    return next(iter(similar(name, candidates, most=1)), None)


def similar(name: str, candidates: Iterable[str], *, most: int = 3) -> tuple[str, ...]:
    """Return the candidates that `name` may mean, the best first, at most `most`. Fast for thousands of them."""
    if not name or len(name) > _LONGEST_COMPARED:
        return ()
    candidates = tuple(candidates)
    wanted, letters = name.lower(), set(name.lower())
    limit = max(1, len(name) // 3)
    found: list[tuple[int, str]] = []
    for number, candidate in enumerate(candidates, 1):
        other = candidate.lower()
        # One change gives at most one letter and takes at most one.
        if -limit <= len(other) - len(wanted) <= limit and len(letters.symmetric_difference(other)) <= 2 * limit:
            distance = _distance(wanted, other, limit)
            if distance <= limit:
                found.append((distance, candidate))
                if most == 1:
                    limit = distance - 1  # only a better one is of interest now
                    if limit < 1:
                        found += _equal(wanted, candidates[number:]) if limit == 0 else ()
                        break
    if not found:
        beginning = max([each for each in candidates if wanted.startswith(each.lower())], key=len, default="")
        return (beginning,) if len(beginning) >= _SHORTEST_BEGINNING else ()
    found.sort(key=lambda each: each[0])
    return tuple(dict.fromkeys(candidate for _, candidate in found))[:most]


def _equal(wanted: str, candidates: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """Return the first candidate that is the same but for upper and lower case, if there is one, with its distance."""
    if wanted not in map(str.lower, candidates):
        return ()
    return ((0, next(each for each in candidates if each.lower() == wanted)),)


def _distance(left: str, right: str, limit: int) -> int:
    """Return the optimal string alignment distance, one more than `limit` where it is greater."""
    # What both begin and end with makes no difference.
    common = _common(left, right)
    left, right = left[common:], right[common:]
    common = _common(left[::-1], right[::-1])
    left, right = left[: len(left) - common], right[: len(right) - common]
    if not left or not right:
        return len(left) + len(right)
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


def _common(left: str, right: str) -> int:
    """Return how many characters two texts have in common at their beginning."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(left), len(right)))
