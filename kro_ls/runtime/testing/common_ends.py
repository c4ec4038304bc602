"""The common prefix and suffix of two lists."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def common_ends(one: Sequence[Any], other: Sequence[Any], is_same: Callable[[Any, Any], bool]) -> tuple[int, int]:
    """Return how many items are the same at the beginning of two lists, and how many of the rest at the end."""

    def count(*lists: Sequence[Any]) -> int:
        return len(list(takewhile(lambda pair: is_same(*pair), zip(*lists, strict=False))))

    first = count(one, other)
    return first, count(one[first:][::-1], other[first:][::-1])
