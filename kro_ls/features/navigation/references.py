"""Lists and highlights the places where a name is written: a resource id, an iterator, a macro variable, a custom type.

A field that an RGD declares is looked for in the whole workspace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cursor.fields.place import field_at, no_others
from kro_ls.cursor.fields.uses import uses_in
from kro_ls.features.convert import to_location, to_range

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.fields.place import FieldPlace
    from kro_ls.cursor.fields.uses import FieldUse
    from kro_ls.cursor.names.occurrence import Occurrence
    from kro_ls.workspace.all_documents import AllDocuments
    from kro_ls.workspace.documents import Document


def references(
    cursor: Cursor, *, include_declaration: bool, others: AllDocuments | None = None
) -> list[types.Location]:
    """Return the places where the name at the cursor is written. `others` are the documents of the workspace."""
    found = ((cursor.document, each) for each in _occurrences(cursor))
    return [
        to_location(document, each.span)
        for document, each in (found if cursor.symbol else _field_uses(cursor, others))
        if include_declaration or not each.is_declaration
    ]


def document_highlights(cursor: Cursor, others: AllDocuments | None = None) -> list[types.DocumentHighlight]:
    """Return the same places in the cursor's document for the editor to highlight; the declaration is written to."""
    found: Iterable[Occurrence | FieldUse] = _occurrences(cursor)
    if not cursor.symbol:
        place = _field(cursor, others)
        found = uses_in(place.field, cursor.document) if place else ()
    return [
        types.DocumentHighlight(
            to_range(cursor.document, each.span),
            types.DocumentHighlightKind.Write if each.is_declaration else types.DocumentHighlightKind.Read,
        )
        for each in found
    ]


def _occurrences(cursor: Cursor) -> tuple[Occurrence, ...]:
    return cursor.symbol.occurrences if cursor.symbol else ()


def _field(cursor: Cursor, others: AllDocuments | None) -> FieldPlace | None:
    return field_at(cursor, others.declaring if others else no_others)


def _field_uses(cursor: Cursor, others: AllDocuments | None) -> Iterator[tuple[Document, FieldUse]]:
    place = _field(cursor, others)
    if place is None:
        return
    declaring = place.field.document
    documents = {declaring.uri: declaring, cursor.document.uri: cursor.document}
    if others and place.field.kind:
        for document in others.mentioning(place.field.kind.kind, place.field.name):
            documents.setdefault(document.uri, document)
    for document in documents.values():
        yield from ((document, use) for use in uses_in(place.field, document))
