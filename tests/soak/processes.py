"""The resources that a process has used, from Linux's proc(5)."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from pathlib import Path


def memory(process: int) -> int:
    """Return the resident megabytes."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024**2


def cpu_seconds(process: int) -> float:
    """Return the processor time of all threads."""
    times = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")


def queued_seconds(process: int) -> dict[str, float]:
    """Return how long each of its threads has waited for a busy processor."""
    found = {}
    for thread in Path(f"/proc/{process}/task").iterdir():
        with suppress(OSError):  # the process has ended
            found[thread.name] = _queued(thread / "schedstat")
    return found


class Standstill:
    """Records how long the machine stood still: while this process neither slept by intention nor was queued."""

    _REST_SECONDS = 0.005
    _LEAST_SECONDS = 0.05
    """Waking up takes some time on any machine."""

    def __init__(self) -> None:
        self.seconds = 0.0
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        schedule = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
        while True:
            started, queued = time.monotonic(), _queued(schedule)
            time.sleep(self._REST_SECONDS)
            lost = time.monotonic() - started - self._REST_SECONDS - (_queued(schedule) - queued)
            if lost > self._LEAST_SECONDS:
                self.seconds += lost


def _queued(schedule: Path) -> float:
    return int(schedule.read_text(encoding="ascii").split()[1]) / 1e9
