"""Every place where a field that an RGD declares is written: in YAML, expressions, markers and printer columns."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.model.sections import WrittenField, written_field
from kro_ls.analysis.names.inspection import inspect
from kro_ls.analysis.simpleschema.tokenizer import unescape as unescaped_marker
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.identifiers import field_name, unescape
from kro_ls.cel.types.types import Kind
from kro_ls.cursor.fields.declared import declared_kind, keys_in, kind_of
from kro_ls.cursor.located import chain_of, property_name
from kro_ls.cursor.parts import PlacedPart, parts, selected_resource
from kro_ls.cursor.typed_expression import typed_expression, unwrapped
from kro_ls.openapi.cel_types import ELEMENT, TYPE_NAME_PREFIX, VALUE
from kro_ls.workspace.test_files import parts_testing, status_keys
from kro_ls.yaml_positions.documents.chunks import parse_chunk
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar, Sequence, field, items
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.source_map import source_map, text_span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.simpleschema.results import FieldDefinition, Marker
    from kro_ls.cursor.fields.declared import DeclaredField, ValuePath
    from kro_ls.openapi.kind_schema import GroupVersionKind
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import AllDocuments

_RULE, _DEFAULT = "validation", "default"
_STEPS_BELOW = frozenset({ELEMENT, VALUE})
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
            yield FieldUse(placed.document_span(text_span(placed.chunk.text, key)), Form.KEY)


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
    if selection.variable == "schema":
        return None, selection.path
    resource, path = selected_resource(owner, selection.variable, selection.path)
    kind = kind_of(resource.object) if resource else None
    return (kind, tuple(path)) if kind else None


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


def marker_uses(wanted: DeclaredField) -> Iterator[Span]:
    """Yield where the markers of the section name a field, in offsets of the document."""
    for definition in wanted.simple_schema.definitions.values():
        for name in (_DEFAULT, _RULE) if definition.path else ():
            marker = definition.marker(name)
            if marker is None or wanted.name not in marker.value:
                continue
            written = written_field(wanted.schema.section, definition.root, definition.path)
            find = _keys if name == _DEFAULT else _selected_in_rule
            for span in find(wanted, definition, marker) if written else ():
                if written:
                    yield wanted.schema.placed.document_span(_in_section(written, marker, span))


def _in_section(written: WrittenField, marker: Marker, span: Span) -> Span:
    """Return a span of a marker's value in the text of the section."""
    start = marker.value_span.start
    if not marker.quoted:
        return written.span_in_text(span.shift(start))
    text = written.text
    raw = text.text[start : marker.value_span.end] if text else ""
    offsets = unescaped_marker(raw)[1]
    return written.span_in_text(Span(start + offsets[span.start], start + offsets[span.end]))


def _keys(wanted: DeclaredField, definition: FieldDefinition, marker: Marker) -> Iterator[Span]:
    """Yield where a default, which is JSON and so YAML, has a key of the field."""
    chunk = parse_chunk(marker.value)
    pending: list[tuple[Node, tuple[str | None, ...]]] = [(chunk.root, ())] if chunk.root else []
    while pending:
        node, path = pending.pop()
        if isinstance(node, Sequence):
            pending += [(item, (*path, None)) for item in node.items]
        elif isinstance(node, Mapping):
            for entry in node.entries:
                found = wanted.simple_schema.definition_below(definition, (*path, entry.name or ""))
                if found and (found.root, found.path) == (wanted.root, wanted.path) and isinstance(entry.key, Scalar):
                    yield text_span(marker.value, entry.key)
                pending.append((entry.value, (*path, entry.name if found else None)))


def _selected_in_rule(wanted: DeclaredField, definition: FieldDefinition, marker: Marker) -> Iterator[Span]:
    """Yield where a rule selects the field from `self`."""
    for node in ast.walk(inspect(marker.value).parsed.root):
        if isinstance(node, ast.Select) and node.field == wanted.name:
            chain = chain_of(node)
            is_own = chain is not None and chain[0].name == "self"
            found = wanted.simple_schema.definition_below(definition, chain[1]) if chain and is_own else None
            if found and (found.root, found.path) == (wanted.root, wanted.path):
                yield Span(*node.field_span)


class Selection(Struct, frozen=True):
    """A field of what a variable (`schema`, a resource's id, `each`) stands for.

    A name in `path` steps into an object, None into an item of a list or a value of a map.
    """

    variable: str
    path: tuple[str | None, ...]


def selections_of(owner: PlacedPart, name: str) -> Iterator[tuple[Expression, ast.Select, Selection]]:
    """Yield where the expressions of a part select a field of this name, in the order of the text."""
    wanted = field_name(name)
    for expression in owner.part.expressions:
        if name not in expression.text and wanted not in expression.text:
            continue
        for node in ast.walk(expression.inspection.parsed.root):
            if isinstance(node, ast.Select) and property_name(node) == name:
                selection = selection_of(owner, expression, node)
                if selection:
                    yield expression, node, selection


def selection_of(owner: PlacedPart, expression: Expression, node: ast.Select) -> Selection | None:
    """Return what a node of an expression selects, None where that is unclear.

    A plain chain of names is enough; a macro's variable or the result of a function needs its type.
    """
    return _plain_selection(owner, expression, node) or _typed_selection(owner, expression, node)


def _plain_selection(owner: PlacedPart, expression: Expression, selected: ast.Select) -> Selection | None:
    chain = chain_of(selected)
    if chain is None or not any(use.node is chain[0] for use in expression.inspection.names):
        return None
    name = chain[0].name
    is_iterator = isinstance(owner.part, Resource) and name in owner.part.iterators
    return None if is_iterator else Selection(name, chain[1])


def _typed_selection(owner: PlacedPart, expression: Expression, node: ast.Select) -> Selection | None:
    typed = typed_expression(owner, expression.place, expression.text)
    type_ = unwrapped(typed.type_of(node.operand))
    if type_.kind is not Kind.STRUCT or not type_.name.startswith(TYPE_NAME_PREFIX):
        return None
    variable, *below = type_.name.removeprefix(TYPE_NAME_PREFIX).split(".")
    steps = (None if step in _STEPS_BELOW else unescape(step) or step for step in below)
    return Selection(variable, (*steps, property_name(node)))
