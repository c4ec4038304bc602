"""Lists and highlights the places where a resource id, an iterator, a macro variable or a custom type is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.features.convert import to_location, to_range

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.names.occurrence import Occurrence


def references(cursor: Cursor, *, include_declaration: bool) -> list[types.Location]:
    """Return the places where the name at the cursor is written."""
    return [
        to_location(cursor.document, occurrence.span)
        for occurrence in _occurrences(cursor)
        if include_declaration or not occurrence.is_declaration
    ]


def document_highlights(cursor: Cursor) -> list[types.DocumentHighlight]:
    """Return the same places for the editor to highlight; the declaration counts as written to."""
    return [
        types.DocumentHighlight(
            to_range(cursor.document, occurrence.span),
            types.DocumentHighlightKind.Write if occurrence.is_declaration else types.DocumentHighlightKind.Read,
        )
        for occurrence in _occurrences(cursor)
    ]


def _occurrences(cursor: Cursor) -> tuple[Occurrence, ...]:
    return cursor.symbol.occurrences if cursor.symbol else ()
