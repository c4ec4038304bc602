"""When diagnostics are sent, as a client sees it that sends one message right after the other."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest

from kro_ls.analysis.analysis import Analysis, analyze
from kro_ls.server.connection.transport import settle
from kro_ls.server.requests import create_server
from kro_ls.workspace import documents
from tests.fixtures.definitions import rgd

URI = "file:///a.yaml"
PULLS = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
TEXT = rgd("- id: config\n  template:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: a}\n")


class Session:
    """A server in this process that handles messages in their order, as `converse` does."""

    def __init__(self) -> None:
        self.sent: list[dict[str, object]] = []
        self.server = create_server()
        self._protocol = self.server.protocol
        self._protocol.set_writer(self)

    def write(self, data: bytes) -> None:
        self.sent.append(json.loads(data.partition(b"\r\n\r\n")[2]))

    def close(self) -> None:
        """Do nothing."""

    async def receive(self, method: str, identifier: int | None = None, **parameters: object) -> None:
        message: dict[str, object] = {"jsonrpc": "2.0", "method": method, "params": parameters}
        if identifier is not None:
            message["id"] = identifier
        self._protocol.receive(json.dumps(message).encode())
        if not self._protocol.is_settled:
            await settle()

    async def open(self, **capabilities: object) -> None:
        await self.receive("initialize", 1, capabilities=capabilities, processId=None, rootUri=None)
        await self.receive("initialized")
        document = {"uri": URI, "languageId": "yaml", "version": 1, "text": TEXT}
        await self.receive("textDocument/didOpen", textDocument=document)
        if not capabilities:
            await self.published(1)

    async def edit(self, version: int) -> None:
        document = {"uri": URI, "version": version}
        changes = [{"text": f"{TEXT}# {version}\n"}]
        await self.receive("textDocument/didChange", textDocument=document, contentChanges=changes)

    def versions(self) -> list[object]:
        """Return the versions whose diagnostics were sent."""
        methods = [each for each in self.sent if each.get("method") == "textDocument/publishDiagnostics"]
        return [each["params"]["version"] for each in methods]  # type: ignore[index]

    async def published(self, version: int) -> None:
        """Wait for the diagnostics of a version."""
        async with asyncio.timeout(30):
            while version not in self.versions():
                await asyncio.sleep(0.01)


@pytest.mark.parametrize("feature", ["hover", "completion", "definition"])
def test_a_request_is_answered_before_the_diagnostics_of_the_edit_before_it(
    monkeypatch: pytest.MonkeyPatch, feature: str
) -> None:
    monkeypatch.setattr(documents, "LONG_SECONDS", 60)  # a machine may be busy

    async def session() -> None:
        server = Session()
        await server.open()
        await server.edit(2)
        place = {"line": 3, "character": 5}
        await server.receive(f"textDocument/{feature}", 2, textDocument={"uri": URI}, position=place)
        await server.published(2)
        answer, published = server.sent[-2:]
        assert (answer.get("id"), published.get("method")) == (2, "textDocument/publishDiagnostics")

    asyncio.run(session())


def test_a_request_after_an_edit_waits_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "LONG_SECONDS", 60)  # a machine may be busy

    async def session() -> None:
        server = Session()
        await server.open()
        message = {"uri": URI, "version": 2}
        edit = server.receive("textDocument/didChange", textDocument=message, contentChanges=[{"text": TEXT}])
        with pytest.raises(StopIteration):  # it did not give way to anything
            edit.send(None)

    asyncio.run(session())


@pytest.mark.parametrize("pulls", [False, True])
def test_an_analysis_that_took_long_makes_its_document_slow_whoever_asked_for_it(
    monkeypatch: pytest.MonkeyPatch, *, pulls: bool
) -> None:
    def analyze_slowly(*given: Any, **named: Any) -> Analysis:
        ready = time.thread_time() + 0.05
        while time.thread_time() < ready:
            pass
        return analyze(*given, **named)

    async def session() -> None:
        server = Session()
        await server.open(**(PULLS if pulls else {}))
        server.server.schema_keeper.close()  # nothing is to be renewed meanwhile
        monkeypatch.setattr(documents, "analyze", analyze_slowly)
        await server.edit(2)
        place = {"line": 3, "character": 5}
        await server.receive("textDocument/hover", 2, textDocument={"uri": URI}, position=place)
        if pulls:
            await server.receive("textDocument/diagnostic", 3, textDocument={"uri": URI})
        else:
            await server.published(2)
        assert server.server.documents[URI].is_slow()
        monkeypatch.undo()
        monkeypatch.setattr(documents, "LONG_SECONDS", 60)  # a machine may be busy
        await server.edit(3)
        if pulls:
            await server.receive("textDocument/diagnostic", 4, textDocument={"uri": URI})
        async with asyncio.timeout(30):
            # Diagnostics of a slow document are shown before the time that they took is recorded.
            while server.server.documents[URI].is_slow():
                await asyncio.sleep(0.01)

    asyncio.run(session())


def test_the_server_is_busy_while_documents_are_looked_at_with_other_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hover then waits less for the preview, which is being computed again."""

    async def session() -> None:
        server = Session()
        await server.open()
        server.server.schema_keeper.is_loaded = True
        was_busy = [server.server.open_documents.is_busy]
        server.server.renew()
        was_busy.append(server.server.open_documents.is_busy)
        monkeypatch.setattr("kro_ls.server.documents.open_documents.RENEWAL_SECONDS", 0)
        was_busy.append(server.server.open_documents.is_busy)
        assert was_busy == [False, True, False]

    asyncio.run(session())


def test_a_newer_edit_takes_the_place_of_one_that_waits() -> None:
    async def session() -> None:
        server = Session()
        await server.open()
        await server.edit(2)
        await server.edit(3)
        await server.published(3)
        assert server.versions() == [1, 3]

    asyncio.run(session())
