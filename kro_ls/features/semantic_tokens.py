"""Semantic tokens as LSP has them: five numbers a token, each place relative to the token before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cursor.parts import PlacedPart, parts, parts_in
from kro_ls.features.convert import to_offset
from kro_ls.features.tokens import Token, instance_tokens, part_tokens
from kro_ls.queries.cells import cached, common_start
from kro_ls.workspace.documents import Described
from kro_ls.yaml_positions.positions import PositionEncoding, Span
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.workspace.documents import Document


def semantic_tokens(document: Document, wanted: types.Range | None = None) -> list[int]:
    """Return the tokens of a document, or of the parts of it that touch a range."""
    data: list[int] = []
    line = 0
    window = Span(to_offset(document, wanted.start), to_offset(document, wanted.end)) if wanted else None
    described: tuple[RgdAnalysis | Described, ...] = (*document.analysis.rgds, *document.described)
    for each in sorted(described, key=_start):
        if isinstance(each, Described):
            line = _append_tokens(data, line, document, instance_tokens(each) if each.kind else [])
            continue
        found: Iterable[PlacedPart] = parts_in(each, window) if window else parts(each)
        for owner in sorted(found, key=lambda each: each.placed.start):
            line = _append(data, line, document, owner)
    return data


def _start(each: RgdAnalysis | Described) -> int:
    return each.document.start if isinstance(each, Described) else each.rgd.document.start


def changes(before: Sequence[int], after: Sequence[int]) -> list[types.SemanticTokensEdit]:
    """Return the edit that turns the previous tokens into the new ones, none where they are the same."""
    if before == after:
        return []
    start = common_start(before, after)
    end = common_start(before[start:][::-1], after[start:][::-1])
    return [types.SemanticTokensEdit(start, len(before) - start - end, after[start : len(after) - end])]


def _append(data: list[int], line: int, document: Document, owner: PlacedPart) -> int:
    """Add the tokens of a part after those that end in a line; return the line of the last one."""
    placed = owner.placed
    first = document.text.position(placed.start)
    if not placed.path or first.column:
        return _append_scattered(data, line, document, owner)
    relative, last = _encoded(owner.part, document.encoding)
    if not relative:
        return line
    start = len(data)
    data += relative
    data[start] += first.line - line
    return first.line + last


@cached
def _encoded(part: Resource | SchemaSection, encoding: PositionEncoding) -> tuple[list[int], int]:
    """Return the numbers of a part's tokens, the first relative to the part's first line, and the last one's line."""
    text = Text(part.chunk_text)
    data: list[int] = []
    line = column = 0
    for token in part_tokens(part):
        start, end = text.encoded_position(token.start, encoding), text.encoded_position(token.end, encoding)
        if start.line != line:
            column = 0
        data += (start.line - line, start.column - column, end.column - start.column, token.type, token.modifiers)
        line, column = start.line, start.column
    return data, line


def _append_scattered(data: list[int], line: int, document: Document, owner: PlacedPart) -> int:
    """Add the tokens of a part that shares its lines with others, as one in `{...}` does."""
    spans = ((owner.span(Span(token.start, token.end)), token) for token in part_tokens(owner.part))
    tokens = (Token(span.start, span.end, token.type, token.modifiers) for span, token in spans)
    return _append_tokens(data, line, document, tokens)


def _append_tokens(data: list[int], line: int, document: Document, tokens: Iterable[Token]) -> int:
    """Add tokens in document offsets after those that end in a line; return the line of the last one."""
    column = _column(data)
    for token in tokens:
        start = document.text.encoded_position(token.start, document.encoding)
        end = document.text.encoded_position(token.end, document.encoding)
        if start.line != line:
            column = 0
        if start.line < line or start.column < column or end.line != start.line:
            continue
        data += (start.line - line, start.column - column, end.column - start.column, token.type, token.modifiers)
        line, column = start.line, start.column
    return line


def _column(data: list[int]) -> int:
    """Return the column of the last token."""
    column = 0
    for number in range(len(data) - 5, -1, -5):
        column += data[number + 1]
        if data[number]:
            break
    return column
