"""Hovers for fields: keys and values of YAML, SimpleSchema and its uses in expressions, and fields of the status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.expressions import joined
from kro_ls.analysis.simpleschema.place_at import PlaceKind
from kro_ls.cel.types.types import Kind
from kro_ls.cursor.symbol import CustomType
from kro_ls.cursor.types.typed_expression import type_name, typed_expression
from kro_ls.features.documentation.kinds import describe_api_version, describe_kind, describe_unknown_kind
from kro_ls.features.documentation.markdown import code, code_block, plain
from kro_ls.features.documentation.schema_texts import (
    describe_custom_type,
    describe_declared_field,
    describe_field,
    describe_marker,
    describe_value,
)
from kro_ls.kro.places import Place
from kro_ls.kro.simple_schema_words import MARKERS, TYPES
from kro_ls.yaml_positions.access import field, text_of
from kro_ls.yaml_positions.nodes import Scalar

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.located import SchemaField
    from kro_ls.yaml_positions.positions import Span

_NAMES = (("apiVersion",), ("kind",))
_STATUS = ("spec", "schema", "status")


def hover_yaml(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for the key or the value at the cursor, and its span."""
    if cursor.yaml is None:
        return None
    kind, schema, located = cursor.named_kind, cursor.key_schema, cursor.yaml.located
    if kind:
        name = kind.name
        index = cursor.rgd.schemas if cursor.rgd else cursor.document.schemas
        lifetime = index.lifetime(name.group, name.version, name.kind) if index else None
        return describe_kind(kind, lifetime, index.choice(name) if index else None), located.span
    span = located.key_span
    if schema and span:
        return describe_field(str(cursor.yaml.path[-1]), schema), span
    return _unknown_kind(cursor) or _value(cursor)


def _unknown_kind(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for the `apiVersion` or `kind` of an object of an unknown kind."""
    if cursor.rgd is None or cursor.yaml is None:
        return None
    path, located, in_key = cursor.yaml
    if in_key or path[-1:] not in _NAMES or path[:2] != ("spec", "resources") or len(path) < 4:
        return None
    parent = cursor.rgd.rgd.document.child(path[:-1])
    api_version, kind = (text_of(field(parent.node if parent else None, name[0])) for name in _NAMES)
    if not located.span.contains(cursor.offset) or not api_version:
        return None
    if path[-1] == "kind" and kind:
        return describe_unknown_kind(cursor.rgd, api_version, kind), located.span
    return describe_api_version(cursor.rgd.schemas, api_version), located.span


def _value(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for a value: the values that its field accepts, and whether it is in the enum."""
    schema, place = cursor.value_schema, cursor.yaml
    name = next((step for step in reversed(place.path) if isinstance(step, str)), None) if place else None
    if schema is None or place is None or name is None or not isinstance(place.located.node, Scalar):
        return None
    return describe_value(name, place.located.node.value, schema), place.located.span


def hover_simple_schema(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for a type, a marker, a field or its use in an expression, and the span that it is about."""
    used = cursor.instance_field
    if used:
        name = used.definition.path[-1] if used.definition.path else "spec"
        return describe_declared_field(used.definition, name), used.span
    declared = cursor.schema_field
    text = _described(cursor, declared) if declared else None
    return (text, _hovered(declared)) if declared and text else None


def _described(cursor: Cursor, declared: SchemaField) -> str | None:
    custom = cursor.symbol
    if isinstance(custom, CustomType) and custom.declaration:
        return describe_custom_type(custom.section, custom.name)
    if declared.in_key and declared.definition:
        return describe_declared_field(declared.definition, declared.path[-1])
    return _describe_place(declared)


def _hovered(declared: SchemaField) -> Span:
    """Return the word at the cursor, in document offsets."""
    place = declared.place
    return declared.owner.span(declared.written.span_in_text(place.span) if place else declared.written.entry.key.span)


def _describe_place(declared: SchemaField) -> str | None:
    place, text = declared.place, declared.written.text
    if place is None or text is None:
        return None
    if place.kind is PlaceKind.TYPE:
        name = text.text[place.span.start : place.span.end]
        return f"**{name}**\n\n{TYPES[name]}" if name in TYPES else None
    marker = MARKERS.get(place.marker.name) if place.marker else None
    return describe_marker(marker) if marker else None


def hover_status_key(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for the key of a status field at the cursor, and its span."""
    place, part = cursor.yaml, cursor.part
    if place is None or part is None or not place.in_key or place.path[:3] != _STATUS or len(place.path) == 3:
        return None
    span = place.located.key_span
    if span is None:
        return None
    names = place.path[3:]
    lines = [f"**{plain(str(names[-1]))}**: field of the status"]
    below = [
        each
        for each in joined(part.part.expressions)
        if each.place is Place.STATUS and each.path[: len(names)] == names
    ]
    for expression in below:
        if expression.path == names:
            found = typed_expression(part, expression.place, expression.text).result.type
            type_ = "unknown" if found.kind is Kind.ERROR else type_name(found, part)
            lines = [
                f"**{plain(str(names[-1]))}**: {code(type_)}, field of the status",
                code_block(expression.text.strip(), "cel"),
            ]
    if len(below) > 1:
        lines.append(f"An object of {len(below)} fields.")
    if names == ("conditions",):
        lines.append("kro sets conditions of its own as well: `Ready` and those that it is made of.")
    return "\n\n".join(lines), span
