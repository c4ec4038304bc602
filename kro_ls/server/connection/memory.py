"""What the C library does with memory that is freed. Only glibc can be told; other libraries do as they please.

Source: glibc `malloc/malloc.h`, https://man7.org/linux/man-pages/man3/mallopt.3.html
"""

from __future__ import annotations

import ctypes
import sys

_M_ARENA_MAX = -8


def use_one_heap() -> None:
    """Have all threads take memory from one heap, before there are threads.

    Else each keeps what it freed for itself. They take turns anyway, so that none waits for the heap.
    """
    _call("mallopt", _M_ARENA_MAX, 1)


def give_memory_back() -> None:
    """Have the C library return what it does not use. It may take milliseconds, in which other threads go on."""
    _call("malloc_trim", 0)


def _call(name: str, *arguments: int) -> None:
    function = getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
    if function is not None:
        function(*arguments)
