"""When a process of ours looks for garbage: seldom, for what an analysis leaves are many objects without cycles."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Item = TypeVar("Item")

_ITEMS_BETWEEN: Final = 256


def collect_rarely() -> None:
    """Look at new objects when there are some, and at all of them so seldom that nobody feels it.

    Not at too many at once: while an editor's text makes a lot of them, others wait for each look.
    """
    gc.set_threshold(4_000, 1, 12_500)


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


def seldom_collecting(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items between which little is kept, and look for garbage only after many of them.

    What outlives a look is not looked at again until the last item: it is modules, kinds and tables, which stay.
    """
    gc.disable()
    try:
        for number, item in enumerate(items, 1):
            yield item
            if number % _ITEMS_BETWEEN == 0:
                gc.collect()
                gc.freeze()
    finally:
        gc.unfreeze()
        gc.enable()
