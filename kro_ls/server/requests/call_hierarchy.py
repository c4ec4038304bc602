"""`textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and `callHierarchy/outgoingCalls`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.request import Asked, DocumentRequest, Mode, Request
from kro_ls.uris import path_of

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document


def _prepare(asked: Asked[types.CallHierarchyPrepareParams]) -> list[types.CallHierarchyItem]:
    from kro_ls.features.hierarchy import prepare_calls

    return prepare_calls(asked.cursor(asked.params.position))


def _incoming(
    server: KroLanguageServer, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall]:
    from kro_ls.features.hierarchy import incoming_calls

    document = _document_of(server, params.item)
    return incoming_calls(document, params.item) if document else []


def _outgoing(
    server: KroLanguageServer, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall]:
    from kro_ls.features.hierarchy import outgoing_calls

    document = _document_of(server, params.item)
    return outgoing_calls(document, params.item) if document else []


def _document_of(server: KroLanguageServer, item: types.CallHierarchyItem) -> Document | None:
    return server.documents.get(item.uri) or server.open_documents.all().at(path_of(item.uri))


REGISTERED = (
    DocumentRequest(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, Mode.QUICK, _prepare),
    Request(types.CALL_HIERARCHY_INCOMING_CALLS, Mode.ACROSS_FILES, _incoming, empty=lambda _: []),
    Request(types.CALL_HIERARCHY_OUTGOING_CALLS, Mode.ACROSS_FILES, _outgoing, empty=lambda _: []),
)
