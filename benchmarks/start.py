"""Time from the start of the process to its answer to initialize, and on to the first diagnostics of a 100-line file.

An empty pygls server is started beside it, in turns.
"""

from __future__ import annotations

import time

from benchmarks.client import EMPTY_SERVER, KRO_LS, Client
from benchmarks.generate import definition_of_lines
from benchmarks.report import Row, percentile, show, wants_json

RUNS = 15
START_BAR = 1.2  # times the empty server
OPEN_BAR = 100  # milliseconds


def measure(command: list[str], text: str) -> tuple[float, float]:
    """Milliseconds from start to initialized, and from opening a document to its first diagnostics."""
    started = time.perf_counter()
    with Client(command) as client:
        client.initialize()
        initialized = time.perf_counter()
        client.open("file:///benchmark/definition.yaml", text)
        return (initialized - started) * 1000, (time.perf_counter() - initialized) * 1000


def main() -> None:
    """Measure and print."""
    as_json = wants_json(__doc__)
    text = definition_of_lines(100)
    measure(KRO_LS, text)  # fills the caches of the file system and of compiled modules
    measure(EMPTY_SERVER, text)
    ours, empty = [], []
    for _ in range(RUNS):
        ours.append(measure(KRO_LS, text))
        empty.append(measure(EMPTY_SERVER, text))
    rows: list[Row] = []
    for column, (what, bar) in enumerate(
        [("start to initialize", f"{START_BAR} x"), ("open to first diagnostics", f"{OPEN_BAR} ms")]
    ):
        mine, floor = [run[column] for run in ours], [run[column] for run in empty]
        rows.append(
            {
                "what": what,
                "median ms": percentile(mine, 0.5),
                "95% ms": percentile(mine, 0.95),
                "bar": bar,
                "empty median ms": percentile(floor, 0.5),
                "ratio of medians": percentile(mine, 0.5) / percentile(floor, 0.5),
            }
        )
    show(rows, as_json)


if __name__ == "__main__":
    main()
