"""A process that attacks within itself until its time is over, and reports its state."""

from __future__ import annotations

import gc
import hashlib
import logging
import os
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from msgspec import Struct

from tests.soak.processes import cpu_seconds, memory
from tests.soak.subjects import SUBJECTS, HangError, attack

if TYPE_CHECKING:
    from multiprocessing import Queue

CORPUS = Path(__file__).parent / "corpus"
_REPORT_SECONDS = 5.0


class Report(Struct, frozen=True):
    """The state of a worker. `slowest` are processor seconds for one text, by kind."""

    worker: int
    counts: dict[str, int]
    slowest: dict[str, float]
    failed: int
    megabytes: int
    cpu_seconds: float


class Worker:
    """One process; `number` distinguishes it from others with the same seed."""

    def __init__(self, seed: int, number: int, kinds: list[str], reports: Queue[Report]) -> None:
        self._seed = seed
        self._number = number
        self._kinds = kinds
        self._reports = reports
        self._counts: Counter[str] = Counter()
        self._slowest: dict[str, float] = dict.fromkeys(kinds, 0.0)
        self._failed = 0

    def run(self, seconds: float) -> None:
        """Attack until the time is over or the parent process has ended."""
        parent = os.getppid()
        logging.getLogger().addHandler(logging.NullHandler())  # otherwise the server's log would be printed
        for kind in self._kinds:
            SUBJECTS[kind].run(SUBJECTS[kind].make(Random(kind)))  # loads what is loaded once
        end = time.monotonic() + seconds
        reported = number = 0.0
        while time.monotonic() < end and os.getppid() == parent:
            for kind in self._kinds:
                for place in range(SUBJECTS[kind].share):
                    self._attack(kind, f"{number:.0f}.{place}")
            number += 1
            if time.monotonic() - reported > _REPORT_SECONDS:
                reported = time.monotonic()
                self._report()
        self._report()

    def _attack(self, kind: str, name: str) -> None:
        given = SUBJECTS[kind].make(Random(f"{self._seed} {self._number} {kind} {name}"))
        started = time.process_time()
        try:
            try:
                self._counts[kind] += attack(kind, given)
            except HangError:  # a machine that stood still looks like this, but not twice
                started = time.process_time()
                self._counts[kind] += attack(kind, given)
        except Exception:
            self._failed += 1
            print(
                f"FAILED {kind} {self._number} {name}, kept as {keep(kind, given)}\n{traceback.format_exc(limit=-6)}",
                flush=True,
            )
        self._slowest[kind] = max(self._slowest[kind], time.process_time() - started)

    def _report(self) -> None:
        gc.collect()  # the garbage collector alone would free ended servers too late
        process = os.getpid()
        used = memory(process), cpu_seconds(process)
        self._reports.put(Report(self._number, dict(self._counts), dict(self._slowest), self._failed, *used))


def keep(kind: str, given: str) -> Path:
    """Store the failed input for the tests, and return its path."""
    data = given.encode("utf-8", "surrogatepass")
    path = CORPUS / kind / f"{hashlib.sha256(data).hexdigest()[:12]}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path
