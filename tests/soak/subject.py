"""What an attack of one kind is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random


class Subject(Struct, frozen=True):
    """`make` gives a text, `run` raises where something does not hold of it, and returns how many inputs were in it.

    `share` is how many texts there are in a round.
    """

    make: Callable[[Random], str]
    run: Callable[[str], int]
    share: int
