"""Sets of which there are many, most of them empty or with the content of another one.

Python makes each empty `frozenset` anew, in 216 bytes: a third of what is known of a small definition was that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

Item = TypeVar("Item", bound="Hashable")

_EMPTY: frozenset[Any] = frozenset()


def set_of(items: Iterable[Item]) -> frozenset[Item]:
    """Return the set of some items; all that are empty are the same object."""
    return frozenset(items) or _EMPTY


def union(sets: Iterable[frozenset[Item]]) -> frozenset[Item]:
    """Return what is in any of some sets: one of these if only one has anything."""
    filled = {each for each in sets if each}  # of which many are the same; a frozenset keeps its hash
    if len(filled) <= 1:
        return filled.pop() if filled else _EMPTY
    return filled.pop().union(*filled)
