"""How the C library deals with memory, where it is glibc."""

import ctypes
import subprocess
import sys

import pytest

HEAPS = """
import ctypes, threading
from kro_ls.server.background import give_memory_back, use_one_heap
{first}()
gate = threading.Event()
def work(): kept = [bytes(5_000) for _ in range(100)]; gate.wait()
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads: thread.start()
libc = ctypes.CDLL(None)
libc.malloc_info(0, ctypes.c_void_p.in_dll(libc, "stdout"))
libc.fflush(None)
gate.set()
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="another C library than glibc")
@pytest.mark.parametrize(("first", "is_one"), [("use_one_heap", True), ("give_memory_back", False)])
def test_threads_share_a_heap(first: str, is_one: bool) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", HEAPS.format(first=first)], capture_output=True, check=True, text=True
    )
    assert (ended.stdout.count("<heap nr=") == 1) is is_one
