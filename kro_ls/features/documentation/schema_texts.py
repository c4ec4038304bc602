"""Describes values by their OpenAPI schemas, and the custom types and markers of SimpleSchema."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from kro_ls.analysis.model.sections import written_field
from kro_ls.features.documentation.markdown import code, code_block, plain, prose, source_name
from kro_ls.kro.versions.history import MARKERS, first_with_field
from kro_ls.openapi.schema import is_immutable, rules_of, schema_facts, type_text
from kro_ls.openapi.validation.objects.edits import immutable_part
from kro_ls.yaml_positions.nodes import entries, resolved, text_of
from kro_ls.yaml_positions.scalars.writing import can_be_plain, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.cursor.schemas.yaml import YamlSchema
    from kro_ls.kro.simple_schema_words import MarkerDefinition
    from kro_ls.openapi.schema import Schema
    from kro_ls.yaml_positions.nodes import Node


def describe_field(name: str, field: YamlSchema) -> str:
    """Return a field's type, whether its object needs it, what its schema says, and the kind that has it."""
    facts = [code(type_text(field.schema))]
    if field.is_required:
        facts.append("required")
    if field.schema.is_deprecated:
        facts.append("deprecated")
    first = first_with_field(field.path) if field.owner == () else None
    if first:
        facts.append(f"since kro {first.release}")
    parts = [f"**{plain(name)}**: {', '.join(facts)}", describe_schema(field.schema)]
    if field.kind and field.owner != ():
        frozen = immutable_part(field.kind, field.path)
        if frozen == field.path and not any(map(is_immutable, rules_of(field.schema))):
            parts.append("Cannot be changed after creation.")
        elif frozen and frozen != field.path:
            parts.append(f"Cannot be changed after creation, as all of {code('.'.join(map(str, frozen)))}.")
        parts.append(plain(f"{field.kind.name} ({source_name(field.kind.source)})"))
    return "\n\n".join(part for part in parts if part)


def describe_schema(schema: Schema) -> str:
    """Return what a schema says of a value: its description, format, default, limits; perhaps nothing."""
    facts = "\n".join(f"- {fact}" for fact in schema_facts(schema, code, plain))
    return "\n\n".join(part for part in (prose(schema.description.strip()), facts) if part)


_MOST_FIELDS = 30
_DEEPEST = 20


def describe_marker(marker: MarkerDefinition) -> str:
    """Return what a marker is for and takes, with an example."""
    first = MARKERS.get(marker.name)
    facts = f"{marker.value_kind}, since kro {first.release}" if first else marker.value_kind
    example = "\n".join(f"field: {_in_yaml(each)}" for each in marker.example.split(", "))
    return f"**{marker.name}** ({facts})\n\n{marker.documentation}\n\n```yaml\n{example}\n```"


def _in_yaml(text: str) -> str:
    return text if can_be_plain(text, in_flow=False) else quoted(text)


def describe_custom_type(section: SchemaSection, name: str) -> str:
    """Return the declaration of a custom type as it is written, in YAML."""
    written = written_field(section, "types", (name,))
    lines = list(islice(_lines(name, written.value if written else None, 0), _MOST_FIELDS + 1))
    if len(lines) > _MOST_FIELDS:
        lines[-1] = "# ..."
    return f"**{plain(name)}**: custom type\n\n" + code_block("\n".join(lines), "yaml")


def _lines(name: str, value: Node | None, depth: int) -> Iterator[str]:
    text = text_of(value)
    yield "  " * depth + f"{name}: {text.strip() if text else ''}".rstrip()
    for entry in entries(value) if depth < _DEEPEST else ():
        yield from _lines(entry.name or "", resolved(entry.value), depth + 1)
