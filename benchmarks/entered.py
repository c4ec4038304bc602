"""Counts the modules and functions that a key, a completion and a hover enter, which a reader has to follow."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.client import Client
from benchmarks.connection import ROOT
from benchmarks.definitions import definition_of_lines
from benchmarks.edits import KINDS
from benchmarks.report import Row
from benchmarks.requests import places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

URI = "file:///benchmark/definition.yaml"
LINES = 100
BARS = {"a key, to its diagnostics": 40, "a completion": 35, "a hover": 35}
"""Modules beside the rules, by the design."""

_SIGNAL_SECONDS = 0.3
"""The event loop handles a signal when it runs next."""


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    del quick
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "entered"
        server = str(Path(__file__).with_name("entered_server.py"))
        environment = f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
        with Client(("env", f"PYTHONPATH={environment}", sys.executable, server, str(written))) as client:
            client.initialize()
            definition = definition_of_lines(LINES)
            client.open(URI, definition.text)
            client.diagnostics(URI, 0)
            client.settle(2.0)
            steps = next(kind for kind in KINDS if kind.name == "template value").steps(definition)
            versions = iter(range(1, 100))
            place = places(definition)[1]

            def key() -> None:
                version = next(versions)
                client.change(URI, version, next(steps).change)
                client.diagnostics(URI, version)

            todo: dict[str, Callable[[], object]] = {
                "a key, to its diagnostics": key,
                "a completion": lambda: client.answer(client.at("completion", URI, place)),
                "a hover": lambda: client.answer(client.at("hover", URI, place)),
            }
            for what, do in todo.items():
                do()  # the first call also loads code, which is not counted
                client.settle(1.0)
                yield from _rows(what, _entered(client, written, do))


def _entered(client: Client, written: Path, do: Callable[[], object]) -> list[tuple[str, str]]:
    written.unlink(missing_ok=True)
    client.process.send_signal(signal.SIGUSR1)
    time.sleep(_SIGNAL_SECONDS)
    do()
    client.process.send_signal(signal.SIGUSR2)
    while not written.is_file():
        time.sleep(_SIGNAL_SECONDS)
    time.sleep(_SIGNAL_SECONDS)
    package = f"{ROOT / 'kro_ls'}{os.sep}"
    found = [line.split("\t") for line in written.read_text(encoding="utf-8").splitlines()]
    return [(path.removeprefix(package), name) for path, name in found if path.startswith(package)]


def _rows(what: str, entered: list[tuple[str, str]]) -> Iterator[Row]:
    modules = {path for path, _ in entered}
    rules = {path for path in modules if path.startswith(f"rules{os.sep}") and path.count(os.sep) > 1}
    yield Row("entered", f"{what}: modules", "", len(modules))
    beside = len(modules) - len(rules)
    yield Row("entered", f"{what}: modules beside the rules", "", beside, bar=BARS[what], judged=beside)
    yield Row("entered", f"{what}: functions", "", len(entered))
