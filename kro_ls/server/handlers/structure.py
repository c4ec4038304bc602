"""What editors show of a text's structure: semantic tokens, selections, links, names that are typed together."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.handlers.registration import register_for_documents

if TYPE_CHECKING:
    from kro_ls.features.tokens.semantic_tokens import SemanticTokens, SemanticTokensDelta
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document

_LEGEND = types.SemanticTokensLegend(
    [
        *("variable", "parameter", "property", "function", "method", "macro", "keyword", "number", "string"),
        *("operator", "type", "class", "decorator", "enumMember"),
    ],
    ["declaration", "defaultLibrary"],
)
"""The words for the numbers in `kro_ls/features/tokens/part_tokens.py`."""


def register_structure(server: KroLanguageServer) -> None:
    """Register what depends on one document alone."""
    register_for_documents(server, types.TEXT_DOCUMENT_SELECTION_RANGE, _selection_range)
    register_for_documents(server, types.TEXT_DOCUMENT_DOCUMENT_LINK, _document_link, about_all=True)
    register_for_documents(server, types.TEXT_DOCUMENT_LINKED_EDITING_RANGE, _linked_editing_range)
    _register_tokens(server)


def _register_tokens(server: KroLanguageServer) -> None:
    sent: dict[str, tuple[str, list[int]]] = {}
    numbers = count(1)

    async def send(document: Document) -> SemanticTokens:
        from kro_ls.features.tokens.semantic_tokens import SemanticTokens, semantic_tokens

        data = await server.slow_documents.worked_out(document, semantic_tokens, about_all=True)
        for uri in sent.keys() - server.documents.keys():
            del sent[uri]
        sent[document.uri] = str(next(numbers)), data
        return SemanticTokens(data, sent[document.uri][0])

    async def full(document: Document, _params: types.SemanticTokensParams) -> SemanticTokens:
        return await send(document)

    async def delta(
        document: Document, params: types.SemanticTokensDeltaParams
    ) -> SemanticTokens | SemanticTokensDelta:
        from kro_ls.features.tokens.semantic_tokens import SemanticTokensDelta, changes

        known, before = sent.get(document.uri, ("", []))
        after = await send(document)
        if known != params.previous_result_id:
            return after
        edits = await server.slow_documents.worked_out(document, lambda _: changes(before, after.data))
        return SemanticTokensDelta(edits, after.result_id)

    def in_range(document: Document, params: types.SemanticTokensRangeParams) -> SemanticTokens:
        from kro_ls.features.tokens.semantic_tokens import SemanticTokens, semantic_tokens

        return SemanticTokens(semantic_tokens(document, params.range))

    register_for_documents(server, types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, full, _LEGEND)
    register_for_documents(server, types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, delta)
    register_for_documents(server, types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, in_range, _LEGEND)


def _selection_range(document: Document, params: types.SelectionRangeParams) -> list[types.SelectionRange]:
    from kro_ls.features.convert import to_cursor
    from kro_ls.features.navigation.selection_ranges import selection_range

    return [selection_range(to_cursor(document, position)) for position in params.positions]


def _document_link(document: Document, _params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    from kro_ls.features.navigation.document_links import document_links

    return document_links(document)


def _linked_editing_range(
    document: Document, params: types.LinkedEditingRangeParams
) -> types.LinkedEditingRanges | None:
    from kro_ls.features.convert import to_cursor
    from kro_ls.features.navigation.linked_editing import linked_editing_ranges

    return linked_editing_ranges(to_cursor(document, params.position))
