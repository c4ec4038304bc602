"""Formats expressions: all of a document, those in a range, or the one that was just closed. YAML stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cel.syntax.formatting import usual_blanks
from kro_ls.cel.syntax.lexer import tokenize
from kro_ls.cursor.cursor import Cursor
from kro_ls.cursor.parts import PlacedPart, parts, parts_in
from kro_ls.features.convert import to_offset, to_range
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.expressions import Expression


def format_expressions(document: Document, wanted: types.Range | None = None) -> list[types.TextEdit]:
    """Return the edits that give expressions the usual blanks; none where anything but blanks would change."""
    window = _lines(document, wanted) if wanted else None
    found = [
        edit
        for rgd in document.analysis.rgds
        for owner in (parts_in(rgd, window) if window else parts(rgd))
        for expression in owner.part.expressions
        if window is None or _is_in(owner.span(expression.whole), window)
        for edit in _edits(owner, expression)
    ]
    return _safe(document, found)


def format_closed(cursor: Cursor) -> list[types.TextEdit]:
    """Return the edits for the expression that was closed with the `}` before the cursor."""
    content = cursor.document.text.content
    if content[cursor.offset - 1 : cursor.offset] != "}":
        return []
    located = Cursor(cursor.document, cursor.offset - 1).expression
    # A `}` that closes a map inside an expression is not its end.
    if located is None or located.owner.span(located.expression.whole).end < cursor.offset:
        return []
    return _safe(cursor.document, list(_edits(located.owner, located.expression)))


def _lines(document: Document, wanted: types.Range) -> Span:
    """Return the whole lines that a range touches."""
    text = document.text
    first = text.position(to_offset(document, wanted.start)).line
    last = text.position(to_offset(document, wanted.end)).line
    return Span(text.line_span(first).start, text.line_span(last).end)


def _is_in(span: Span, window: Span) -> bool:
    return span.start <= window.end and window.start <= span.end


def _edits(owner: PlacedPart, expression: Expression) -> Iterator[tuple[Span, str]]:
    if not expression.inspection.parsed.is_valid:
        return
    spaced = expression.scalar.style is not ScalarStyle.PLAIN
    for piece in expression.compiled.pieces:
        if piece.exact:
            start = piece.compiled.start
            for blank in usual_blanks(expression.text[start : piece.compiled.end], spaced_colons=spaced):
                yield owner.span(expression.span(start + blank.start, start + blank.end)), blank.text


def _safe(document: Document, edits: list[tuple[Span, str]]) -> list[types.TextEdit]:
    """Return the edits if all expressions are the same tokens after them."""
    content = document.text.content
    edits = [(span, text) for span, text in edits if not content[span.start : span.end].strip(" \t")]
    for span, text in sorted(edits, key=lambda edit: edit[0], reverse=True):
        content = content[: span.start] + text + content[span.end :]
    after = Document(document.uri, None, Text(content), document.encoding, document.settings, document.schemas)
    if not edits or _tokens(document) != _tokens(after):
        return []
    return [types.TextEdit(to_range(document, span), text) for span, text in edits]


def _tokens(document: Document) -> list[tuple[str, ...]]:
    found = []
    for rgd in document.analysis.rgds:
        for owner in parts(rgd):
            for expression in owner.part.expressions:
                tokens = tokenize(expression.text)
                found.append(tuple(tokens.token_text(number) for number in range(len(tokens.kinds))))
    return found
