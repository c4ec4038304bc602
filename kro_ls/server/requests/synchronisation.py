"""Opening, editing, saving and closing documents."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.request import Notification

if TYPE_CHECKING:
    from kro_ls.features.lsp_types import DidChange
    from kro_ls.server.server import KroLanguageServer

logger = logging.getLogger(__name__)


def _did_open(server: KroLanguageServer, params: types.DidOpenTextDocumentParams) -> None:
    item = params.text_document
    server.open_documents.open(server.open_documents.make(item.uri, item.version, item.text))


def _did_change(server: KroLanguageServer, params: DidChange) -> bool:
    """Return whether the next message can be handled at once; work on a slow document must be started before."""
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
    server.open_documents.change(edited)
    return not edited.is_slow()


def _did_save(server: KroLanguageServer, params: types.DidSaveTextDocumentParams) -> None:
    server.held_back.saved(params.text_document.uri)


def _did_close(server: KroLanguageServer, params: types.DidCloseTextDocumentParams) -> None:
    server.open_documents.close(params.text_document.uri)


REGISTERED = (
    Notification(types.TEXT_DOCUMENT_DID_OPEN, _did_open),
    Notification(types.TEXT_DOCUMENT_DID_CHANGE, _did_change),
    Notification(types.TEXT_DOCUMENT_DID_SAVE, _did_save),
    Notification(types.TEXT_DOCUMENT_DID_CLOSE, _did_close),
)
