"""Lists and highlights the places where a resource id, an iterator, a macro variable or a custom type is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cursor.locate import Occurrence, occurrences, symbol_at
from kro_ls.cursor.schema_locate import custom_type_at, custom_type_occurrences
from kro_ls.features.convert import to_location, to_offset, to_range

if TYPE_CHECKING:
    from kro_ls.workspace.documents import Document


def references(document: Document, position: types.Position, *, include_declaration: bool) -> list[types.Location]:
    """Return the places where the symbol at a position is written."""
    return [
        to_location(document, occurrence.span)
        for occurrence in _occurrences(document, position)
        if include_declaration or not occurrence.is_declaration
    ]


def document_highlights(document: Document, position: types.Position) -> list[types.DocumentHighlight]:
    """Return the same places for the editor to highlight; the declaration counts as written to."""
    return [
        types.DocumentHighlight(
            to_range(document, occurrence.span),
            types.DocumentHighlightKind.Write if occurrence.is_declaration else types.DocumentHighlightKind.Read,
        )
        for occurrence in _occurrences(document, position)
    ]


def _occurrences(document: Document, position: types.Position) -> tuple[Occurrence, ...]:
    offset = to_offset(document, position)
    symbol = symbol_at(document.analysis, offset)
    if symbol:
        return occurrences(symbol)
    custom_type = custom_type_at(document.analysis, offset)
    return custom_type_occurrences(custom_type) if custom_type else ()
