"""Describes values by their OpenAPI schemas: the fields of objects, and what an expression selects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.features.documentation.markdown import code, plain, prose, source_name
from kro_ls.kro.versions.history import first_with_field
from kro_ls.openapi.schema import is_immutable, rules_of, schema_facts, type_text
from kro_ls.openapi.validation.objects.edits import immutable_part

if TYPE_CHECKING:
    from kro_ls.cursor.schemas.yaml import YamlSchema
    from kro_ls.openapi.schema import Schema


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


def describe_value(name: str, value: object, field: YamlSchema) -> str:
    """Return what the field of a value takes; of a value that no enum has it says so."""
    text = describe_field(name, field)
    if field.schema.enum and value not in field.schema.enum:
        text += f"\n\n{code(str(value))} is not one of these."
    return text


def describe_schema(schema: Schema) -> str:
    """Return what a schema says of a value: its description, format, default, limits; perhaps nothing."""
    facts = "\n".join(f"- {fact}" for fact in schema_facts(schema, code, plain))
    return "\n\n".join(part for part in (prose(schema.description.strip()), facts) if part)
