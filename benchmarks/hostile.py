"""Hover in one document while a hostile text is opened, asked about and edited in another, and the memory it takes.

The client sends the requests that editors send when a file is opened. It also sends a hover every 20 ms, whether or not
the previous one is answered. The longest is reported in the server's processor time; the second number is wall time.
"""

from __future__ import annotations

import itertools
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from benchmarks.client import Client
from benchmarks.definitions import definition_of_lines
from benchmarks.edits import Change
from benchmarks.hostile_texts import HOSTILE_TEXTS, QUICK_SHARE
from benchmarks.process import is_runnable, peak_megabytes, resident_megabytes
from benchmarks.report import Row
from benchmarks.requests import ask_about_all, places

if TYPE_CHECKING:
    from collections.abc import Iterator

URI = "file:///benchmark/small.yaml"
HOSTILE_URI = "file:///benchmark/hostile.yaml"
DUE_SECONDS = 0.02
REST_SECONDS = 0.4
"""A server that has done nothing but hovers for so long has finished."""
BUSY_SHARE = 0.5
BAR_MS = 50.0
LEAST_MEGABYTES = 10.0
"""The memory that a small text may take, because code is loaded at its first use."""

PATIENCE_SECONDS = 20.0
"""A server that is not at rest by then is no longer measured."""


class _Watch(Client):
    """A client that records the server's processor time with each answer, for machines that are not idle."""

    def __init__(self) -> None:
        super().__init__()
        self.cpu_at: dict[int, float] = {}

    def _receive(self, at: float) -> None:
        known = set(self.answers)
        super()._receive(at)
        if new := self.answers.keys() - known:
            self.cpu_at.update(dict.fromkeys(new, self.cpu_seconds))

    def longest_hover(self, version: int) -> tuple[float, float]:
        """Return the milliseconds of processor and of wall time until diagnostics are there and the server rests."""
        started = due = time.perf_counter()
        asked: list[tuple[int, float, float]] = []
        spots = itertools.cycle(places(definition_of_lines(100)))
        busy: deque[bool] = deque(maxlen=int(REST_SECONDS / DUE_SECONDS))
        while due < started + PATIENCE_SECONDS:
            self.pause(due - time.perf_counter())
            busy.append(is_runnable(self.process.pid))
            asked.append((self.at("hover", URI, next(spots)), self.cpu_seconds, due))
            due += DUE_SECONDS
            is_reported = any(each.uri == HOSTILE_URI and each.version == version for each in self.published)
            if is_reported and len(busy) == busy.maxlen and sum(busy) < BUSY_SHARE * len(busy):
                break
        with suppress(TimeoutError):
            last = asked[-1][0]
            self.wait(lambda: last in self.answers, max(1.0, started + PATIENCE_SECONDS - time.perf_counter()))
        now, cpu_now = time.perf_counter(), self.cpu_seconds
        cpu = max(self.cpu_at.get(each, cpu_now) - before for each, before, _ in asked)
        wall = max((self.answers[each][1] if each in self.answers else now) - sent for each, _, sent in asked)
        return cpu * 1000, wall * 1000


def _warm(client: _Watch) -> None:
    """Load the code that every text needs, so that its cost is not counted for the hostile text."""
    for spot in places(definition_of_lines(100)):
        client.answer(client.at("hover", URI, spot))
    client.open(HOSTILE_URI, definition_of_lines(100).text)
    client.diagnostics(HOSTILE_URI, 0)
    ask_about_all(client, HOSTILE_URI)
    client.change(HOSTILE_URI, 1, Change((2, 0), (2, 0), "# typed\n"))
    client.diagnostics(HOSTILE_URI, 1)
    client.close(HOSTILE_URI)
    client.settle(2.0)


def _attack(name: str, text: str) -> Iterator[Row]:
    size = len(text.encode()) / 1_000_000
    with _Watch() as client:
        client.initialize()
        client.open(URI, definition_of_lines(100).text)
        client.diagnostics(URI, 0)
        client.settle(1.0)
        _warm(client)
        before, cpu = resident_megabytes(client.process.pid), client.cpu_seconds
        client.open(HOSTILE_URI, text)
        opened = client.longest_hover(0)
        cpu = client.cpu_seconds - cpu
        last = [each for each in client.published if each.uri == HOSTILE_URI][-1:]
        ask_about_all(client, HOSTILE_URI)
        asked = client.longest_hover(0)
        client.change(HOSTILE_URI, 1, Change((2, 0), (2, 0), "# typed\n"))
        edited = client.longest_hover(1)
        peak = peak_megabytes(client.process.pid)
        client.close(HOSTILE_URI)
        client.pause(3.0)
        closed = resident_megabytes(client.process.pid)
    codes = sorted({str(found.get("code", "...")) for each in last for found in each.diagnostics})
    longest = max(opened[0], asked[0], edited[0])
    beside = {"opened": opened[0], "asked": asked[0], "edited": edited[0]}
    wall = max(opened[1], asked[1], edited[1])
    what = f"{name} ({size:.2f} MB: {', '.join(codes)})"
    yield Row("hostile", what, "ms", longest, wall, cpu * 1000, BAR_MS, longest, beside)
    beside = {"text": size, "after closing": closed - before}
    bar = max(10 * size, LEAST_MEGABYTES)
    yield Row("hostile", f"{name}: memory", "MB", peak - before, bar=bar, judged=peak - before, beside=beside)


def measure(*, quick: bool, only: str = "") -> Iterator[Row]:
    """Yield the rows of the table."""
    for name, make in HOSTILE_TEXTS.items():
        if only in name:
            try:
                yield from _attack(name, make(QUICK_SHARE if quick else 1.0))
            except (ConnectionError, TimeoutError) as error:
                yield Row("hostile", f"{name}: {error}", "", 0)


if __name__ == "__main__":
    import sys

    for row in measure(quick=False, only=sys.argv[1] if len(sys.argv) > 1 else ""):
        print(" | ".join(row.cells()), flush=True)
