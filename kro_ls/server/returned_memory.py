"""Gives memory back to the system when a document is closed: the C library keeps what is freed, for itself."""

from __future__ import annotations

import ctypes
import sys
import threading


def give_memory_back() -> None:
    """Have the C library return what it does not use, in a thread: nothing waits for it. Only glibc can be asked."""
    if sys.platform == "linux":
        threading.Thread(target=_trim, name="memory", daemon=True).start()


def _trim() -> None:
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
    if trim is not None:
        trim(0)
