"""The `spec` or `status` of a definition's schema, which an expression selects of an object of the declared kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cursor.fields.declared import declared_kind, name_span
from kro_ls.cursor.fields.place import declaring_documents
from kro_ls.cursor.fields.selection import selection_of
from kro_ls.cursor.fields.uses import selected_object
from kro_ls.yaml_positions.access import key_at
from kro_ls.yaml_positions.nodes import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.positions import Span

_ROOTS = (("spec",), ("status",))


def root_at(cursor: Cursor) -> tuple[Document, Span] | None:
    """Return where the `spec` or the `status` is declared that an expression selects at a cursor."""
    located = cursor.expression
    node = located.selected if located else None
    selection = selection_of(located.owner, located.expression, node) if located and node else None
    found = selected_object(located.owner, selection) if located and selection else None
    if found is None or located is None or found[1] not in _ROOTS:
        return None
    kind, (name,) = found
    if kind is None:
        return _declared(cursor.document, iter((located.owner.rgd,)), str(name))
    for document in declaring_documents(cursor, kind):
        declaring = (rgd for rgd in document.analysis.rgds if declared_kind(rgd) == kind)
        place = _declared(document, declaring, str(name))
        if place:
            return place
    return None


def _declared(document: Document, rgds: Iterator[RgdAnalysis], name: str) -> tuple[Document, Span] | None:
    for rgd in rgds:
        schema = rgd.rgd.schema
        key = key_at(schema.section.node, (name,)) if schema else None
        if schema and isinstance(key, Scalar):
            return document, schema.placed.document_span(name_span(schema.section.chunk_text, key))
    return None
