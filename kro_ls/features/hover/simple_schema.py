"""Tells what stands under the cursor in SimpleSchema, and what an expression's `schema.spec.x` is declared as."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

from kro_ls.analysis.model.schema_fields import written_field
from kro_ls.analysis.simpleschema.cursor import PlaceKind
from kro_ls.analysis.simpleschema.markers import MARKERS, TYPES
from kro_ls.cursor.instance_fields import used_field_at
from kro_ls.cursor.schema_locate import custom_type_at, custom_type_declaration, schema_field_at
from kro_ls.yaml_positions.access import entries, resolved, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.simpleschema.markers import MarkerDefinition
    from kro_ls.analysis.simpleschema.results import FieldDefinition
    from kro_ls.cursor.schema_locate import SchemaField
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.positions import Span

_MOST_FIELDS = 30
_DEEPEST = 20


def describe_schema_at(analysis: Analysis, offset: int) -> tuple[str, Span] | None:
    """Return Markdown for a type, a marker, a field or its use in an expression, and the span that it is about."""
    used = used_field_at(analysis, offset)
    if used:
        return describe_field(used.definition, used.definition.path[-1] if used.definition.path else "spec"), used.span
    custom = custom_type_at(analysis, offset)
    at = schema_field_at(analysis, offset)
    if at is None:
        return None
    if custom and custom_type_declaration(custom):
        return describe_custom_type(custom.section, custom.name), _hovered(at)
    if at.in_key and at.definition:
        return describe_field(at.definition, at.path[-1]), _hovered(at)
    text = _describe_place(at)
    return (text, _hovered(at)) if text else None


def _hovered(at: SchemaField) -> Span:
    """Return the word at the cursor, in document offsets."""
    place = at.place
    span = at.written.span_in_text(place.span) if place else at.written.entry.key.span
    return at.placed_part.span(span)


def _describe_place(at: SchemaField) -> str | None:
    place, text = at.place, at.written.text
    if place is None or text is None:
        return None
    if place.kind is PlaceKind.TYPE:
        name = text.text[place.span.start : place.span.end]
        return f"**{name}**\n\n{TYPES[name]}" if name in TYPES else None
    known = MARKERS.get(place.marker.name) if place.marker else None
    return describe_marker(known) if known else None


def describe_marker(marker: MarkerDefinition) -> str:
    """Return what a marker is for and takes, with an example."""
    return f"**{marker.name}** ({marker.value_kind})\n\n{marker.documentation}\n\n```yaml\n{marker.example}\n```"


def describe_field(definition: FieldDefinition, name: str) -> str:
    """Return what SimpleSchema says of a field: its type, whether it must be set, its default and description."""
    type_ = str(definition.syntax.type) if definition.syntax else "object"
    facts = [f"`{type_}`"]
    if definition.required:
        facts.append("required")
    if definition.has_default:
        facts.append(f"default `{json.dumps(definition.default, ensure_ascii=False)}`")
    lines = [f"**{name}**: {', '.join(facts)}"]
    if definition.description:
        lines.append(definition.description)
    values = definition.schema.get("enum")
    if values:
        lines.append("One of " + ", ".join(f"`{value}`" for value in values))
    return "\n\n".join(lines)


def describe_custom_type(section: SchemaSection, name: str) -> str:
    """Return the declaration of a custom type as it is written, in YAML."""
    written = written_field(section, "types", (name,))
    lines = list(islice(_lines(name, written.value if written else None, 0), _MOST_FIELDS + 1))
    if len(lines) > _MOST_FIELDS:
        lines[-1] = "# ..."
    return f"**{name}**: custom type\n\n```yaml\n" + "\n".join(lines) + "\n```"


def _lines(name: str, value: Node | None, depth: int) -> Iterator[str]:
    text = text_of(value)
    yield "  " * depth + f"{name}: {text.strip() if text else ''}".rstrip()
    for entry in entries(value) if depth < _DEEPEST else ():
        yield from _lines(entry.name or "", resolved(entry.value), depth + 1)
