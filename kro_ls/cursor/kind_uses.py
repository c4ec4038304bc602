"""The places where the kind that an RGD declares is named: in its schema, in instances, and in templates of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cursor.fields.declared import declared_kind, name_span
from kro_ls.cursor.fields.objects import kind_of
from kro_ls.cursor.names.occurrence import Occurrence
from kro_ls.yaml_positions.access import field, resolved
from kro_ls.yaml_positions.nodes import Mapping, Scalar, walk
from kro_ls.yaml_positions.stream import parse_stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.openapi.kinds import GroupVersionKind
    from kro_ls.workspace.all_documents import AllDocuments
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.positions import Span
    from kro_ls.yaml_positions.runs import PlacedChunk

_SCHEMA_KIND = ("spec", "schema", "kind")


def kind_occurrences(cursor: Cursor, others: AllDocuments | None) -> Iterator[tuple[Document, Occurrence]]:
    """Yield where the kind at a cursor is named, its declaration first; nothing for a kind that no RGD declares."""
    name = _kind_at(cursor)
    if name is None:
        return
    documents = {cursor.document.uri: cursor.document}
    for document in (*others.declaring(name, cursor.document), *others.mentioning(name.kind)) if others else ():
        if others and others.mean_the_same(name, cursor.document, document):
            documents.setdefault(document.uri, document)
    found = [(document, *each) for document in documents.values() for each in _places(document, name)]
    if any(is_declaration for _, _, is_declaration in found):
        for document, span, is_declaration in sorted(found, key=lambda each: not each[2]):
            yield document, Occurrence(span, is_declaration=is_declaration)


def _kind_at(cursor: Cursor) -> GroupVersionKind | None:
    place = cursor.yaml
    if cursor.rgd and place and place.path == _SCHEMA_KIND and not place.in_key:
        return declared_kind(cursor.rgd)
    return cursor.named_kind.name if cursor.named_kind else None


def _places(document: Document, name: GroupVersionKind) -> Iterator[tuple[Span, bool]]:
    for rgd in document.analysis.rgds:
        schema = rgd.rgd.schema
        if schema and declared_kind(rgd) == name:
            for span in _span(schema.placed, schema.section.node):
                yield span, True
    stream = document.analysis.stream
    for yaml in stream.documents or parse_stream(document.text).documents:
        for placed in (yaml.frame, *yaml.chunks):
            root = placed.chunk.root
            for node in walk(root) if root and name.kind in placed.chunk.text else ():
                if isinstance(node, Mapping) and kind_of(node) == name:
                    for span in _span(placed, node):
                        yield span, False


def _span(placed: PlacedChunk, node: Node) -> Iterator[Span]:
    kind = resolved(field(node, "kind"))
    if isinstance(kind, Scalar):
        yield placed.document_span(name_span(placed.chunk.text, kind))
