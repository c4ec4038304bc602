"""Attacks for some minutes, watches, and stores the inputs that fail. See `--help`."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from tests.soak.session import Session
from tests.soak.subjects import SUBJECTS
from tests.soak.worker import Report, Worker

_REPORT_SECONDS = 30.0
_SESSION = "session"


def main() -> int:
    """Return 1 if something failed."""
    parser = argparse.ArgumentParser(prog="scripts/soak")
    parser.add_argument("minutes", type=float)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", choices=[*SUBJECTS, _SESSION])
    parser.add_argument("--workers", type=int, default=2, help="processes beside the server that is attacked")
    parser.add_argument("--curve", type=Path, help="a file that gets a line of JSON every 30 seconds")
    arguments = parser.parse_args()
    os.nice(10)
    kinds = [arguments.only] if arguments.only else [*SUBJECTS, _SESSION]
    print(f"seed {arguments.seed}; {', '.join(kinds)}", flush=True)
    soak = Soak(arguments.seed, kinds, arguments.workers, arguments.curve)
    soak.run(arguments.minutes * 60)
    return 1 if soak.failed else 0


class Soak:
    """One run: the workers, and the attacked server beside them."""

    def __init__(self, seed: int, kinds: list[str], workers: int, curve: Path | None) -> None:
        context = multiprocessing.get_context("spawn")
        self._queue: multiprocessing.Queue[Report] = context.Queue()
        inside = [kind for kind in kinds if kind in SUBJECTS]
        self._workers = [Worker(seed, number, inside, self._queue) for number in range(workers if inside else 0)]
        self._context = context
        self._session = Session(Random(f"{seed} session")) if _SESSION in kinds else None
        self._reports: dict[int, Report] = {}
        self._session_failed = 0
        self._curve = curve

    @property
    def failed(self) -> int:
        """How many inputs failed."""
        return sum(report.failed for report in self._reports.values()) + self._session_failed

    def run(self, seconds: float) -> None:
        """Attack until the time is over."""
        processes = [self._context.Process(target=worker.run, args=(seconds,)) for worker in self._workers]
        for process in processes:
            process.start()
        started = reported = time.monotonic()
        while (now := time.monotonic()) - started < seconds:
            self._attack_server()
            if now - reported > _REPORT_SECONDS:
                reported = now
                self._report(now - started)
        if self._session:
            self._session.settle()
        while any(process.is_alive() for process in processes):
            self._read_reports()
            time.sleep(0.1)
        self._session_failed += sum(process.exitcode != 0 for process in processes)
        self._report(time.monotonic() - started)
        if self._session:
            self._session.close()

    def _attack_server(self) -> None:
        if not self._session:
            time.sleep(1)
        elif not self._session.attack():
            self._session_failed += 1
            print(f"FAILED session: {self._session.problem}", flush=True)
            self._session.restart()

    def _read_reports(self) -> None:
        while not self._queue.empty():
            report = self._queue.get()
            self._reports[report.worker] = report

    def _report(self, seconds: float) -> None:
        self._read_reports()
        reports = self._reports.values()
        counts = Counter[str]()
        for each in reports:
            counts.update(each.counts)
        point: dict[str, Any] = {"seconds": round(seconds), "failed": self.failed}
        if self._session:
            counts[_SESSION] = self._session.count
            point["server"] = self._session.report()
        point |= {"inputs": counts.total(), "counts": dict(counts)}
        point["workers"] = [{"megabytes": each.megabytes, "cpu_seconds": each.cpu_seconds} for each in reports]
        kinds = {kind for each in reports for kind in each.slowest}
        point["slowest_seconds"] = {
            kind: round(max(each.slowest[kind] for each in reports), 3) for kind in sorted(kinds)
        }
        line = json.dumps(point)
        print(line, flush=True)
        if self._curve:
            with self._curve.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
