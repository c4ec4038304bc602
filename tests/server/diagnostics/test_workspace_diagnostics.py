"""Diagnostics of definitions that are not open, while others are being answered."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace
from typing import cast

from lsprotocol import types

from kro_ls.rules.diagnostics import Diagnostic
from kro_ls.server.background import Lane
from kro_ls.server.requests.diagnostic import workspace_report
from kro_ls.server.server import KroLanguageServer
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd

SECONDS = 20


class _SlowFiles:
    """A file whose diagnosis takes as long as the gate is closed."""

    def __init__(self, gate: threading.Event) -> None:
        self._gate = gate

    def paths(self) -> list[str]:
        return ["/closed.yaml"]

    def found(self, path: str) -> tuple[Document, tuple[Diagnostic, ...]]:
        self._gate.wait(SECONDS)
        return Document(f"file://{path}", None, Text(rgd())), ()


def test_others_are_answered_while_a_closed_definition_is_diagnosed() -> None:
    gate = threading.Event()
    server = SimpleNamespace(
        documents={}, closed_files=_SlowFiles(gate), reporting=Lane("reports"), client_takes_content=False
    )

    async def test() -> None:
        task = asyncio.create_task(
            workspace_report(cast(KroLanguageServer, server), types.WorkspaceDiagnosticParams([]))
        )
        await asyncio.sleep(0.05)  # the loop goes on
        assert not task.done()
        gate.set()
        assert [each.uri for each in (await task).items] == ["file:///closed.yaml"]

    asyncio.run(asyncio.wait_for(test(), SECONDS))
