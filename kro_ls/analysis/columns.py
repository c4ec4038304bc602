"""Values in columns, one for each part of a document, that are carried from one version of it to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Part = TypeVar("Part")
Value = TypeVar("Value")


class Difference(NamedTuple):
    """What is new in a column: `[start, before_end)` of the one before became `[start, end)`."""

    start: int
    before_end: int
    end: int


def difference(before: tuple[object, ...], after: tuple[object, ...]) -> Difference:
    """Return where two columns differ, between what they have in common at the start and at the end.

    Values are the same if they are equal; parts are compared by identity. The common stretches are compared whole, not
    value by value, so this is quick for columns of any length.
    """
    most = min(len(before), len(after))
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if before[low:middle] == after[low:middle]:
            low = middle
        else:
            high = middle - 1
    start = low
    low, high = 0, most - start
    while low < high:
        middle = (low + high + 1) // 2
        if before[len(before) - middle : len(before) - low] == after[len(after) - middle : len(after) - low]:
            low = middle
        else:
            high = middle - 1
    return Difference(start, len(before) - low, len(after) - low)


def carried(
    before: tuple[Part, ...], values: tuple[Value, ...], after: tuple[Part, ...], make: Callable[[Part], Value]
) -> tuple[Value, ...]:
    """Return the column of `make` for `after`, where `values` is that for `before`; it is made for new parts alone."""
    start, before_end, end = difference(before, after)
    return (*values[:start], *map(make, after[start:end]), *values[before_end:])
