"""The numbers as rows with the design's bars, and their forms: a table, Markdown, JSON."""

from __future__ import annotations

import os
import platform
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.summary import median, percentile

if TYPE_CHECKING:
    from collections.abc import Iterable

HEADINGS = ("what", "median", "95%", "CPU ms", "judged", "bar", "", "beside it")


@dataclass(frozen=True, slots=True)
class Row:
    """One number. `judged` is the value that the bar is for, by default the 95th percentile.

    `cpu_ms` is the processor time of the server for one operation, `beside` what others needed in the same run
    (medians, in the row's unit), `size` the number of resources if the row is one point of a curve. `limit` means that
    waiting ended there, `at_least` that more is better.
    """

    subject: str
    what: str
    unit: str
    median: float
    p95: float | None = None
    cpu_ms: float | None = None
    bar: float | None = None
    judged: float | None = None
    beside: dict[str, float] = field(default_factory=dict)
    size: int | None = None
    limit: bool = False
    at_least: bool = False

    @property
    def verdict(self) -> str:
        """`met` or `over`, empty where there is no bar."""
        if self.bar is None or self.judged is None:
            return ""
        if self.at_least:
            return "met" if self.judged >= self.bar else "under"
        return "over" if self.limit or self.judged > self.bar else "met"

    def cells(self) -> tuple[str, ...]:
        """Return the cells below `HEADINGS`."""
        shown = ", ".join(
            f"{name} {_number(value)} {self.unit}" + ("" if self.limit else _ratio(self.median, value))
            for name, value in self.beside.items()
        )
        bar = "" if self.bar is None else f"{_number(self.bar)} {self.unit}"
        more = "> " if self.limit else ""
        return (
            self.what,
            f"{more}{_number(self.median)} {self.unit}".strip(),
            _number(self.p95),
            _number(self.cpu_ms),
            "" if self.bar is None else more + _number(self.judged),
            bar.strip(),
            self.verdict,
            shown,
        )


def row_of(
    subject: str,
    what: str,
    times: list[float],
    *,
    unit: str = "ms",
    bar: float | None = None,
    judged: float | None = None,
    cpu_ms: list[float] | None = None,
    beside: dict[str, float] | None = None,
) -> Row:
    """Return a row of many measurements; the bar is for the 95th percentile unless `judged` is given."""
    p95 = percentile(times, 0.95)
    return Row(
        subject,
        what,
        unit,
        median(times),
        p95,
        median(cpu_ms) if cpu_ms else None,
        bar,
        p95 if judged is None else judged,
        beside or {},
    )


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def _ratio(value: float, other: float) -> str:
    if not value or not other:
        return ""
    return f" (1:{other / value:.0f})" if value < other / 10 else f" (x {value / other:.1f})"


def _by_subject(rows: Iterable[Row]) -> dict[str, list[Row]]:
    subjects: dict[str, list[Row]] = {}
    for row in rows:
        subjects.setdefault(row.subject, []).append(row)
    return subjects


def table(rows: list[Row]) -> str:
    """Return the rows for a terminal."""
    lines = [HEADINGS, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]

    def line(cells: tuple[str, ...]) -> str:
        padded = [
            cell.rjust(width) if 0 < at < 6 else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    shown = [line(HEADINGS)]
    for subject, of_subject in _by_subject(rows).items():
        shown += ["", subject.upper(), *(line(row.cells()) for row in of_subject)]
    return "\n".join(shown)


def markdown(rows: list[Row]) -> str:
    """Return the rows for a page of documentation."""
    shown = []
    for subject, of_subject in _by_subject(rows).items():
        shown += [f"### {subject.capitalize()}", "", _markdown_line(HEADINGS), "|---|" + "---:|" * 5 + "---|---|"]
        shown += [*(_markdown_line(row.cells()) for row in of_subject), ""]
    return "\n".join(shown)


def _markdown_line(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"


def as_data(rows: list[Row]) -> list[dict[str, Any]]:
    """Return the rows for JSON, each with its verdict."""
    return [{**asdict(row), "verdict": row.verdict} for row in rows]


def machine() -> str:
    """Return the processors, their load, and the version of Python."""
    cpus = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.partition(":")[2].strip() for line in cpus if line.startswith("model name")]
    name = models[0] if models else platform.machine()
    load = os.getloadavg()[0]
    return f"{len(models)} x {name}, load {load:.1f}, {platform.system()}, Python {platform.python_version()}"
