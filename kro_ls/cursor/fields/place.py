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
    from kro_ls.cursor.located import LocatedExpression
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
    schema = rgd.rgd.schema if rgd else None
    if rgd is None or place is None or not place.in_key or not schema:
        return None
    steps = place.path[2:]
    names = tuple(step for step in steps if isinstance(step, str))
    if place.path[:2] != ("spec", "schema") or len(names) != len(steps):
        return None
    found = None
    if names[:1] == ("status",):
        found = declared_field(cursor.document, rgd, names)
    elif cursor.schema_field and len(names) > (2 if names[0] == "types" else 1):
        found = DeclaredField(cursor.document, rgd, schema, cursor.schema_field.root, cursor.schema_field.path)
    span = found.declaration if found else None
    return FieldPlace(found, span) if found and span and span.contains(cursor.offset) else None


def _in_expression(cursor: Cursor) -> FieldPlace | None:
    selected = selected_at(cursor)
    if selected is None:
        return None
    located, kind, path = selected
    if kind is None:
        field = declared_field(cursor.document, located.owner.rgd, path)
    else:
        found = (declared_field(document, rgd, path) for document, rgd, _ in _declaring(cursor, kind))
        field = next(filter(None, found), None)
    return FieldPlace(field, located.span(*located.selected.field_span)) if field and located.selected else None


def selected_at(cursor: Cursor) -> tuple[LocatedExpression, GroupVersionKind | None, ValuePath] | None:
    """Return the expression that selects a field at the cursor; and its object's kind and the path in the object.

    The kind is None for the instance.
    """
    located = cursor.expression
    if located is None or located.selected is None:
        return None
    selection = selection_of(located.owner, located.expression, located.selected)
    found = selected_object(located.owner, selection) if selection else None
    return (located, *found) if found else None


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
                found_fields = (
                    declared_field(each, rgd, value_path(simple_schema(schema.section), path[length:]))
                    for each, rgd, schema in _declaring(cursor, kind)
                )
                field = next(filter(None, found_fields), None)
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


def _declaring(cursor: Cursor, kind: GroupVersionKind) -> Iterator[tuple[Document, RgdAnalysis, PlacedSchema]]:
    """Yield the RGDs that declare a kind, in the document of the cursor or another one, with their schemas."""
    document = cursor.document
    others = (each for each in cursor.others.declaring(kind, document) if each.uri != document.uri)
    for each in (document, *others):
        for rgd in each.analysis.rgds:
            if declared_kind(rgd) == kind and rgd.rgd.schema:
                yield each, rgd, rgd.rgd.schema


_ROOTS = (("spec",), ("status",))


def root_at(cursor: Cursor) -> tuple[Document, Span] | None:
    """Return where the `spec` or the `status` is declared that an expression selects at a cursor."""
    selected = selected_at(cursor)
    if selected is None or selected[2] not in _ROOTS:
        return None
    located, kind, path = selected
    own, schema = located.owner.rgd, located.owner.rgd.rgd.schema
    declaring = _declaring(cursor, kind) if kind else [(cursor.document, own, schema)] if schema else ()
    for document, _, declared in declaring:
        key = key_at(declared.section.node, (str(path[0]),))
        if isinstance(key, Scalar):
            return document, declared.placed.document_span(text_span(declared.section.chunk_text, key))
    return None
