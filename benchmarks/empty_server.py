"""The floor of every measurement: a pygls server that answers each text with the same 20 diagnostics."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("empty", "1")

DIAGNOSTICS = [
    types.Diagnostic(
        range=types.Range(types.Position(line, 0), types.Position(line, 4)),
        message="a diagnostic as long as such messages commonly are",
        severity=types.DiagnosticSeverity.Error,
        source="empty",
        code="empty",
    )
    for line in range(20)
]


def publish(language_server: LanguageServer, uri: str) -> None:
    document = language_server.workspace.get_text_document(uri)
    language_server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(uri=uri, diagnostics=DIAGNOSTICS, version=document.version)
    )


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def opened(language_server: LanguageServer, parameters: types.DidOpenTextDocumentParams) -> None:
    publish(language_server, parameters.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def changed(language_server: LanguageServer, parameters: types.DidChangeTextDocumentParams) -> None:
    publish(language_server, parameters.text_document.uri)


if __name__ == "__main__":
    server.start_io()
