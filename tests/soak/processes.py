"""What a process has used, as Linux tells it (proc(5))."""

from __future__ import annotations

import os
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
    """Return how long each of its threads has waited for a processor that others used."""
    found = {}
    for thread in Path(f"/proc/{process}/task").iterdir():
        with suppress(OSError):  # it has ended
            found[thread.name] = int((thread / "schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    return found
