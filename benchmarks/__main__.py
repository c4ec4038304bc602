"""`python -m benchmarks`: measures kro-ls and prints one table with the design's bars beside the numbers."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.report import Row, as_data, machine, table

SUBJECTS = (
    "start",
    "checking",
    "admission",
    "opening",
    "editing",
    "pauses",
    "typing_sessions",
    "typing_in_editors",
    "requests",
    "completion_ranking",
    "calm",
    "fixes",
    "responsiveness",
    "hostile",
    "analysis",
    "previews",
    "plans",
    "graphs",
    "compositions",
    "workspace",
    "crds",
    "kinds",
    "entered",
    "memory",
    "growth",
    "peer",
)


def _measured(name: str, **options: int | None) -> list[Row]:
    """Return the rows of one subject; after a failure, which is reported, those measured until then."""
    rows: list[Row] = []
    started = time.monotonic()
    try:
        for row in importlib.import_module(f"benchmarks.{name}").measure(**options):
            rows.append(row)
            print("  ".join(cell for cell in row.cells() if cell), file=sys.stderr)
    except Exception as error:
        print(f"{name} stopped: {error!r}", file=sys.stderr)
        rows.append(Row(name, f"stopped: {error!r}", "", 0))
    print(f"-- {name}: {time.monotonic() - started:.0f} s", file=sys.stderr)
    return rows


def main() -> None:
    """Measure the subjects named on the command line and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--only", nargs="+", choices=SUBJECTS, default=SUBJECTS, metavar="NAME", help=", ".join(SUBJECTS)
    )
    parser.add_argument(
        "--seed",
        type=int,
        metavar="NUMBER",
        help="draw the definitions that typing_in_editors types with this seed",
    )
    parser.add_argument("--quick", action="store_true", help="fewer repetitions and smaller sizes, about a minute")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers to this file")
    parser.add_argument(
        "--write-docs", action="store_true", help="write the table and the chart of docs/performance.md"
    )
    arguments = parser.parse_args()
    # An installation has compiled modules, so the measured processes may write them, whatever this environment says.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    command = "python -m benchmarks" + " ".join(["", *sys.argv[1:]])
    head = {"command": command, "machine": machine(), "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"}
    options = {name: {"quick": arguments.quick} for name in arguments.only}
    if arguments.seed is not None:
        options.setdefault("typing_in_editors", {})["seed"] = arguments.seed
    rows = [row for name in arguments.only for row in _measured(name, **options[name])]
    shown = "\n".join(head.values())
    print(f"{shown}\n\n{table(rows)}")
    if arguments.json:
        arguments.json.write_text(json.dumps({**head, "rows": as_data(rows)}, indent=1), encoding="utf-8")
    if arguments.write_docs:
        from benchmarks.documentation import write

        write(shown, rows)
    if any(row.what.startswith("stopped: ") for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
