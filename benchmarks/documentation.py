"""Writes the measurements into docs/performance.md, and the chart beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.chart import Curves, log_log
from benchmarks.connection import ROOT
from benchmarks.report import Row, markdown

if TYPE_CHECKING:
    from pathlib import Path

PAGE = ROOT / "docs" / "performance.md"
CHART = ROOT / "docs" / "performance-growth.svg"
BEGIN, END = "<!-- measured: written by `python -m benchmarks --write-docs` -->", "<!-- end of measured -->"


def curves(rows: list[Row]) -> Curves:
    """Return the points of the curve of each kind of edit."""
    found: Curves = {}
    for row in rows:
        if row.size is not None:
            found.setdefault(row.what.rpartition(", ")[0], []).append((row.size, row.median))
    return found


def with_measured(page: str, head: str, rows: list[Row]) -> str:
    """Return the page with new numbers. Raises ValueError if it has no place for them."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no place for the numbers; it needs the lines {BEGIN!r} and {END!r}")
    shown = markdown([row for row in rows if row.size is None])
    if curves(rows):
        shown += f"\n![Processor time for an edit, by kind of edit and size of the definition]({CHART.name})\n"
    return f"{before}{begin}\n\n```text\n{head}\n```\n\n{shown}\n{end}{after}"


def write(head: str, rows: list[Row], page: Path = PAGE, chart: Path = CHART) -> None:
    """Write the page, and the chart if growth was measured."""
    page.write_text(with_measured(page.read_text(encoding="utf-8"), head, rows), encoding="utf-8")
    found = curves(rows)
    if found:
        drawn = log_log(found, "resources in the definition", "milliseconds of processor time for an edit")
        chart.write_text(drawn, encoding="utf-8")
