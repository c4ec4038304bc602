"""What pygls keeps of messages that were handled: nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.features.lsp_types import ContentChange, DidChange, Position, Range, VersionedDocument
from kro_ls.server.requests import create_server

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer

URI = "file:///a.yaml"


def _type(server: KroLanguageServer, keys: int) -> None:
    opened = types.TextDocumentItem(URI, "yaml", 1, "")
    server.protocol._handle_notification(types.TEXT_DOCUMENT_DID_OPEN, types.DidOpenTextDocumentParams(opened))
    for version in range(2, 2 + keys):
        place = Range(Position(0, 0), Position(0, 0))
        changed = DidChange(VersionedDocument(URI, version), (ContentChange("x", place),))
        server.protocol._handle_notification(types.TEXT_DOCUMENT_DID_CHANGE, changed)
        saved = types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(URI))
        server.protocol._handle_notification(types.TEXT_DOCUMENT_DID_SAVE, saved)


class _Writer:
    def __init__(self, sent: list[bytes]) -> None:
        self._sent = sent

    def write(self, data: bytes) -> None:
        self._sent.append(data)

    def close(self) -> None:
        pass


def test_a_notification_leaves_nothing_behind() -> None:
    async def session() -> int:
        server = create_server()
        sent: list[bytes] = []
        server.protocol.set_writer(_Writer(sent))
        client = types.InitializeParams(types.ClientCapabilities())
        server.protocol._handle_request(1, types.INITIALIZE, client)
        await asyncio.sleep(0.01)
        assert sent
        _type(server, 20)
        await asyncio.sleep(0.05)
        assert server.documents[URI].version == 21
        return len(server.protocol._request_futures)

    assert asyncio.run(session()) == 0
