"""Every place of a document where a field that an RGD declares is written."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.cursor.fields.declared import declared_kind, name_span
from kro_ls.cursor.fields.marker_uses import marker_uses
from kro_ls.cursor.fields.objects import keys_in, kind_of
from kro_ls.cursor.fields.selection import selections_of
from kro_ls.cursor.parts import PlacedPart, parts
from kro_ls.workspace.test_files import parts_testing, status_keys
from kro_ls.yaml_positions.access import field, items
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.source_map import source_map
from kro_ls.yaml_positions.stream import parse_stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.cursor.fields.declared import DeclaredField, ValuePath
    from kro_ls.cursor.fields.selection import Selection
    from kro_ls.openapi.kind_schema import GroupVersionKind
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import AllDocuments

_COLLECTIONS = (ResourceType.COLLECTION, ResourceType.EXTERNAL_COLLECTION)
_JSON_PATH_STEP = re.compile(r"\.([A-Za-z0-9_-]+)|\[[^\]]*\]")


class Form(Enum):
    """How a name is written at a place."""

    KEY = "a key of YAML or JSON"
    SELECTED = "after a dot"


class FieldUse(Struct, frozen=True, order=True):
    """A place where a field's name is written, in offsets of the document."""

    span: Span
    form: Form
    is_declaration: bool = False


def may_use(wanted: DeclaredField, others: AllDocuments) -> Iterator[Document]:
    """Yield the other documents of the workspace that may write a field, some of them twice."""
    if wanted.kind:
        for document in others.mentioning(wanted.kind.kind, wanted.name):
            if others.mean_the_same(wanted.kind, wanted.document, document):
                yield document
    if wanted.root == "status":
        yield from others.tests_of(wanted.document)


def uses_in(wanted: DeclaredField, document: Document) -> tuple[FieldUse, ...]:
    """Return the places of a document where a field is written: the declaration first, each once."""
    found: dict[Span, FieldUse] = {}
    if document.uri == wanted.document.uri:
        declared = wanted.declaration
        own = next((rgd for rgd in document.analysis.rgds if declared_kind(rgd) == wanted.kind), wanted.rgd)
        if declared:
            found[declared] = FieldUse(declared, Form.KEY, is_declaration=True)
        for span in (*marker_uses(wanted), *printer_columns(wanted)):
            found.setdefault(span, FieldUse(span, Form.KEY))
        for span in _selected(wanted, own):
            found.setdefault(span, FieldUse(span, Form.SELECTED))
    for use in (*_of_kind(wanted, document), *_expected(wanted, document)):
        found.setdefault(use.span, use)
    return tuple(sorted(found.values(), key=lambda use: (not use.is_declaration, use.span)))


def _of_kind(wanted: DeclaredField, document: Document) -> Iterator[FieldUse]:
    """Yield where a field is written in objects of its kind, or read from them."""
    if not wanted.kind or wanted.kind.kind not in document.text.content:
        return
    for rgd in document.analysis.rgds:
        if document.uri != wanted.document.uri or declared_kind(rgd) != wanted.kind:
            yield from (FieldUse(span, Form.SELECTED) for span in _selected(wanted, rgd))
    stream = document.analysis.stream
    for yaml in stream.documents or parse_stream(document.text).documents:
        for placed, key in keys_in(yaml, wanted):
            yield FieldUse(placed.document_span(name_span(placed.chunk.text, key)), Form.KEY)


def _expected(wanted: DeclaredField, document: Document) -> Iterator[FieldUse]:
    """Yield where a test file expects something of a field of the status."""
    for part in parts_testing(document, wanted.document) if wanted.root == "status" else ():
        yield from (FieldUse(span, Form.KEY) for names, span in status_keys(part) if names == wanted.path)


def _selected(wanted: DeclaredField, rgd: RgdAnalysis) -> Iterator[Span]:
    """Yield where the expressions of an RGD select a field of the instance, or of a resource of the kind."""
    for owner in parts(rgd):
        for expression, node, selection in selections_of(owner, wanted.name):
            if _is_of(wanted, owner, selection):
                yield owner.span(expression.span(*node.field_span))


def _is_of(wanted: DeclaredField, owner: PlacedPart, selection: Selection) -> bool:
    found = selected_object(owner, selection)
    if found is None:
        return False
    kind, path = found
    is_kind = declared_kind(owner.rgd) == wanted.kind if kind is None else kind == wanted.kind
    return is_kind and wanted.is_at(path)


def selected_object(owner: PlacedPart, selection: Selection) -> tuple[GroupVersionKind | None, ValuePath] | None:
    """Return the kind of the object whose field is selected, None for the instance, and the path in that object."""
    variable, path = selection.variable, selection.path
    if variable == "schema":
        return None, path
    placed = owner.rgd.resources.get(variable)
    resource = placed.resource if placed else None
    if resource and resource.type in _COLLECTIONS:
        if path[:1] != (None,):
            return None
        path = path[1:]
    elif variable == "each" and resource is None and isinstance(owner.part, Resource):
        resource = owner.part
    kind = kind_of(resource.object) if resource else None
    return (kind, path) if kind else None


def printer_columns(wanted: DeclaredField) -> Iterator[Span]:
    """Yield where the columns of `kubectl get` name the field."""
    section, placed = wanted.schema.section, wanted.schema.placed
    for column in items(field(section.node, "additionalPrinterColumns")):
        scalar = field(column, "jsonPath")
        if not isinstance(scalar, Scalar):
            continue
        path: ValuePath = ()
        for step in _JSON_PATH_STEP.finditer(scalar.text):
            path = (*path, step[1])
            if step[1] == wanted.name and wanted.is_at(path):
                yield placed.document_span(source_map(section.chunk_text, scalar).source_span(Span(*step.span(1))))
