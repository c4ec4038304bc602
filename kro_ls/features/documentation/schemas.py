"""Describes values by their OpenAPI schemas: the fields of objects, and what an expression selects."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kro_ls.features.documentation.markdown import code, plain, prose, source_name
from kro_ls.kro.versions.history import first_with_field
from kro_ls.openapi.json_values import as_list, as_object, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.schemas.yaml import YamlSchema
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.schema import Schema

_MOST_VALUES = 20
_MOST_RULES = 10

_LIMITS = {
    "minimum": "at least",
    "exclusiveMinimum": "more than",
    "maximum": "at most",
    "exclusiveMaximum": "less than",
    "multipleOf": "a multiple of",
    "minLength": "characters, at least",
    "maxLength": "characters, at most",
    "pattern": "pattern",
    "minItems": "items, at least",
    "maxItems": "items, at most",
    "minProperties": "entries, at least",
    "maxProperties": "entries, at most",
}
"""The keywords that restrict a value, and what to say of each."""


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
        parts.append(plain(f"{field.kind.name} ({source_name(field.kind.source)})"))
    return "\n\n".join(part for part in parts if part)


def describe_value(name: str, value: object, field: YamlSchema) -> str:
    """Return what the field of a value takes; of a value that no enum has it says so."""
    text = describe_field(name, field)
    if field.schema.enum and value not in field.schema.enum:
        text += f"\n\n{code(str(value))} is not one of these."
    return text


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
    """Return what a schema says of a value: its description, format, default, limits; perhaps nothing."""
    facts = "\n".join(f"- {fact}" for fact in _facts(schema))
    return "\n\n".join(part for part in (prose(schema.description.strip()), facts) if part)


def _facts(schema: Schema) -> Iterator[str]:
    if schema.format:
        yield f"format: {code(schema.format)}"
    if schema.default is not None:
        yield f"default: {code(_json(schema.default))}"
    if schema.enum:
        more = ", ..." if len(schema.enum) > _MOST_VALUES else ""
        yield "one of: " + ", ".join(code(_json(value)) for value in schema.enum[:_MOST_VALUES]) + more
    for keyword, words in _LIMITS.items():
        if keyword in schema.raw:
            yield f"{words}: {code(_json(schema.raw[keyword]))}"
    if schema.raw.get("uniqueItems") is True:
        yield "no item twice"
    for each in as_list(schema.raw.get("x-kubernetes-validations"))[:_MOST_RULES]:
        rule = as_object(each)
        message = as_text(rule.get("message"))
        yield f"rule: {code(as_text(rule.get('rule')))}" + (f" ({plain(message)})" if message else "")


def _json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)
