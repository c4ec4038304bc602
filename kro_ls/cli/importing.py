"""Imports of many modules at once, which a command begins with."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def importing() -> Iterator[None]:
    """Import without collections of garbage: there is none yet, but objects enough for many collections.

    What was imported stays, so later collections need not look at it either. They come seldom: what is remembered of
    definitions is many objects without cycles.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 20, 100)
        gc.enable()
