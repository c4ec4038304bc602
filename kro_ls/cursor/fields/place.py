"""The field at a place of a document, and where it is declared, perhaps in another document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cursor.fields.declared import DeclaredField, declared_field, declared_kind, kind_of, value_path
from kro_ls.cursor.fields.uses import marker_uses, printer_columns, selected_object, selection_of
from kro_ls.workspace.test_files import part_at, status_keys
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import Scalar, entries, key_at
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.source_map import text_span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import PlacedSchema
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.fields.declared import ValuePath
    from kro_ls.openapi.kind_schema import GroupVersionKind
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.documents.document import Located, YamlDocument
    from kro_ls.yaml_positions.nodes import Node


_WORD = re.compile("[A-Za-z0-9_-]")


class FieldPlace(Struct, frozen=True):
    """A field, and where its name is written at the cursor."""

    field: DeclaredField
    span: Span


def field_at(cursor: Cursor) -> FieldPlace | None:
    """Return the field whose name is at a cursor: declared, selected in an expression, or set in an object.

    In a test file it may be an expected field of the status.
    """
    return _in_schema(cursor) or _in_expression(cursor) or _in_marker(cursor) or _in_object(cursor) or _in_test(cursor)


def _in_test(cursor: Cursor) -> FieldPlace | None:
    part = part_at(cursor.document, cursor.offset)
    document = cursor.others.tested_at(cursor.document, cursor.offset) if part else None
    for names, span in status_keys(part) if part else ():
        if document and span.contains(cursor.offset):
            for rgd in document.analysis.rgds:
                field = declared_field(document, rgd, ("status", *names))
                if field:
                    return FieldPlace(field, span)
    return None


def _in_schema(cursor: Cursor) -> FieldPlace | None:
    rgd, place = cursor.rgd, cursor.yaml
    if rgd is None or place is None or not place.in_key or not rgd.rgd.schema:
        return None
    steps = place.path[2:]
    names = tuple(step for step in steps if isinstance(step, str))
    if place.path[:2] != ("spec", "schema") or len(names) != len(steps):
        return None
    found = None
    if names[:1] == ("status",):
        found = declared_field(cursor.document, rgd, names)
    elif cursor.schema_field and len(names) > (2 if names[0] == "types" else 1):
        section = cursor.schema_field
        found = _declared_at(cursor.document, rgd, section.root, section.path)
    span = found.declaration if found else None
    return FieldPlace(found, span) if found and span and span.contains(cursor.offset) else None


def _declared_at(document: Document, rgd: RgdAnalysis, root: str, path: tuple[str, ...]) -> DeclaredField | None:
    schema = rgd.rgd.schema
    if schema is None:
        return None
    return DeclaredField(document, rgd, schema, "types" if root == "types" else "spec", path)


def _in_expression(cursor: Cursor) -> FieldPlace | None:
    located = cursor.expression
    node = located.selected if located else None
    if located is None or node is None:
        return None
    selection = selection_of(located.owner, located.expression, node)
    found = selected_object(located.owner, selection) if selection else None
    if found is None:
        return None
    kind, path = found
    field = (
        declared_field(cursor.document, located.owner.rgd, path)
        if kind is None
        else _declared_elsewhere(cursor, kind, path=path)
    )
    return FieldPlace(field, located.span(*node.field_span)) if field else None


def _in_marker(cursor: Cursor) -> FieldPlace | None:
    """Return the field that a marker of SimpleSchema or the column of a printer names at the cursor."""
    schema = cursor.rgd.rgd.schema if cursor.rgd else None
    if cursor.rgd is None or schema is None or not cursor.part or isinstance(cursor.part.part, Resource):
        return None
    content = cursor.document.text.content
    start = end = cursor.offset
    while start > 0 and _WORD.match(content[start - 1]):
        start -= 1
    while end < len(content) and _WORD.match(content[end]):
        end += 1
    span = Span(start, end)
    for field in _fields_called(cursor.document, cursor.rgd, schema, content[start:end]):
        if span in (*marker_uses(field), *printer_columns(field)):
            return FieldPlace(field, span)
    return None


def _fields_called(document: Document, rgd: RgdAnalysis, schema: PlacedSchema, name: str) -> Iterator[DeclaredField]:
    for root, path in simple_schema(schema.section).definitions:
        if path[-1:] == (name,) and len(path) > (1 if root == "types" else 0):
            yield DeclaredField(document, rgd, schema, root, path)
    status = schema.section.status
    for names, _ in _paths(status) if status else ():
        if names[-1] == name:
            yield DeclaredField(document, rgd, schema, "status", names)


def _paths(node: Node, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Node]]:
    for entry in entries(node):
        if entry.name is not None and entry.value is not None:
            yield (*above, entry.name), entry.value
            yield from _paths(entry.value, (*above, entry.name))


def _in_object(cursor: Cursor) -> FieldPlace | None:
    """Return the field whose key is at the cursor in an instance, or in a template of a kind that an RGD declares."""
    document, found = yaml_at(cursor)
    if (
        document is None
        or found is None
        or (cursor.rgd and not (cursor.part and isinstance(cursor.part.part, Resource)))
    ):
        return None
    path, located, in_key = found
    if not in_key or not isinstance(located.key, Scalar):
        return None
    for length in range(len(path) - 1, -1, -1):
        if path[length] in ("spec", "status"):
            parent = document.child(path[:length])
            kind = kind_of(parent.node) if parent else None
            if kind:
                field = _declared_elsewhere(cursor, kind, steps=path[length:])
                span = located.key_placed.document_span(text_span(located.key_placed.chunk.text, located.key))
                return FieldPlace(field, span) if field else None
    return None


def yaml_at(cursor: Cursor) -> tuple[YamlDocument | None, tuple[tuple[str | int, ...], Located, bool] | None]:
    """Return the YAML document at a cursor; and of what is there the path, the node, and whether it is a key."""
    if cursor.rgd:
        return cursor.rgd.rgd.document, cursor.yaml
    if cursor.document.analysis.stream.documents:
        document = cursor.document.analysis.stream.document_at(cursor.offset)
    else:
        document = parse_stream(cursor.document.text).document_at(cursor.offset)
    return document, document.path_at(cursor.offset)


def _declared_elsewhere(
    cursor: Cursor,
    kind: GroupVersionKind,
    *,
    path: ValuePath = (),
    steps: tuple[str | int, ...] = (),
) -> DeclaredField | None:
    """Return the field of a kind that this document or another one declares."""
    for each in declaring_documents(cursor, kind):
        for rgd in each.analysis.rgds:
            if declared_kind(rgd) == kind and rgd.rgd.schema:
                wanted = value_path(simple_schema(rgd.rgd.schema.section), steps) if steps else path
                found = declared_field(each, rgd, wanted)
                if found:
                    return found
    return None


def declaring_documents(cursor: Cursor, kind: GroupVersionKind) -> Iterator[Document]:
    """Yield the documents whose RGDs may declare a kind that the document of a cursor uses, that document first."""
    document = cursor.document
    yield document
    yield from (each for each in cursor.others.declaring(kind, document) if each.uri != document.uri)


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
            return document, schema.placed.document_span(text_span(schema.section.chunk_text, key))
    return None
