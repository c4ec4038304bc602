"""The full analysis of a text from scratch, per resource: in this process, warm; each text is new."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from benchmarks.definitions import definition
from benchmarks.report import Row, row_of
from benchmarks.summary import median

if TYPE_CHECKING:
    from collections.abc import Iterator

RESOURCES = 100
WARM_UP = 3
BAR = 0.55


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    from benchmarks.in_process import messages, settle

    times = []
    for number in range(1, WARM_UP + (10 if quick else 30) + 1):
        if number == WARM_UP + 1:
            settle()
        text = definition(RESOURCES, number).text
        started = time.process_time()
        if found := messages(text):
            raise RuntimeError(f"the generated definition is not right: {found[0]}")
        times.append((time.process_time() - started) * 1000 / RESOURCES)
    yield row_of(
        "analysis",
        f"from scratch, per resource, {RESOURCES} resources (processor time)",
        times[WARM_UP:],
        bar=BAR,
        judged=median(times[WARM_UP:]),
    )
