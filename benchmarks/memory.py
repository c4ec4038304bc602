"""Resident memory of the server: with one definition, after much work on it, and in a workspace of 1,000.

Several servers work at once, because no time is measured. The client pulls diagnostics, so that every text is analysed.
"""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.client import EMPTY_SERVER, KRO_LS, PULL, Client
from benchmarks.definitions import definition_of_lines
from benchmarks.edits import KINDS
from benchmarks.folders import is_known, user_of, write_definitions
from benchmarks.process import resident_megabytes
from benchmarks.report import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.edits import Kind

URI = "file:///benchmark/definition.yaml"
BAR_ONE, BAR_WORK, BAR_WORKSPACE = 90.0, 100.0, 250.0
EDITED = ("template value", "type of a field, readByAll")


def _one(command: tuple[str, ...]) -> float:
    with Client(command) as client:
        client.initialize()
        client.open(URI, definition_of_lines(100).text)
        client.diagnostics(URI, 0)
        client.settle(1.0)
        return resident_megabytes(client.process.pid)


def _ask(client: Client, uri: str) -> None:
    client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})


def _after_edits(kind: Kind, edits: int) -> tuple[float, float]:
    """Return the megabytes after half of the edits, and after all."""
    opened = definition_of_lines(100)
    steps = kind.steps(opened)
    half = 0.0
    with Client(capabilities=PULL) as client:
        client.initialize()
        client.open(URI, opened.text)
        for version in range(1, edits + 1):
            client.change(URI, version, next(steps).change)
            _ask(client, URI)
            if version == edits // 2:
                half = resident_megabytes(client.process.pid)
        client.settle(1.0)
        return half, resident_megabytes(client.process.pid)


def _after_documents(count: int) -> tuple[float, float]:
    """Return the megabytes after half of the documents were opened and closed, and after all."""
    half = 0.0
    with Client(capabilities=PULL) as client:
        client.initialize()
        for number in range(1, count + 1):
            uri = f"file:///benchmark/definition-{number}.yaml"
            client.open(uri, definition_of_lines(100, number).text)
            _ask(client, uri)
            client.close(uri)
            if number == count // 2:
                half = resident_megabytes(client.process.pid)
        client.settle(1.0)
        return half, resident_megabytes(client.process.pid)


def _workspace(files: int) -> float:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_definitions(folder, files)
        uri = (folder / "user.yaml").as_uri()
        with Client(KRO_LS, folder) as client:
            client.initialize()
            client.open(uri, user_of("kro.run/v1alpha1", f"Generated{files}").text)
            client.wait(lambda: any(is_known(each.diagnostics) for each in client.published))
            client.settle(1.0)
            return resident_megabytes(client.process.pid)


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    edits, documents, files = (100, 10, 50) if quick else (10_000, 2000, 1000)
    one = _one(KRO_LS)
    yield Row(
        "memory",
        "one definition of 100 lines",
        "MB",
        one,
        bar=BAR_ONE,
        judged=one,
        beside={"empty": _one(EMPTY_SERVER)},
    )
    edited = [kind for kind in KINDS if kind.name in EDITED]
    with ThreadPoolExecutor() as pool:
        work = {f"after {edits:,} edits, {kind.name}": pool.submit(_after_edits, kind, edits) for kind in edited}
        work[f"after {documents:,} documents opened and closed"] = pool.submit(_after_documents, documents)
        workspace = pool.submit(_workspace, files)
        for what, future in work.items():
            half, full = future.result()
            yield Row("memory", what, "MB", full, bar=BAR_WORK, judged=full, beside={"after half of them": half})
        found = workspace.result()
        yield Row("memory", f"workspace of {files:,} definitions", "MB", found, bar=BAR_WORKSPACE, judged=found)
