"""Hover and completion in one document while the server is busy with other things.

A request is sent every 50 ms, whether or not the previous one is answered, and is timed from when it was due.
"""

from __future__ import annotations

import itertools
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.client import KRO_LS, Client
from benchmarks.connection import PATIENCE_SECONDS
from benchmarks.definitions import definition, definition_of_lines
from benchmarks.edits import KINDS
from benchmarks.folders import is_known, user_of, write_definitions
from benchmarks.report import Row, row_of
from benchmarks.requests import ask_about_all, places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

URI = "file:///benchmark/small.yaml"
LARGE_URI = "file:///benchmark/large.yaml"
DUE_SECONDS = 0.05
FILES, QUICK_FILES = 1000, 50
FAULTS = 10
LINES = 5000
BAR = 20.0


def _ask_until(client: Client, is_over: Callable[[], object]) -> list[float]:
    """Return the milliseconds of each request that was due before the work was over."""
    due, asked = time.perf_counter(), []
    spots = itertools.cycle(places(definition_of_lines(100)))
    end = due + PATIENCE_SECONDS
    for feature in itertools.cycle(("hover", "completion")):
        client.pause(due - time.perf_counter())
        if is_over() or time.perf_counter() > end:
            break
        asked.append((due, client.at(feature, URI, next(spots))))
        due += DUE_SECONDS
    return [(client.answer(identifier)[1] - due) * 1000 for due, identifier in asked]


def _rows(what: str, times: list[float]) -> Iterator[Row]:
    yield row_of("responsiveness", f"{what} ({len(times)} requests)", times, bar=BAR)
    yield Row("responsiveness", "the longest of them", "ms", max(times))


def _while_opening(resources: int) -> list[float]:
    with Client(KRO_LS) as client:
        client.initialize()
        client.open(URI, definition_of_lines(100).text)
        client.settle()
        client.open(LARGE_URI, definition(resources, 1, FAULTS).text)
        return _ask_until(
            client,
            lambda: any(each.uri == LARGE_URI and len(each.diagnostics) >= FAULTS for each in client.published),
        )


def _while_asked(edits: int) -> list[float]:
    """Return the milliseconds of completion in a small file while an editor asks about all of an edited large file."""
    opened, times = definition_of_lines(LINES), []
    spots = itertools.cycle(places(definition_of_lines(100)))
    with Client(KRO_LS) as client:
        client.initialize()
        client.open(URI, definition_of_lines(100).text)
        client.open(LARGE_URI, opened.text)
        client.diagnostics(LARGE_URI, 0)
        client.settle()
        client.answer(client.at("completion", URI, next(spots)))
        for version, step in enumerate(itertools.islice(KINDS[0].steps(opened), edits), 1):
            client.change(LARGE_URI, version, step.change)
            client.diagnostics(LARGE_URI, version)
            client.settle()
            asked, sent = ask_about_all(client, LARGE_URI), time.perf_counter()
            _, at = client.answer(client.at("completion", URI, next(spots)))
            times.append((at - sent) * 1000)
            for each in asked:
                client.answer(each)
    return times


def _while_indexing(folder: Path, files: int) -> tuple[float, list[float]]:
    """Return the milliseconds of the very first hover, before the files are read, and of all later requests."""
    user = (folder / "user.yaml").as_uri()
    with Client(KRO_LS, folder) as client:
        client.initialize()
        client.open(user, user_of("kro.run/v1alpha1", f"Generated{files}").text)
        client.open(URI, definition_of_lines(100).text)
        client.diagnostics(URI, 0)
        begun = time.perf_counter()
        _, answered = client.answer(client.at("hover", URI, places(definition_of_lines(100))[0]))
        times = _ask_until(
            client, lambda: any(each.uri == user and is_known(each.diagnostics) for each in client.published)
        )
        return (answered - begun) * 1000, times


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    resources, files = (200, QUICK_FILES) if quick else (1000, FILES)
    yield from _rows(f"hover and completion while {resources:,} resources are opened", _while_opening(resources))
    yield from _rows(f"completion while all of another file of {LINES:,} lines is asked about", _while_asked(20))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_definitions(folder, files)
        first, times = _while_indexing(folder, files)
        yield from _rows(f"hover and completion while {files:,} definitions are indexed", times)
        yield Row("responsiveness", "the first hover of all, right after the start", "ms", first)
