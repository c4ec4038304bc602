"""The type of an attack of one kind."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random


class Subject(Struct, frozen=True):
    """`make` returns a text. `run` raises if a check of it fails, and returns how many inputs were in it.

    `share` is how many texts a round has.
    """

    make: Callable[[Random], str]
    run: Callable[[str], int]
    share: int


def next_input() -> None:
    """Give the next input of a text as much time as the previous one had at its start."""
    _, longest_seconds = signal.getitimer(signal.ITIMER_PROF)
    signal.setitimer(signal.ITIMER_PROF, longest_seconds, longest_seconds)
