"""When diagnostics are sent, as a client sees it that sends one message right after the other."""

from __future__ import annotations

import asyncio
import json

import pytest

from kro_ls.server.handlers import create_server
from kro_ls.server.transport import settle
from tests.fixtures.definitions import rgd

URI = "file:///a.yaml"
TEXT = rgd("- id: config\n  template:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: a}\n")


class Session:
    """A server in this process that handles messages in their order, as `converse` does."""

    def __init__(self) -> None:
        self.sent: list[dict[str, object]] = []
        self._protocol = create_server().protocol
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
        await settle()

    async def open(self) -> None:
        await self.receive("initialize", 1, capabilities={}, processId=None, rootUri=None)
        await self.receive("initialized")
        document = {"uri": URI, "languageId": "yaml", "version": 1, "text": TEXT}
        await self.receive("textDocument/didOpen", textDocument=document)
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
def test_a_request_is_answered_before_the_diagnostics_of_the_edit_before_it(feature: str) -> None:
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


def test_a_newer_edit_takes_the_place_of_one_that_waits() -> None:
    async def session() -> None:
        server = Session()
        await server.open()
        await server.edit(2)
        await server.edit(3)
        await server.published(3)
        assert server.versions() == [1, 3]

    asyncio.run(session())
