"""The error of a tool that cannot use its arguments, and the limits of what it takes and gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

Item = TypeVar("Item")

MOST_ITEMS: Final = 50
"""So many items of a kind are in an answer."""
MOST_CHARACTERS: Final = 24_000
"""So long may the longest text of an answer be: some 6,000 tokens."""

_LONGEST_OF_MANY: Final = 300


class UnusableArgumentsError(Exception):
    """The arguments of a tool cannot be used; the text says why and what to do."""


def first(items: Iterable[Item], most: int = MOST_ITEMS) -> tuple[list[Item], int]:
    """Return the first items, and how many more there are."""
    everything = list(items)
    return everything[:most], max(len(everything) - most, 0)


def short(text: str) -> str:
    """Return one of many texts of an answer, of a long one the beginning."""
    return shortened(text, _LONGEST_OF_MANY)
