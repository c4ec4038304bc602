"""Time of hover, completion and definition in a definition of 5,000 lines, as a client sees it."""

from __future__ import annotations

import time

from benchmarks.client import KRO_LS, Client
from benchmarks.edit_to_diagnostics import place_of_edit
from benchmarks.generate import definition_of_lines
from benchmarks.report import Row, percentile, show, wants_json

LINES = 5000
REPEATS = 200
WARM_UP = 10
BAR = 5  # milliseconds, 95th percentile


def main() -> None:
    """Measure and print."""
    as_json = wants_json(__doc__)
    text = definition_of_lines(LINES)
    uri = "file:///benchmark/definition.yaml"
    line, column = place_of_edit(text)
    rows: list[Row] = []
    with Client(KRO_LS) as client:
        client.initialize()
        client.open(uri, text)
        for feature in ("hover", "completion", "definition"):
            times = []
            for repeat in range(WARM_UP + REPEATS):
                position = {"line": line, "character": column - repeat % 4}  # somewhere in the field's name
                started = time.perf_counter()
                answer = client.request(f"textDocument/{feature}", {"textDocument": {"uri": uri}, "position": position})
                times.append((time.perf_counter() - started) * 1000)
                if not answer:
                    raise ValueError(f"the server had no answer to {feature} at {position}")
            rows.append(
                {
                    "request": feature,
                    "median ms": percentile(times[WARM_UP:], 0.5),
                    "95% ms": percentile(times[WARM_UP:], 0.95),
                    "bar": BAR,
                }
            )
    show(rows, as_json)


if __name__ == "__main__":
    main()
