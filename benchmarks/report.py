"""How the measurements are shown: a table, or JSON with `--json`."""

from __future__ import annotations

import argparse
import json
import math

Row = dict[str, str | int | float]


def percentile(values: list[float], share: float) -> float:
    """The smallest value that at least this share (0 to 1) of the values do not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def wants_json(description: str | None) -> bool:
    """Read the command line, whose only option is `--json`."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return bool(parser.parse_args().json)


def show(rows: list[Row], as_json: bool) -> None:
    """Print rows that all have the same keys; numbers with a fraction get two digits of it."""
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    lines = [list(rows[0])] + [
        [f"{value:.2f}" if isinstance(value, float) else str(value) for value in row.values()] for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for cells in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip())
