"""Tells what stands under the cursor in SimpleSchema, and what an expression's `schema.spec.x` is declared as."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.simpleschema.place_at import PlaceKind
from kro_ls.cursor.names.custom_type import CustomType
from kro_ls.features.documentation.simple_schema import describe_custom_type, describe_field, describe_marker
from kro_ls.kro.simple_schema_words import MARKERS, TYPES

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.schema_field import SchemaField
    from kro_ls.yaml_positions.positions import Span


def hover_simple_schema(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for a type, a marker, a field or its use in an expression, and the span that it is about."""
    used = cursor.instance_field
    if used:
        name = used.definition.path[-1] if used.definition.path else "spec"
        return describe_field(used.definition, name), used.span
    field = cursor.schema_field
    text = _describe(cursor, field) if field else None
    return (text, _hovered(field)) if field and text else None


def _describe(cursor: Cursor, field: SchemaField) -> str | None:
    custom = cursor.symbol
    if isinstance(custom, CustomType) and custom.declaration:
        return describe_custom_type(custom.section, custom.name)
    if field.in_key and field.definition:
        return describe_field(field.definition, field.path[-1])
    return _describe_place(field)


def _hovered(field: SchemaField) -> Span:
    """Return the word at the cursor, in document offsets."""
    place = field.place
    return field.owner.span(field.written.span_in_text(place.span) if place else field.written.entry.key.span)


def _describe_place(field: SchemaField) -> str | None:
    place, text = field.place, field.written.text
    if place is None or text is None:
        return None
    if place.kind is PlaceKind.TYPE:
        name = text.text[place.span.start : place.span.end]
        return f"**{name}**\n\n{TYPES[name]}" if name in TYPES else None
    known = MARKERS.get(place.marker.name) if place.marker else None
    return describe_marker(known) if known else None
