"""From opening a definition new to the server to its first and its complete diagnostics, in fresh servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.client import EMPTY_SERVER, KRO_LS, Client
from benchmarks.definitions import LINES_TO_RESOURCES, definition
from benchmarks.report import Row, row_of
from benchmarks.summary import median

if TYPE_CHECKING:
    from collections.abc import Iterator

URI = "file:///benchmark/definition.yaml"
FAULTS = 10
"""Faults planted in each text, the last one in its last resource: diagnostics are complete when all are reported."""
IDLE_SECONDS = 1.0
# Lines, seconds after initialize, milliseconds for the first diagnostics.
CASES = ((100, IDLE_SECONDS, 30.0), (100, 0.0, None), (500, IDLE_SECONDS, None), (5000, IDLE_SECONDS, None))
QUICK_CASES = (CASES[0], CASES[3])


def _open(command: tuple[str, ...], lines: int, idle: float) -> tuple[float, float, float]:
    """Return the milliseconds to the first diagnostics, to the complete ones, and of processor time."""
    text = definition(LINES_TO_RESOURCES[lines], number=1, faults=FAULTS).text
    with Client(command) as client:
        client.initialize()
        client.pause(idle)
        cpu = client.cpu_seconds
        sent = client.open(URI, text)
        first = client.diagnostics(URI, 0).at
        complete = client.diagnostics(URI, 0, at_least=FAULTS).at
        client.settle()
        used = client.cpu_seconds - cpu
    return (first - sent) * 1000, (complete - sent) * 1000, used * 1000


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    for lines, idle, bar in QUICK_CASES if quick else CASES:
        times = [_open(KRO_LS, lines, idle) for _ in range(1 if quick else 5)]
        floor = median([_open(EMPTY_SERVER, lines, 0.0)[0] for _ in range(1 if quick else 2)])
        first, complete, cpu_ms = (list(column) for column in zip(*times, strict=True))
        when = f"{idle:.0f} s after" if idle else "right after"
        what = f"open {lines:,} lines {when} initialize"
        yield row_of(
            "opening",
            f"{what}, first diagnostics",
            first,
            bar=bar,
            judged=median(first),
            cpu_ms=cpu_ms,
            beside={"empty": floor},
        )
        yield row_of("opening", f"{what}, complete diagnostics", complete)
