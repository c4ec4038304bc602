"""Describes values by their OpenAPI schemas: the fields of objects, and what an expression selects."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kro_ls.kro.versions.history import first_with_field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.schemas.yaml import YamlSchema
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.schema import Schema

_MOST_VALUES = 20


def describe_field(name: str, field: YamlSchema) -> str:
    """Return a field's type, whether its object needs it, what its schema says, and the kind that has it."""
    facts = [f"`{type_text(field.schema)}`"]
    if field.is_required:
        facts.append("required")
    if field.schema.is_deprecated:
        facts.append("deprecated")
    first = first_with_field(field.path) if field.owner == () else None
    if first:
        facts.append(f"since kro {first.release}")
    parts = [f"**{name}**: {', '.join(facts)}", describe_schema(field.schema)]
    if field.kind and field.owner != ():
        parts.append(f"{field.kind.name} ({field.kind.source})")
    return "\n\n".join(part for part in parts if part)


def type_text(schema: Schema) -> str:
    """Return the type of a value: `string`, `[]object`, `map[string]string`, `integer or string`, `any`."""
    types = schema.types
    items, values = schema.items, schema.additional_properties
    if types == ("array",) and items:
        return f"[]{type_text(items)}"
    if types == ("object",) and values and not schema.raw.get("properties"):
        return f"map[string]{type_text(values)}"
    return " or ".join(types) or "any"


def describe_schema(schema: Schema) -> str:
    """Return what a schema says of a value: its description, then format, default and enum; perhaps nothing."""
    facts = "\n".join(f"- {fact}" for fact in _facts(schema))
    return "\n\n".join(part for part in (schema.description.strip(), facts) if part)


def _facts(schema: Schema) -> Iterator[str]:
    if schema.format:
        yield f"format: `{schema.format}`"
    if schema.default is not None:
        yield f"default: `{_json(schema.default)}`"
    if schema.enum:
        more = ", ..." if len(schema.enum) > _MOST_VALUES else ""
        yield "one of: " + ", ".join(f"`{_json(value)}`" for value in schema.enum[:_MOST_VALUES]) + more


def _json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)
