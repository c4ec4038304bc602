"""A workspace of 1,000 definitions: until all are indexed, and the first open file meanwhile."""

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

FILES, QUICK_FILES = 1000, 100
INDEX_BAR = 5.0  # seconds
FIRST_BAR = 1.5  # times the same in an empty folder


def _indexed(folder: Path, files: int) -> float:
    """Seconds from `initialized` until a kind that the last file declares is known in an open one."""
    text = user_of("kro.run/v1alpha1", f"Generated{files}").text
    uri = (folder / "user.yaml").as_uri()
    with Client(KRO_LS, folder) as client:
        client.initialize()
        sent = client.open(uri, text)
        client.wait(lambda: any(each.uri == uri and is_known(each.diagnostics) for each in client.published))
        return client.published[-1].at - sent


def _first_open(folder: Path | None, number: int) -> float:
    """Milliseconds to the first diagnostics of a file opened at once."""
    uri = "file:///benchmark/definition.yaml"
    with Client(KRO_LS, folder) as client:
        client.initialize()
        sent = client.open(uri, definition_of_lines(100, number).text)
        return (client.diagnostics(uri, 0).at - sent) * 1000


def measure(*, quick: bool) -> Iterator[Row]:
    """The rows of the table."""
    files, runs = (QUICK_FILES, 1) if quick else (FILES, 3)
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as empty:
        folder = Path(name)
        write_definitions(folder, files)
        try:
            seconds = [_indexed(folder, files) for _ in range(runs)]
        except TimeoutError:
            yield Row("workspace", f"index of {files:,} definitions", "s", PATIENCE_SECONDS, bar=INDEX_BAR, limit=True)
        else:
            yield row_of(
                "workspace",
                f"index of {files:,} definitions",
                seconds,
                unit="s",
                bar=INDEX_BAR,
                judged=median(seconds),
            )
        alone, beside = zip(
            *(
                (_first_open(Path(empty), files + run), _first_open(folder, files + run))
                for run in range(1, 2 * runs + 1)
            ),
            strict=True,
        )
        yield row_of(
            "workspace",
            f"first open file beside them, 100 lines, opened at once (bar: {FIRST_BAR} times an empty folder)",
            list(beside),
            bar=FIRST_BAR * median(list(alone)),
            judged=median(list(beside)),
            beside={"empty folder": median(list(alone))},
        )
