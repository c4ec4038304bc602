"""Converts between offsets of a document and LSP's ranges and positions, in the client's encoding."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cursor.cursor import Cursor
from kro_ls.features.lsp_types import Position, Range
from kro_ls.yaml_positions.positions import Position as TextPosition
from kro_ls.yaml_positions.scalars.writing import with_line_endings_of

if TYPE_CHECKING:
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import Snapshot
    from kro_ls.yaml_positions.positions import Span
    from kro_ls.yaml_positions.scalars.writing import Replacement


_SHORT = 200
_LINE_END = re.compile(r"[\r\n]")


def to_offset(document: Document, position: types.Position | Position) -> int:
    """Return the code point offset of an LSP position, clamped to the text."""
    return document.text.encoded_offset(position.line, position.character, document.encoding)


def to_cursor(snapshot: Snapshot, position: types.Position) -> Cursor:
    """Return the cursor at an LSP position, clamped to the text."""
    return Cursor(snapshot.document, to_offset(snapshot.document, position), snapshot.others)


def to_position(document: Document, offset: int) -> types.Position:
    """Return the LSP position of a code point offset."""
    position = document.text.encoded_position(offset, document.encoding)
    return types.Position(position.line, position.column)


def to_range(document: Document, span: Span) -> types.Range:
    """Return the LSP range of a span of code point offsets."""
    start, end = _ends(document, span)
    return types.Range(types.Position(start.line, start.column), types.Position(end.line, end.column))


def to_text_edit(document: Document, replacement: Replacement) -> types.TextEdit:
    """Return an edit of a document as LSP wants it; what it writes has the line endings of the document."""
    new = with_line_endings_of(document.text.content, replacement.text)
    return types.TextEdit(to_range(document, replacement.span), new)


def to_quick_range(document: Document, span: Span) -> Range:
    """Return the same in a type of our own."""
    start, end = _ends(document, span)
    return Range(Position(start.line, start.column), Position(end.line, end.column))


def _ends(document: Document, span: Span) -> tuple[TextPosition, TextPosition]:
    """Return where a span starts and ends, in the client's units."""
    text, length = document.text, span.end - span.start
    content, start = text.content, text.encoded_position(span.start, document.encoding)
    is_inside = 0 <= span.start <= span.end <= len(content)
    if is_inside and length < _SHORT and content.isascii() and not _LINE_END.search(content, span.start, span.end):
        return start, TextPosition(start.line, start.column + length)
    return start, text.encoded_position(span.end, document.encoding)


def to_location(document: Document, span: Span) -> types.Location:
    """Return the LSP location of a span in this document."""
    return types.Location(document.uri, to_range(document, span))
