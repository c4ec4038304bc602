"""Attacks for some minutes, watches, and keeps what failed. Usage: `scripts/soak MINUTES [--seed S] [--only KIND]`."""

from __future__ import annotations

import argparse
import hashlib
import logging
import os
import signal
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random
from types import FrameType

from tests.soak.session import Session
from tests.soak.subjects import SUBJECTS

CORPUS = Path(__file__).parent / "corpus"
LONGEST_SECONDS = 1.0
_TOLERANCE = 4.0
"""What runs at low priority waits for others: a hang is reported by the CPU time, this many times that is wall time."""
_REPORT_SECONDS = 30.0


class HangError(Exception):
    """An input took longer than an input may."""


def main() -> int:
    """Return 1 where something failed."""
    parser = argparse.ArgumentParser(prog="scripts/soak")
    parser.add_argument("minutes", type=float)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", choices=[*SUBJECTS, "session"])
    arguments = parser.parse_args()
    os.nice(10)
    logging.disable(logging.CRITICAL)
    soak = Soak(arguments.seed, [arguments.only] if arguments.only else [*SUBJECTS, "session"])
    soak.run(arguments.minutes * 60)
    return 1 if soak.failed else 0


class Soak:
    """One run: counts by kind, what failed, and the server that is attacked beside."""

    def __init__(self, seed: int, kinds: list[str]) -> None:
        self._seed = seed
        self._kinds = [kind for kind in kinds if kind in SUBJECTS]
        self._session = Session(Random(f"{seed} session")) if "session" in kinds else None
        self._counts: Counter[str] = Counter()
        self._slowest: dict[str, float] = dict.fromkeys(self._kinds, 0.0)
        self.failed = 0

    def run(self, seconds: float) -> None:
        """Attack until the time is over."""
        print(f"seed {self._seed}; {', '.join(self._kinds)}{', session' if self._session else ''}")
        signal.signal(signal.SIGVTALRM, _hang)
        started = reported = time.monotonic()
        number = 0
        while (now := time.monotonic()) - started < seconds:
            for kind in self._kinds:
                for place in range(SUBJECTS[kind].share):
                    self._attack(kind, f"{number}.{place}")
            if self._session and not self._session.attack():
                self.failed += 1
                print(f"FAILED session: {self._session.problem}")
                self._session.restart()
            number += 1
            if now - reported > _REPORT_SECONDS:
                reported = now
                self._report(now - started)
        self._report(time.monotonic() - started)
        if self._session:
            self._session.close()

    def _attack(self, kind: str, number: str) -> None:
        subject = SUBJECTS[kind]
        given = subject.make(Random(f"{self._seed} {kind} {number}"))
        started = time.process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST_SECONDS * _TOLERANCE)
        try:
            self._counts[kind] += subject.run(given)
        except Exception:
            self.failed += 1
            path = CORPUS / kind / f"{hashlib.sha256(given.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(given.encode("utf-8", "surrogatepass"))
            print(f"FAILED {kind} {number}, kept as {path}\n{traceback.format_exc(limit=-6)}")
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        self._slowest[kind] = max(self._slowest[kind], time.process_time() - started)

    def _report(self, seconds: float) -> None:
        slowest = max(self._slowest, key=lambda kind: self._slowest[kind], default=None)
        own = f"; own memory {memory(os.getpid())} MB"
        own += f", slowest {slowest} {self._slowest[slowest]:.2f} s" if slowest else ""
        counts = " ".join(f"{kind} {count}" for kind, count in self._counts.items())
        total = sum(self._counts.values()) + (self._session.count if self._session else 0)
        session = f"; server: {self._session.report()}" if self._session else ""
        print(f"{seconds:6.0f} s: {total} in all, {self.failed} failed; {counts}{own}{session}", flush=True)


def memory(process: int) -> int:
    """Return the resident megabytes of a process."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024**2


def _hang(_number: int, _frame: FrameType | None) -> None:
    raise HangError(f"more than {LONGEST_SECONDS * _TOLERANCE} s of CPU")


if __name__ == "__main__":
    sys.exit(main())
