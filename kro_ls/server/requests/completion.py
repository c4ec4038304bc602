"""`textDocument/completion` and `completionItem/resolve`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.request import Asked, DocumentRequest, Mode, Request

if TYPE_CHECKING:
    from kro_ls.features.lsp_types import CompletionList
    from kro_ls.server.server import KroLanguageServer

_OPTIONS = types.CompletionOptions(trigger_characters=[".", "$", "{", "[", '"', "'", " ", "="], resolve_provider=True)


def _completion(asked: Asked[types.CompletionParams]) -> CompletionList:
    from kro_ls.features.completion.completion_list import completion, is_asked_for
    from kro_ls.features.lsp_types import CompletionList

    server, cursor, context = asked.server, asked.cursor(asked.params.position), asked.params.context
    if context and context.trigger_character and not is_asked_for(cursor, context.trigger_character):
        return CompletionList(is_incomplete=False, items=[])
    return completion(
        cursor,
        snippets=server.client_takes_snippets,
        shared_range=server.client_takes_shared_range,
        whole_words=not server.client_inserts_or_replaces,
    )


def _resolve(server: KroLanguageServer, item: types.CompletionItem) -> types.CompletionItem:
    from kro_ls.features.completion.completion_list import resolve

    return resolve(item, server.documents)


REGISTERED = (
    DocumentRequest(types.TEXT_DOCUMENT_COMPLETION, Mode.QUICK, _completion, _OPTIONS),
    Request(types.COMPLETION_ITEM_RESOLVE, Mode.QUICK, _resolve, empty=lambda item: item),
)
