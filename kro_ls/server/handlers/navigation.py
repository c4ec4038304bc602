"""Hover, and the requests for places: definition, references, highlights, symbols, folding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.handlers.registration import register_for_documents

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document


def register_navigation(server: KroLanguageServer) -> None:
    """Register the requests that change nothing and offer nothing."""

    async def hover(document: Document, params: types.HoverParams) -> types.Hover | None:
        from kro_ls.features.convert import to_cursor
        from kro_ls.features.hover.hover import hover as feature

        cursor = to_cursor(document, params.position)
        rgds = document.analysis.rgds
        preview = None
        if cursor.rgd and cursor.expression:
            preview = await server.previews.at_hand(document, rgds.index(cursor.rgd))
        return feature(cursor, preview)

    register_for_documents(server, types.TEXT_DOCUMENT_HOVER, hover)
    register_for_documents(server, types.TEXT_DOCUMENT_DEFINITION, _definition)
    register_for_documents(server, types.TEXT_DOCUMENT_REFERENCES, _references)
    register_for_documents(server, types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, _document_highlight)
    register_for_documents(server, types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, _document_symbol)
    register_for_documents(server, types.TEXT_DOCUMENT_FOLDING_RANGE, _folding_range)


def _definition(document: Document, params: types.DefinitionParams) -> types.Location | None:
    from kro_ls.features.convert import to_cursor
    from kro_ls.features.navigation.definition import definition

    return definition(to_cursor(document, params.position))


def _references(document: Document, params: types.ReferenceParams) -> list[types.Location]:
    from kro_ls.features.convert import to_cursor
    from kro_ls.features.navigation.references import references

    cursor = to_cursor(document, params.position)
    return references(cursor, include_declaration=params.context.include_declaration)


def _document_highlight(document: Document, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
    from kro_ls.features.convert import to_cursor
    from kro_ls.features.navigation.references import document_highlights

    return document_highlights(to_cursor(document, params.position))


def _document_symbol(document: Document, _params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    from kro_ls.features.navigation.symbols import document_symbols

    return document_symbols(document)


def _folding_range(document: Document, _params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    from kro_ls.features.navigation.folding import folding_ranges

    return folding_ranges(document)
