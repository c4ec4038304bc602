"""What helps while typing: completion and signature help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.handlers.registration import register, register_for_documents

if TYPE_CHECKING:
    from kro_ls.features.completion.items import CompletionList
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document

_COMPLETION = types.CompletionOptions(
    trigger_characters=[".", "$", "{", "[", '"', "'", " ", "="], resolve_provider=True
)
_SIGNATURE_HELP = types.SignatureHelpOptions(trigger_characters=["(", ","])


def register_completion(server: KroLanguageServer) -> None:
    """Register completion and signature help."""

    def completion(document: Document, params: types.CompletionParams) -> CompletionList:
        from kro_ls.features.completion.completion import completion as feature
        from kro_ls.features.completion.completion import is_asked_for
        from kro_ls.features.completion.items import CompletionList
        from kro_ls.features.convert import to_cursor

        cursor = to_cursor(document, params.position)
        context = params.context
        if context and context.trigger_character and not is_asked_for(cursor, context.trigger_character):
            return CompletionList(is_incomplete=False, items=[])
        return feature(
            cursor,
            snippets=server.client_takes_snippets,
            shared_range=server.client_takes_shared_range,
            whole_words=not server.client_inserts_or_replaces,
            others=server.all_documents,
        )

    def resolve(item: types.CompletionItem) -> types.CompletionItem:
        from kro_ls.features.completion.completion import resolve as feature

        return feature(item, server.documents)

    def signature_help(document: Document, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        from kro_ls.features.convert import to_cursor
        from kro_ls.features.hints.signature_help import signature_help as feature

        return feature(to_cursor(document, params.position), label_offsets=server.client_takes_label_offsets)

    register_for_documents(server, types.TEXT_DOCUMENT_COMPLETION, completion, _COMPLETION)
    register(server, types.COMPLETION_ITEM_RESOLVE, resolve, empty=lambda item: item)
    register_for_documents(server, types.TEXT_DOCUMENT_SIGNATURE_HELP, signature_help, _SIGNATURE_HELP)
