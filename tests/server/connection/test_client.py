"""What a client says it can do is found where LSP has it."""

from __future__ import annotations

import asyncio

from kro_ls.server.connection.transport import settle
from kro_ls.server.requests import create_server
from kro_ls.server.server import KroLanguageServer

SUPPORTS_EVERYTHING = {
    "textDocument": {
        "codeLens": {},
        "completion": {
            "completionItem": {"snippetSupport": True, "insertReplaceSupport": True},
            "completionList": {"itemDefaults": ["editRange"]},
        },
        "definition": {"linkSupport": True},
        "signatureHelp": {"signatureInformation": {"parameterInformation": {"labelOffsetSupport": True}}},
    },
    "window": {"showDocument": {"support": True}, "workDoneProgress": True},
    "workspace": {
        "codeLens": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "textDocumentContent": {},
    },
    "experimental": {"kroRefreshPreview": True, "kroGraphChanged": True, "kroStatus": True},
}


def _supported(capabilities: object) -> set[bool]:
    async def test() -> set[bool]:
        server = create_server()
        params = {"capabilities": capabilities, "processId": None, "rootUri": None}
        message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
        server.protocol.handle_message(server.protocol.structure_message(message))
        await settle()
        return set(_asked(server))

    return asyncio.run(test())


def _asked(server: KroLanguageServer) -> tuple[bool, ...]:
    return (
        server.client_takes_snippets,
        server.client_takes_shared_range,
        server.client_inserts_or_replaces,
        server.client_takes_label_offsets,
        "definition" in server.client_takes_links,
        server.client_takes_content,
        server.client_shows_documents,
        server.client_refreshes_diagnostics,
        server.client_refreshes_lenses,
        server.client_refreshes_hints,
        server.client_shows_lenses,
        server.client_takes_refresh_notification,
        server.client_follows_graphs,
        server.client_shows_status,
        server.client_shows_progress,
    )


def test_a_client_that_supports_everything() -> None:
    assert _supported(SUPPORTS_EVERYTHING) == {True}


def test_a_client_that_supports_nothing() -> None:
    assert _supported({}) == {False}
