"""Names of a definition with the places in other files where they are written.

Ids also stand in test files; the declared kind is named in the schema, in instances, and in templates of others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.names.references import Meaning
from kro_ls.cursor.fields.declared import declared_kind, kind_of, objects_of
from kro_ls.cursor.fields.place import yaml_at
from kro_ls.cursor.parts import resource_part
from kro_ls.cursor.symbol import Occurrence, Symbol
from kro_ls.workspace.test_files import named_ids, part_at, parts_testing
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import Scalar, field, resolved
from kro_ls.yaml_positions.scalars.source_map import text_span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.symbol import CustomType
    from kro_ls.openapi.kind_schema import GroupVersionKind
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import AllDocuments
    from kro_ls.yaml_positions.documents.runs import PlacedChunk
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.positions import Span


class FoundSymbol(Struct, frozen=True):
    """A name, and the document that declares it. `span` is where it stands at the cursor in a test file."""

    document: Document
    symbol: Symbol | CustomType
    span: Span | None = None

    def occurrences(self, others: AllDocuments) -> Iterator[tuple[Document, Occurrence]]:
        """Yield every place where the name is written, its declaration first."""
        for each in self.symbol.occurrences:
            yield self.document, each
        if isinstance(self.symbol, Symbol) and self.symbol.meaning is Meaning.RESOURCE:
            for test in others.tests_of(self.document):
                for name, span in (each for part in parts_testing(test, self.document) for each in named_ids(part)):
                    if name == self.symbol.name:
                        yield test, Occurrence(span, is_declaration=False)


def symbol_at(cursor: Cursor) -> FoundSymbol | None:
    """Return the name at a cursor: in a definition, or the id of a resource in a test file."""
    if cursor.symbol:
        return FoundSymbol(cursor.document, cursor.symbol)
    part = part_at(cursor.document, cursor.offset)
    document = cursor.others.tested_at(cursor.document, cursor.offset) if part else None
    for name, span in named_ids(part) if part else ():
        if document and span.contains(cursor.offset):
            for rgd in document.analysis.rgds:
                declared = rgd.resources.get(name)
                if declared:
                    return FoundSymbol(document, Symbol(name, Meaning.RESOURCE, resource_part(rgd, declared)), span)
    return None


_SCHEMA_KIND = ("spec", "schema", "kind")


class NamedKind(Struct, frozen=True):
    """A kind that a document names, and the document whose RGD declares it, at a span."""

    name: GroupVersionKind
    document: Document
    declaring: Document
    declaration: Span

    def here(self) -> tuple[Occurrence, ...]:
        """Return where the document itself names the kind, each place once."""
        return tuple(_occurrences(self.document, self.name))

    def everywhere(self, others: AllDocuments) -> Iterator[tuple[Document, Occurrence]]:
        """Yield where the kind is named, its declaration first. `others` are the documents of the workspace."""
        documents = {self.declaring.uri: self.declaring, self.document.uri: self.document}
        for document in others.mentioning(self.name.kind):
            if others.mean_the_same(self.name, self.document, document):
                documents.setdefault(document.uri, document)
        found = [(document, each) for document in documents.values() for each in _occurrences(document, self.name)]
        yield from sorted(found, key=lambda each: not each[1].is_declaration)


def kind_at(cursor: Cursor) -> NamedKind | None:
    """Return the kind that a `kind` or `apiVersion` at a cursor names; None for one that no RGD declares."""
    name = _name_at(cursor)
    if name is None:
        return None
    for document in (cursor.document, *cursor.others.declaring(name, cursor.document)):
        if cursor.others.mean_the_same(name, cursor.document, document):
            for span in _declarations(document, name):
                return NamedKind(name, cursor.document, document, span)
    return None


def _name_at(cursor: Cursor) -> GroupVersionKind | None:
    place = cursor.yaml
    if cursor.rgd and place and place.path == _SCHEMA_KIND and not place.in_key:
        return declared_kind(cursor.rgd)
    document, found = yaml_at(cursor)
    if document is None or found is None:
        return None
    path, located, in_key = found
    if in_key or path[-1:] not in (("apiVersion",), ("kind",)) or not located.span.contains(cursor.offset):
        return None
    parent = document.child(path[:-1])
    return kind_of(parent.node) if parent else None


def _occurrences(document: Document, name: GroupVersionKind) -> Iterator[Occurrence]:
    declared = list(_declarations(document, name))
    for span in dict.fromkeys((*declared, *_uses(document, name))):  # an anchor's text is that of its aliases, too
        yield Occurrence(span, is_declaration=span in declared)


def _declarations(document: Document, name: GroupVersionKind) -> Iterator[Span]:
    for rgd in document.analysis.rgds if name.kind in document.text.content else ():
        schema = rgd.rgd.schema
        if schema and declared_kind(rgd) == name:
            yield from _span(schema.placed, schema.section.node)


def _uses(document: Document, name: GroupVersionKind) -> Iterator[Span]:
    stream = document.analysis.stream
    for yaml in stream.documents or parse_stream(document.text).documents:
        for placed in (yaml.frame, *yaml.chunks):
            for node in objects_of(placed, name):
                yield from _span(placed, node)


def _span(placed: PlacedChunk, node: Node) -> Iterator[Span]:
    kind = resolved(field(node, "kind"))
    if isinstance(kind, Scalar):
        yield placed.document_span(text_span(placed.chunk.text, kind))
