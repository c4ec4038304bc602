"""Hover, and the requests for places: definition, references, highlights, symbols, folding."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from lsprotocol import types

from kro_ls.server.handlers.registration import register_for_documents
from kro_ls.server.previews import BUSY_HAND_SECONDS, HAND_SECONDS

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.features.navigation.folding import FoldingRange
    from kro_ls.features.navigation.object_symbols import DocumentSymbol
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document

    _Places: TypeAlias = types.Location | list[types.LocationLink] | None


def register_navigation(server: KroLanguageServer) -> None:
    """Register the requests that change nothing and offer nothing."""

    async def hover(document: Document, params: types.HoverParams) -> types.Hover | None:
        from kro_ls.features.convert import to_cursor
        from kro_ls.features.hover.hover import hover as feature

        cursor = to_cursor(document, params.position)
        rgds = document.analysis.rgds
        preview = None
        if cursor.rgd and cursor.expression:
            seconds = BUSY_HAND_SECONDS if server.is_busy else HAND_SECONDS
            preview = await server.previews.at_hand(document, rgds.index(cursor.rgd), seconds)
        return feature(cursor, preview, server.all_documents)

    def definition(document: Document, params: types.DefinitionParams) -> _Places:
        from kro_ls.features.convert import to_cursor
        from kro_ls.features.navigation.definition import definition as feature

        cursor = to_cursor(document, params.position)
        return _place(server, cursor, feature(cursor, server.all_documents), "definition")

    def type_definition(document: Document, params: types.TypeDefinitionParams) -> _Places:
        from kro_ls.features.convert import to_cursor
        from kro_ls.features.navigation.type_definition import type_definition as feature

        cursor = to_cursor(document, params.position)
        return _place(server, cursor, feature(cursor, server.all_documents), "type_definition")

    def references(document: Document, params: types.ReferenceParams) -> list[types.Location]:
        from kro_ls.features.convert import to_cursor
        from kro_ls.features.navigation.references import references as feature

        cursor = to_cursor(document, params.position)
        return feature(cursor, include_declaration=params.context.include_declaration, others=server.all_documents)

    def document_highlight(document: Document, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        from kro_ls.features.convert import to_cursor
        from kro_ls.features.navigation.references import document_highlights

        return document_highlights(to_cursor(document, params.position), server.all_documents)

    register_for_documents(server, types.TEXT_DOCUMENT_HOVER, hover)
    register_for_documents(server, types.TEXT_DOCUMENT_DEFINITION, definition, looks_into_files=True)
    register_for_documents(server, types.TEXT_DOCUMENT_TYPE_DEFINITION, type_definition, looks_into_files=True)
    register_for_documents(server, types.TEXT_DOCUMENT_REFERENCES, references, looks_into_files=True)
    register_for_documents(server, types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, document_highlight, looks_into_files=True)
    register_for_documents(server, types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, _document_symbol, about_all=True)
    register_for_documents(server, types.TEXT_DOCUMENT_FOLDING_RANGE, _folding_range, about_all=True)


def _place(server: KroLanguageServer, cursor: Cursor, found: types.Location | None, feature: str) -> _Places:
    """Return a place as the client takes it; one in a virtual document only where it can show these."""
    from kro_ls.features.navigation.definition import as_link
    from kro_ls.features.navigation.kind_pages import is_kind_uri

    if found is None or (is_kind_uri(found.uri) and not server.client_takes_content):
        return None
    return [as_link(cursor, found)] if server.client_takes_links(feature) else found


def _document_symbol(document: Document, _params: types.DocumentSymbolParams) -> list[DocumentSymbol]:
    from kro_ls.features.navigation.symbols import document_symbols

    return document_symbols(document)


def _folding_range(document: Document, _params: types.FoldingRangeParams) -> list[FoldingRange]:
    from kro_ls.features.navigation.folding import folding_ranges

    return folding_ranges(document)
