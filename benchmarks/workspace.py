"""A workspace of 1,000 definitions: the time until all are indexed, and the first open file in the meantime."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.client import KRO_LS, Client
from benchmarks.connection import PATIENCE_SECONDS
from benchmarks.definitions import definition_of_lines
from benchmarks.folders import is_known, user_of, write_definitions
from benchmarks.report import Row, row_of
from benchmarks.summary import median

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES, QUICK_FILES = 1000, 50
INDEX_BAR = 5.0  # seconds
FIRST_BAR = 1.5  # times the same in an empty folder


def _indexed(folder: Path, files: int) -> tuple[float, float]:
    """Return the seconds from `initialized` until an open file knows the last file's kind, and the CPU milliseconds."""
    text = user_of("kro.run/v1alpha1", f"Generated{files}").text
    uri = (folder / "user.yaml").as_uri()
    with Client(KRO_LS, folder) as client:
        client.initialize()
        cpu = client.cpu_seconds
        sent = client.open(uri, text)
        client.wait(lambda: any(each.uri == uri and is_known(each.diagnostics) for each in client.published))
        return client.published[-1].at - sent, (client.cpu_seconds - cpu) * 1000


def _first_open(folder: Path | None, number: int) -> float:
    """Return the milliseconds to the first diagnostics of a file opened at once."""
    uri = "file:///benchmark/definition.yaml"
    with Client(KRO_LS, folder) as client:
        client.initialize()
        sent = client.open(uri, definition_of_lines(100, number).text)
        return (client.diagnostics(uri, 0).at - sent) * 1000


def _index_row(folder: Path, files: int, runs: int) -> Row:
    what = f"index of {files:,} definitions"
    try:
        measured = [_indexed(folder, files) for _ in range(runs)]
    except TimeoutError:
        return Row("workspace", what, "s", PATIENCE_SECONDS, bar=INDEX_BAR, judged=PATIENCE_SECONDS, limit=True)
    seconds, cpu_ms = [run[0] for run in measured], [run[1] for run in measured]
    return row_of("workspace", what, seconds, unit="s", bar=INDEX_BAR, judged=median(seconds), cpu_ms=cpu_ms)


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    files, runs = (QUICK_FILES, 1) if quick else (FILES, 3)
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as empty:
        folder = Path(name)
        write_definitions(folder, files)
        yield _index_row(folder, files, runs)
        alone, beside = [], []
        for number in range(files + 1, files + 1 + runs):  # no file in the folder has these numbers
            alone.append(_first_open(Path(empty), number))
            beside.append(_first_open(folder, number))
    yield row_of(
        "workspace",
        f"first open file beside them, 100 lines, opened at once (bar: {FIRST_BAR} times an empty folder)",
        beside,
        bar=FIRST_BAR * median(alone),
        judged=median(beside),
        beside={"empty folder": median(alone)},
    )
