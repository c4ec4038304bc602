"""The documents that are open in the editor, and their edits."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.server.text_changes import DidChange

logger = logging.getLogger(__name__)


def register_synchronisation(server: KroLanguageServer) -> None:
    """Register what tells of documents."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        server.open(server.make_document(item.uri, item.version, item.text))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: DidChange) -> bool:
        """Return whether a request can follow at once; what takes long begins before it, in its own order."""
        from kro_ls.workspace.documents import Edit

        document = server.documents.get(params.text_document.uri)
        if document is None:
            logger.warning("an edit of %s, which is not open", params.text_document.uri)
            return True
        if document.version is not None and params.text_document.version < document.version:
            logger.warning("edits of %s came out of order: %s", document.uri, params.text_document)
        edits = []
        for change in params.content_changes:
            if change.range:
                start, end = change.range.start, change.range.end
                edits.append(Edit(change.text, (start.line, start.character), (end.line, end.character)))
            else:
                edits.append(Edit(change.text))
        edited = document.edited(params.text_document.version, tuple(edits))
        server.change(edited)
        return not server.slow_documents.is_slow(edited)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        server.held_back.stopped(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)
