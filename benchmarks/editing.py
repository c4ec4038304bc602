"""From an edit to its diagnostics, for kinds of edits at 100, 500 and 5,000 lines, at a typist's pace and in bursts."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.client import EMPTY_SERVER, KRO_LS, Client, Published
from benchmarks.definitions import Definition, definition, definition_of_lines
from benchmarks.edits import KINDS, Kind, Step
from benchmarks.report import Row, row_of
from benchmarks.summary import median, percentile

if TYPE_CHECKING:
    from collections.abc import Iterator

URI = "file:///benchmark/definition.yaml"
KEY_SECONDS = 0.15
WARM_UP = 2
EDITS = {100: 40, 500: 40, 5000: 40}
"""Enough that the slowest edit is not the 95th percentile."""
QUICK_EDITS = {100: 3, 5000: 2}
QUICK_KINDS = ("template value", "status expression")
BURSTS = 5
KEYS_OF_BURST = 20
BURST_KINDS = ("template value", "expression", "comment in spec.schema", "name of a field, readByAll")

BARS = {100: 5.0, 500: 8.0, 5000: 12.0}
BARS_OF_FIELDS = {"readByOne": 6.0, "readByTen": 10.0, "readByAll": 100.0}
DEBOUNCE_BAR = 30.0
FLOORS = {100: 1.0, 5000: 1.7}
"""The milliseconds of an empty server where the bars were set (the design, "Speed and size")."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds from an edit to its first diagnostics, and to the last that brought something new.

    `cpu` is the processor time of all work after the edit, `cpu_to_first` that until the first diagnostics.
    """

    first: float
    complete: float
    cpu: float
    cpu_to_first: float


class Editor:
    """One definition open in a server, and a stream of edits of it."""

    def __init__(self, client: Client, opened: Definition, kind: Kind, version: int = 0) -> None:
        self.client, self.text, self.version = client, opened.text, version
        self._steps: Iterator[Step] = kind.steps(opened)
        self._faults = kind.faults(opened) if client.process.args != EMPTY_SERVER else 0

    def next(self, *, pause: float = 0.0) -> Timing:
        """Make the next measured edit, and wait until the server has done all its work and the pause is over."""
        while True:
            step = next(self._steps)
            timing = self._make(step, pause)
            if step.is_measured:
                return timing

    def _make(self, step: Step, pause: float) -> Timing:
        client = self.client
        self.version += 1
        self.text = step.change.apply(self.text)
        cpu = client.cpu_seconds
        sent = client.change(URI, self.version, step.change)
        faults = self._faults if step.is_measured else 0
        client.diagnostics(URI, self.version)
        cpu_to_first = client.cpu_seconds - cpu
        client.diagnostics(URI, self.version, at_least=faults)
        client.settle()
        client.pause(sent + pause - time.perf_counter())
        news = self._news()
        used = client.cpu_seconds - cpu
        return Timing((news[0].at - sent) * 1000, (news[-1].at - sent) * 1000, used * 1000, cpu_to_first * 1000)

    def burst(self, keys: int) -> tuple[float, float]:
        """Send edits at once; return the milliseconds from the last to its diagnostics, and those of processor time."""
        client = self.client
        cpu = client.cpu_seconds
        sent = 0.0
        for step in itertools.islice(self._steps, keys):
            self.version += 1
            sent = client.change(URI, self.version, step.change)
        client.diagnostics(URI, self.version, at_least=self._faults)
        client.settle()
        return (self._news()[-1].at - sent) * 1000, (client.cpu_seconds - cpu) * 1000

    def _news(self) -> list[Published]:
        """Return the first diagnostics of the newest version, and the later ones that differ from the previous ones."""
        came = [each for each in self.client.published if each.uri == URI and each.version in (self.version, None)]
        return came[:1] + [new for old, new in itertools.pairwise(came) if new.diagnostics != old.diagnostics]


def measure_kind(client: Client, opened: Definition, kind: Kind, edits: int, pause: float) -> list[Timing]:
    """Open a definition, edit it, close it, and return the timings."""
    client.open(URI, opened.text)
    client.diagnostics(URI, 0)
    client.settle()
    editor = Editor(client, opened, kind)
    timings = [editor.next(pause=pause) for _ in range(WARM_UP + edits)]
    client.close(URI)
    return timings[WARM_UP:]


def _debounce(pause: float, edits: int) -> list[float]:
    """Return the milliseconds that the server waits before it works, from edits of a very small definition."""
    with Client(KRO_LS) as client:
        client.initialize()
        timings = measure_kind(client, definition(2), KINDS[0], edits, pause)
    return [each.first - each.cpu_to_first for each in timings]


def _bar(kind: Kind, lines: int) -> float:
    field = kind.name.rpartition(" ")[2]
    return BARS_OF_FIELDS.get(field, BARS[lines])


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table. Bars exclude the debounce, which is measured first."""
    pause = 0.0 if quick else KEY_SECONDS
    waits = _debounce(pause, 3 if quick else 10)
    wait = median(waits)
    yield row_of("editing", "debounce: wall less CPU, a tiny file", waits, bar=DEBOUNCE_BAR, judged=wait)
    for lines, edits in (QUICK_EDITS if quick else EDITS).items():
        with Client(EMPTY_SERVER) as client:
            client.initialize()
            floors = [each.first for each in measure_kind(client, definition_of_lines(lines), KINDS[0], edits, pause)]
        floor = median(floors)
        beside = {"where the bars were set": FLOORS[lines]} if lines in FLOORS else {}
        yield row_of("editing", f"{lines:,} lines: an empty server", floors, beside=beside)
        with Client(KRO_LS) as client:
            client.initialize()
            client.settle()
            for number, kind in enumerate(KINDS):
                if quick and kind.name not in QUICK_KINDS:
                    continue
                timings = measure_kind(client, definition_of_lines(lines, number), kind, edits, pause)
                times = [each.complete for each in timings]
                yield row_of(
                    "editing",
                    f"{lines:,} lines: {kind.name}",
                    times,
                    bar=_bar(kind, lines),
                    judged=percentile(times, 0.95) - wait,
                    cpu_ms=[each.cpu for each in timings],
                    beside={"empty": floor},
                )
            if not quick:
                yield from _bursts(client, lines)


def _bursts(client: Client, lines: int) -> Iterator[Row]:
    for number, kind in enumerate(KINDS):
        if kind.name not in BURST_KINDS:
            continue
        opened = definition_of_lines(lines, number + len(KINDS))
        client.open(URI, opened.text)
        client.diagnostics(URI, 0)
        client.settle()
        editor = Editor(client, opened, kind)
        times, cpu_ms = zip(*(editor.burst(KEYS_OF_BURST) for _ in range(BURSTS)), strict=True)
        client.close(URI)
        yield row_of(
            "bursts", f"{lines:,} lines: {KEYS_OF_BURST} keys at once, {kind.name}", list(times), cpu_ms=list(cpu_ms)
        )
