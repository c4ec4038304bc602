"""What Linux tells of a process: processor time and memory, of threads that have ended and of children too."""

from __future__ import annotations

import time
from pathlib import Path


def descendants(process: int) -> list[int]:
    """A process and all that it has started and that still runs."""
    found = [process]
    for one in found:
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found += [int(child) for child in task.read_text().split()]
            except FileNotFoundError:  # a thread that has ended
                continue
    return found


def cpu_seconds(process: int) -> float:
    """Processor time of a process and its descendants, in nanoseconds' steps."""
    seconds = 0.0
    for one in descendants(process):
        try:
            # The clock of another process: linux/posix-timers.h, MAKE_PROCESS_CPUCLOCK with CPUCLOCK_SCHED.
            seconds += time.clock_gettime((~one << 3) | 2)
        except OSError:
            continue
    return seconds


def _status_megabytes(process: int, field: str) -> float:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024 / 1_000_000
    return 0.0


def resident_megabytes(process: int) -> float:
    """Resident memory of a process and its descendants, in units of 1,000,000 bytes."""
    return sum(_status_megabytes(one, "VmRSS") for one in descendants(process))


def peak_megabytes(process: int) -> float:
    """The most resident memory that a process had at one time."""
    return _status_megabytes(process, "VmHWM")
