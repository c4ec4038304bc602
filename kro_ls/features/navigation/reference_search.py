"""Lists and highlights the places where a name is written: a resource id, an iterator, a macro variable, a custom type.

A field or a kind that an RGD declares is looked for in the whole workspace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.names.references import Meaning
from kro_ls.cursor.everywhere import kind_at, symbol_at
from kro_ls.cursor.fields.place import field_at
from kro_ls.cursor.fields.uses import may_use, uses_in
from kro_ls.cursor.symbol import Symbol
from kro_ls.features.convert import to_location, to_range

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.fields.uses import FieldUse
    from kro_ls.cursor.symbol import Occurrence
    from kro_ls.workspace.documents import Document


def references(cursor: Cursor, *, include_declaration: bool) -> list[types.Location]:
    """Return the places where the name at the cursor is written."""
    symbol = symbol_at(cursor)
    return [
        to_location(document, each.span)
        for document, each in (symbol.occurrences(cursor.others) if symbol else _field_uses(cursor))
        if include_declaration or not each.is_declaration
    ]


def document_highlights(cursor: Cursor) -> list[types.DocumentHighlight]:
    """Return the same places in the cursor's document for the editor to highlight; the declaration is written to."""
    return [
        types.DocumentHighlight(
            to_range(cursor.document, each.span),
            types.DocumentHighlightKind.Write if each.is_declaration else types.DocumentHighlightKind.Read,
        )
        for each in _uses_here(cursor)
    ]


def _uses_here(cursor: Cursor) -> Iterable[Occurrence | FieldUse]:
    symbol = symbol_at(cursor)
    if symbol:
        return [each for document, each in symbol.occurrences(cursor.others) if document.uri == cursor.document.uri]
    place = field_at(cursor)
    if place:
        return uses_in(place.field, cursor.document)
    kind = kind_at(cursor)
    return kind.here() if kind else ()


def _field_uses(cursor: Cursor) -> Iterator[tuple[Document, FieldUse | Occurrence]]:
    place = field_at(cursor)
    if place is None:
        kind = kind_at(cursor)
        yield from kind.everywhere(cursor.others) if kind else ()
        return
    declaring = place.field.document
    documents = {declaring.uri: declaring, cursor.document.uri: cursor.document}
    for document in may_use(place.field, cursor.others):
        documents.setdefault(document.uri, document)
    for document in documents.values():
        yield from ((document, use) for use in uses_in(place.field, document))


_LINKED = (Meaning.RESOURCE, Meaning.ITERATOR, None)


def linked_editing_ranges(cursor: Cursor) -> types.LinkedEditingRanges | None:
    """Return where an id, an iterator, a macro variable or a custom type is written, if the cursor is on one.

    A field of the schema is not among them: instances and other definitions would not follow.
    """
    symbol = cursor.symbol
    if symbol is None or not symbol.declaration or (isinstance(symbol, Symbol) and symbol.meaning not in _LINKED):
        return None
    spans = [each.span for each in symbol.occurrences]
    content = cursor.document.text.content
    if any(content[span.start : span.end] != symbol.name for span in spans):
        return None  # one is written with escapes
    return types.LinkedEditingRanges(
        [to_range(cursor.document, span) for span in spans], word_pattern="[A-Za-z][A-Za-z0-9_]*"
    )
