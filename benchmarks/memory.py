"""Resident memory of the server with one open definition, and in a workspace of 1,000 files (Linux).

A child process of the server counts too. The workspace counts as read when the memory has stopped changing.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from benchmarks.client import EMPTY_SERVER, KRO_LS, Client
from benchmarks.generate import definition
from benchmarks.report import Row, show, wants_json

RESOURCES = 17  # about 100 lines
BARS = {1: 90, 1000: 250}  # megabytes
QUIET_SECONDS = 3.0
PATIENCE_SECONDS = 120.0


def descendants(process: int) -> list[int]:
    """A process and all that it has started."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    children = [int(child) for task in tasks for child in task.read_text().split()]
    return [process] + [one for child in children for one in descendants(child)]


def resident_megabytes(process: int) -> float:
    """Resident memory of a process and its descendants, in units of 1,000,000 bytes."""
    kibibytes = 0
    for one in descendants(process):
        status = Path(f"/proc/{one}/status").read_text()
        kibibytes += next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
    return kibibytes * 1024 / 1_000_000


def settled_megabytes(process: int) -> float:
    """The memory once it has changed by less than 1 % for a while."""
    reference, since = resident_megabytes(process), time.monotonic()
    give_up = since + PATIENCE_SECONDS
    while time.monotonic() - since < QUIET_SECONDS and time.monotonic() < give_up:
        time.sleep(0.2)
        now = resident_megabytes(process)
        if abs(now - reference) > 0.01 * reference:
            reference, since = now, time.monotonic()
    return resident_megabytes(process)


def measure(command: list[str], files: int) -> float:
    """Megabytes in a workspace with that many definitions, one of them open."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"definition-{number}.yaml" for number in range(files)]
        for number, path in enumerate(paths):
            path.write_text(definition(RESOURCES, number), encoding="utf-8")
        with Client(command, workspace=Path(folder)) as client:
            client.initialize()
            client.open(paths[0].as_uri(), paths[0].read_text(encoding="utf-8"))
            return settled_megabytes(client.process.pid)


def main() -> None:
    """Measure and print."""
    as_json = wants_json(__doc__)
    empty = measure(EMPTY_SERVER, 1)
    rows: list[Row] = [
        {"definitions": files, "MB": measure(KRO_LS, files), "bar": bar, "empty MB": empty}
        for files, bar in BARS.items()
    ]
    show(rows, as_json)


if __name__ == "__main__":
    main()
