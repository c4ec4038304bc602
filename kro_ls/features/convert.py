"""Converts between offsets of a document and LSP's ranges and positions, in the client's encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cursor.cursor import Cursor

if TYPE_CHECKING:
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.positions import Span


def to_offset(document: Document, position: types.Position) -> int:
    """Return the code point offset of an LSP position, clamped to the text."""
    return document.text.encoded_offset(position.line, position.character, document.encoding)


def to_cursor(document: Document, position: types.Position) -> Cursor:
    """Return the cursor at an LSP position, clamped to the text."""
    return Cursor(document, to_offset(document, position))


def to_position(document: Document, offset: int) -> types.Position:
    """Return the LSP position of a code point offset."""
    position = document.text.encoded_position(offset, document.encoding)
    return types.Position(position.line, position.column)


def to_range(document: Document, span: Span) -> types.Range:
    """Return the LSP range of a span of code point offsets."""
    return types.Range(to_position(document, span.start), to_position(document, span.end))


def to_location(document: Document, span: Span) -> types.Location:
    """Return the LSP location of a span in this document."""
    return types.Location(document.uri, to_range(document, span))
