"""When a run looks for garbage."""

from __future__ import annotations

import gc
import weakref

from kro_ls import garbage


class Circle:
    """Only the collector of garbage frees it."""

    def __init__(self) -> None:
        self.itself = self


def test_circles_of_many_items_are_freed_and_what_stays_is_looked_at_once() -> None:
    circles: list[weakref.ref[Circle]] = []
    frozen: dict[int, int] = {}
    for number in garbage.seldom_collecting(range(2 * garbage._ITEMS_BETWEEN + 1)):
        assert not gc.isenabled()
        if number % garbage._ITEMS_BETWEEN == 0:
            frozen[number] = gc.get_freeze_count()  # counting them takes time
        circles.append(weakref.ref(Circle()))
    assert sum(each() is not None for each in circles) <= 1
    # A thread that an earlier test left behind may let go of something meanwhile, so the last two are not compared.
    assert frozen[0] < min(frozen[garbage._ITEMS_BETWEEN], frozen[2 * garbage._ITEMS_BETWEEN])
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
