"""Diagnostics of definitions that are not open, while others are being answered."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, cast

from lsprotocol import types

from kro_ls.server.handlers.diagnostics import WorkspaceDiagnostics
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd

SECONDS = 20


class _SlowDocument:
    """A document whose diagnosis takes as long as the gate is closed."""

    def __init__(self, gate: threading.Event) -> None:
        self._gate = gate
        self._document = Document("file:///closed.yaml", None, Text(rgd()))

    def __getattr__(self, name: str) -> Any:
        if name in ("analysis", "diagnosis"):
            self._gate.wait(SECONDS)
        return getattr(self._document, name)


def test_others_are_answered_while_a_closed_definition_is_diagnosed() -> None:
    gate = threading.Event()
    reports = WorkspaceDiagnostics({}, lambda: [cast(Document, _SlowDocument(gate))], lambda: False)

    async def test() -> None:
        task = asyncio.create_task(reports.report(types.WorkspaceDiagnosticParams([])))
        await asyncio.sleep(0.05)  # the loop goes on
        assert not task.done()
        gate.set()
        assert [each.uri for each in (await task).items] == ["file:///closed.yaml"]

    asyncio.run(asyncio.wait_for(test(), SECONDS))
