"""Hover, completion and definition at 5,000 lines: while the server is idle, and right after an edit.

Completion is asked for within the name of a field, and where an expression begins: any resource is possible there.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from benchmarks.client import KRO_LS, Client
from benchmarks.definitions import Definition, definition_of_lines
from benchmarks.edits import KINDS, Position, position_of
from benchmarks.report import Row, row_of

if TYPE_CHECKING:
    from collections.abc import Iterator

LINES = 5000
URI = "file:///benchmark/definition.yaml"
FIELD, BEGINNING = "readByAll", "the beginning of an expression"
ASKED = (("hover", FIELD), ("completion", FIELD), ("completion", BEGINNING), ("definition", FIELD))
ABOUT_ALL = ("semanticTokens/full", "foldingRange", "documentSymbol", "codeLens", "documentLink", "codeAction")
WARM_UP = 3
BAR = 5.0


def places(definition: Definition, where: str = FIELD) -> list[Position]:
    """Return a place in an expression of each resource, in turns from the end and the beginning of the file."""
    found = []
    for resource in definition.ids:
        offset = definition.text.index("schema.spec.readByAll", definition.start_of(resource))
        found.append(position_of(definition.text, offset + (len("schema.spec.re") if where == FIELD else 0)))
    half = len(found) // 2
    return [place for pair in zip(reversed(found[half:]), found[:half], strict=True) for place in pair]


def ask_about_all(client: Client, uri: str) -> list[int]:
    """Send the requests that an editor sends about an opened or edited file; return their ids."""
    beginning = {"start": {"line": 0, "character": 0}, "end": {"line": 5, "character": 0}}
    params = {"textDocument": {"uri": uri}, "range": beginning, "context": {"diagnostics": []}}
    return [client.ask(f"textDocument/{method}", params) for method in ABOUT_ALL]


def _shown(where: str) -> str:
    return "" if where == FIELD else f"at {where} "


def _ask(client: Client, feature: str, place: Position, sent: float | None = None) -> float:
    """Return the milliseconds to the answer, from the request or from the edit before it."""
    sent = time.perf_counter() if sent is None else sent
    result, at = client.answer(client.at(feature, URI, place))
    if not result:
        raise RuntimeError(f"the server had no answer to {feature} at {place}")
    return (at - sent) * 1000


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    count = 10 if quick else 60
    opened = definition_of_lines(LINES, 1)
    # A comment within a line below all places is edited, so no place moves.
    edits = next(kind for kind in KINDS if kind.name == "comment").steps(opened)
    asked = {where: iter(places(opened, where)) for where in (FIELD, BEGINNING)}
    version = 0
    with Client(KRO_LS) as client:
        client.initialize()
        client.open(URI, opened.text)
        client.diagnostics(URI, 0)
        client.settle()
        for feature, where in ASKED:
            times, cpu_ms = [], []
            for _ in range(WARM_UP + count):
                cpu = client.cpu_seconds
                times.append(_ask(client, feature, next(asked[where])))
                cpu_ms.append((client.cpu_seconds - cpu) * 1000)
            what = f"{feature} {_shown(where)}at {LINES:,} lines, idle"
            yield row_of("requests", what, times[WARM_UP:], bar=BAR, cpu_ms=cpu_ms[WARM_UP:])
        for feature, where in ASKED:
            times, cpu_ms = [], []
            for _ in range(WARM_UP + count):
                version += 1
                cpu = client.cpu_seconds
                sent = client.change(URI, version, next(edits).change)
                times.append(_ask(client, feature, next(asked[where]), sent))
                cpu_ms.append((client.cpu_seconds - cpu) * 1000)
                client.settle()
            what = f"{feature} {_shown(where)}at {LINES:,} lines, right after an edit"
            yield row_of("requests", what, times[WARM_UP:], bar=BAR, cpu_ms=cpu_ms[WARM_UP:])
