"""Start of the server's process to the answer to `initialize`, beside an empty pygls server; start of a command."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.client import EMPTY_SERVER, KRO_LS, Client
from benchmarks.connection import ROOT
from benchmarks.definitions import definition
from benchmarks.report import Row, row_of
from benchmarks.summary import median

if TYPE_CHECKING:
    from collections.abc import Iterator

RATIO_BAR = 1.2  # times the empty server
COMMAND_BAR = 150.0  # milliseconds


def _initialized(command: tuple[str, ...]) -> tuple[float, float]:
    """Return the milliseconds to the answer, and of processor time."""
    with Client(command) as client:
        client.initialize()
        return (time.perf_counter() - client.started) * 1000, client.cpu_seconds * 1000


def _checked(path: Path) -> float:
    """Return the milliseconds of a whole run of `kro-ls check` on one file."""
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "kro_ls", "check", str(path)], cwd=ROOT, stdout=subprocess.DEVNULL, check=True
    )
    return (time.perf_counter() - started) * 1000


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    runs = 2 if quick else 15
    _initialized(KRO_LS)  # fills the caches of the file system and of compiled modules
    _initialized(EMPTY_SERVER)
    ours, empty = zip(*((_initialized(KRO_LS), _initialized(EMPTY_SERVER)) for _ in range(runs)), strict=True)
    for column, what in enumerate(("process start to initialize answered", "the same, processor time")):
        times, floor = [run[column] for run in ours], median([run[column] for run in empty])
        bar = RATIO_BAR * floor  # on a machine that is not idle, processor time is more reliable
        yield row_of("start", what, times, bar=bar, judged=median(times), beside={"empty": floor})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "definition.yaml"
        path.write_text(definition(2).text, encoding="utf-8")
        times = [_checked(path) for _ in range(runs)]
    yield row_of("start", "kro-ls check, one small file, whole process", times, bar=COMMAND_BAR, judged=median(times))
