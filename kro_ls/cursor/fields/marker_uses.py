"""The places in markers of SimpleSchema where fields are named: the keys of defaults, and rules about `self`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.sections import WrittenField, written_field
from kro_ls.analysis.names.inspection import inspect
from kro_ls.analysis.simpleschema.tokenizer import unescape
from kro_ls.cel.syntax import ast
from kro_ls.yaml_positions.chunks import parse_chunk
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar, Sequence
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.source_map import source_map

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.simpleschema.results import FieldDefinition
    from kro_ls.analysis.simpleschema.syntax import Marker
    from kro_ls.cursor.fields.declared import DeclaredField

_RULE, _DEFAULT = "validation", "default"
_INDICES = (ast.Operator.INDEX, ast.Operator.OPTIONAL_INDEX)


def marker_uses(wanted: DeclaredField) -> Iterator[Span]:
    """Yield where the markers of the section name a field, in offsets of the document."""
    for definition in wanted.simple_schema.definitions.values():
        for name in (_DEFAULT, _RULE) if definition.path else ():
            marker = definition.marker(name)
            if marker is None or wanted.name not in marker.value:
                continue
            written = written_field(wanted.schema.section, definition.root, definition.path)
            find = _keys if name == _DEFAULT else _selected
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
    offsets = unescape(raw)[1]
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
                    yield source_map(marker.value, entry.key).source_span(Span(0, len(entry.key.text)))
                pending.append((entry.value, (*path, entry.name if found else None)))


def _selected(wanted: DeclaredField, definition: FieldDefinition, marker: Marker) -> Iterator[Span]:
    """Yield where a rule selects the field from `self`."""
    for node in ast.walk(inspect(marker.value).parsed.root):
        if isinstance(node, ast.Select) and node.field == wanted.name:
            path = _path_from_self(node)
            found = wanted.simple_schema.definition_below(definition, path) if path else None
            if found and (found.root, found.path) == (wanted.root, wanted.path):
                yield Span(*node.field_span)


def _path_from_self(node: ast.Node) -> tuple[str | None, ...] | None:
    steps: list[str | None] = []
    while not isinstance(node, ast.Identifier):
        if isinstance(node, ast.Select):
            steps.append(node.field)
            node = node.operand
        elif isinstance(node, ast.Call) and node.function in _INDICES and len(node.arguments) == 2:
            steps.append(None)
            node = node.arguments[0]
        else:
            return None
    return tuple(reversed(steps)) if node.name == "self" else None
