"""Time from an edit to the diagnostics of the new text, as a client sees it, beside an empty server.

A key is pressed in the middle of the document, in turn making and mending an unknown field. The server waits a fixed
time for a next edit before it starts; that time is in the numbers, and the bars are without it.
"""

from __future__ import annotations

import time

from benchmarks.client import EMPTY_SERVER, KRO_LS, Client
from benchmarks.generate import definition_of_lines
from benchmarks.report import Row, percentile, show, wants_json
from kro_ls.server.publishing import DEBOUNCE_SECONDS

EDITS = 200
WARM_UP = 20
BARS = {100: 5, 500: 8, 5000: 15}  # milliseconds, 95th percentile in the server
FIELD = "schema.spec.name"


def place_of_edit(text: str) -> tuple[int, int]:
    """Line and column (0-based) after the field's name in an expression in the middle of the document."""
    lines = text.split("\n")
    for line in range(len(lines) // 2, len(lines)):
        if FIELD in lines[line]:
            return line, lines[line].index(FIELD) + len(FIELD)
    raise ValueError("no expression in the second half")


def measure(command: list[str], text: str) -> list[float]:
    """Milliseconds for each edit of that document."""
    uri = "file:///benchmark/definition.yaml"
    line, column = place_of_edit(text)
    times = []
    with Client(command) as client:
        client.initialize()
        client.open(uri, text)
        for version in range(1, WARM_UP + EDITS + 1):
            started = time.perf_counter()
            if version % 2:
                found = client.replace(uri, version, line, (column, column), "x")
                if not found:
                    raise ValueError("the server did not see the unknown field")
            else:
                client.replace(uri, version, line, (column, column + 1), "")
            times.append((time.perf_counter() - started) * 1000)
    return times[WARM_UP:]


def main() -> None:
    """Measure and print."""
    as_json = wants_json(__doc__)
    rows: list[Row] = []
    for lines, bar in BARS.items():
        text = definition_of_lines(lines)
        ours = measure(KRO_LS, text)
        empty = measure(EMPTY_SERVER, text)
        rows.append(
            {
                "lines": lines,
                "median ms": percentile(ours, 0.5),
                "95% ms": percentile(ours, 0.95),
                "of it debounce": DEBOUNCE_SECONDS * 1000,
                "bar": bar,
                "empty median ms": percentile(empty, 0.5),
                "empty 95% ms": percentile(empty, 0.95),
                "ratio of medians": percentile(ours, 0.5) / percentile(empty, 0.5),
            }
        )
    show(rows, as_json)


if __name__ == "__main__":
    main()
