"""What to select when a selection grows: parts of an expression, the expression, its value, and the YAML around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.features.convert import to_range
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.yaml_positions.documents.document import YamlDocument


def selection_range(cursor: Cursor) -> types.SelectionRange:
    """Return the ranges around the cursor, from the smallest on, each inside the next."""
    nested = [Span(0, len(cursor.document.text.content))]
    for span in sorted(_spans(cursor), key=lambda each: each.start - each.end):
        inner = nested[-1]
        if inner.start <= span.start <= cursor.offset <= span.end <= inner.end and span != inner:
            nested.append(span)
    result: types.SelectionRange | None = None
    for span in nested:
        result = types.SelectionRange(to_range(cursor.document, span), result)
    assert result  # there is the whole text at least # noqa: S101
    return result


def _spans(cursor: Cursor) -> Iterator[Span]:
    located = cursor.expression
    for node in located.nodes if located else ():
        if located:
            yield located.span(node.start, node.end)
    if located:
        yield located.owner.span(located.expression.whole)
    field = cursor.schema_field
    if field and field.place:
        yield field.owner.span(field.written.span_in_text(field.place.span))
        if field.place.marker:
            yield field.owner.span(field.written.span_in_text(field.place.marker.span))
    stream = cursor.document.analysis.stream
    documents = stream.documents or parse_stream(cursor.document.text).documents
    for document in documents:
        if document.start <= cursor.offset <= document.end:
            yield Span(document.start, document.end)
            yield from _yaml_spans(document, cursor.offset)


def _yaml_spans(document: YamlDocument, offset: int) -> Iterator[Span]:
    found = document.path_at(offset)
    path = found[0] if found else ()
    for length in range(1, len(path) + 1):
        located = document.child(path[:length])
        if located is None:
            continue
        run = document.run_at(path[:length])
        value = Span(run.start, run.end) if run and run.is_sequence else located.span
        yield value
        key = located.key_span
        if key:
            yield key
            yield Span(key.start, max(key.end, value.end))
