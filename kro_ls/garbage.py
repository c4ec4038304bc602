"""When our processes collect garbage: rarely, because an analysis creates many objects but few cycles."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Item = TypeVar("Item")

_ITEMS_BETWEEN: Final = 256


def collect_rarely() -> None:
    """Collect new objects often, and all objects so rarely that no user notices.

    The young generation stays small: while an analysis creates many objects, other threads wait for each collection.
    """
    gc.set_threshold(4_000, 1, 12_500)


@contextmanager
def importing() -> Iterator[None]:
    """Import without garbage collection: importing creates enough objects for many collections, but no garbage.

    Modules are never freed, so later collections skip them, too.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def seldom_collecting(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items, and collect garbage only after many of them; little may stay alive between items.

    Objects that survive a collection are skipped until the last item: they are modules, kinds and tables.
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
