"""What an attack of one kind is."""

from __future__ import annotations

import signal
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


def next_input() -> None:
    """Give the next of a text's inputs as long as the one before had at its start."""
    _, longest_seconds = signal.getitimer(signal.ITIMER_PROF)
    signal.setitimer(signal.ITIMER_PROF, longest_seconds, longest_seconds)
