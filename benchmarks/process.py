"""What Linux reports on a process: processor time and memory, including ended threads and children."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path


def descendants(process: int) -> list[int]:
    """Return a process and its running descendants."""
    found = [process]
    for one in found:
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found += [int(child) for child in task.read_text().split()]
            except FileNotFoundError:  # a thread that has ended
                continue
    return found


def cpu_seconds(process: int) -> float:
    """Return the processor time of a process and its descendants in seconds, with a resolution of nanoseconds."""
    seconds = 0.0
    for one in descendants(process):
        try:
            # The clock of another process: linux/posix-timers.h, MAKE_PROCESS_CPUCLOCK with CPUCLOCK_SCHED.
            seconds += time.clock_gettime((~one << 3) | 2)
        except OSError:
            continue
    return seconds


def is_runnable(process: int) -> bool:
    """Whether a thread of a process or of its descendants runs, or waits for a processor."""
    for one in descendants(process):
        for thread in Path(f"/proc/{one}/task").glob("*/stat"):
            with suppress(OSError):  # a thread that has ended
                if thread.read_text().rpartition(")")[2].split()[0] in "RD":
                    return True
    return False


def resident_megabytes(process: int) -> float:
    """Return the resident memory of a process and its descendants, in units of 1,000,000 bytes."""
    kibibytes = 0
    for one in descendants(process):
        status = Path(f"/proc/{one}/status").read_text()
        kibibytes += next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
    return kibibytes * 1024 / 1_000_000


def peak_megabytes(process: int) -> float:
    """Return the most resident memory that a process has had, in units of 1,000,000 bytes."""
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")) * 1024 / 1_000_000
