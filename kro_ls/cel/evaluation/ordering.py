"""Sorting that lets other threads run: the interpreter blocks them while it sorts one list."""

from __future__ import annotations

from heapq import merge
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

T = TypeVar("T", bound="Any")

_PIECE: Final = 20_000


def in_order(elements: Iterable[T]) -> list[T]:
    """Return the elements, smallest first."""
    every = list(elements)
    if len(every) <= _PIECE:
        return sorted(every)
    return list(merge(*(sorted(every[start : start + _PIECE]) for start in range(0, len(every), _PIECE))))
