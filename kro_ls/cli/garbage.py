"""When a process of ours looks for garbage: seldom, for what an analysis leaves are many objects without cycles."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def collect_rarely() -> None:
    """Look at new objects when there are many, and at all of them so seldom that nobody feels it."""
    gc.set_threshold(50_000, 20, 100)


@contextmanager
def importing() -> Iterator[None]:
    """Import without collections of garbage: there is none yet, but objects enough for many collections.

    What was imported stays, so later collections need not look at it either.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
