"""Describes fields and kinds for people, as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.features.documentation import describe_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.yaml_schemas import YamlSchema
    from kro_ls.openapi.kinds import KindSchema
    from kro_ls.openapi.schema import Schema
    from kro_ls.openapi.sources.bundled import Lifetime


def describe_field(name: str, field: YamlSchema) -> str:
    """Return a field's type, whether its object needs it, what its schema says, and the kind that has it."""
    facts = [f"`{type_text(field.schema)}`"]
    if field.is_required:
        facts.append("required")
    if field.schema.is_deprecated:
        facts.append("deprecated")
    parts = [f"**{name}**: {', '.join(facts)}", describe_schema(field.schema)]
    if field.kind and field.owner != ():
        parts.append(f"{field.kind.name} ({field.kind.source})")
    return "\n\n".join(part for part in parts if part)


def describe_kind(kind: KindSchema, lifetime: Lifetime | None) -> str:
    """Return what a kind is: scope, plural, stability, where its schema comes from, and what speaks against its use."""
    parts = [f"**{kind.name.kind}** (`{kind.name.api_version}`)"]
    if kind.deprecation:
        parts.append(f"Deprecated: {kind.deprecation}")
    description = str(kind.schema.get("description") or "").strip()
    if description:
        parts.append(description)
    parts.append("\n".join(f"- {fact}" for fact in _facts(kind, lifetime)))
    return "\n\n".join(parts)


def _facts(kind: KindSchema, lifetime: Lifetime | None) -> Iterator[str]:
    yield f"scope: {'Namespaced' if kind.namespaced else 'Cluster'}"
    yield f"plural: `{kind.plural}`"
    yield f"stability: {kind.stability}"
    if kind.subresources:
        yield f"subresources: {', '.join(f'`{name}`' for name in kind.subresources)}"
    if lifetime and lifetime.added_in:
        yield f"since: Kubernetes {lifetime.added_in}"
    yield f"schema: {kind.source}"


def type_text(schema: Schema) -> str:
    """Return the type of a value: `string`, `[]object`, `map[string]string`, `integer or string`, `any`."""
    types = schema.types
    items, values = schema.items, schema.additional_properties
    if types == ("array",) and items:
        return f"[]{type_text(items)}"
    if types == ("object",) and values and not schema.raw.get("properties"):
        return f"map[string]{type_text(values)}"
    return " or ".join(types) or "any"
