"""The fields that a schema in the template of a CustomResourceDefinition may be meant to declare, with their types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.schema import Schema
from kro_ls.openapi.sources.crds.schema_keywords import SCHEMA
from kro_ls.yaml_positions.access import entries, field, items, node_at, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.paths import Path
    from kro_ls.cursor.schemas.nested_place import NestedPlace
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.yaml_positions.nodes import Node

_OBJECT = {"spec": "object", "status": "object", "apiVersion": "string", "kind": "string", "metadata": "object"}
_STATUS = {"conditions": "array", "observedGeneration": "integer"}
_CONDITION = {
    **dict.fromkeys(("type", "status", "reason", "message", "lastTransitionTime"), "string"),
    "observedGeneration": "integer",
}
_USUAL: dict[Path | None, dict[str, str]] = {(): _OBJECT, ("status",): _STATUS, ("status", "conditions", 0): _CONDITION}
"""What nearly every kind has, by the path of the value."""


def field_names(definition: Node | None, place: NestedPlace, index: SchemaIndex) -> dict[str, str]:
    """Return the names of fields for `properties` at a place of a definition, the likeliest first, with their types.

    They are those that the schema itself requires, those of every kind, those that another version has in the same
    place, and those of the kind as a schema source knows it.
    """
    found: dict[str, str] = {}
    written = node_at(definition, place.schema)
    for name, type_name in (
        *((name, "") for each in items(field(written, "required")) if (name := text_of(each))),
        *_USUAL.get(place.value, {}).items(),
        *_in_other_versions(definition, place),
        *_known(definition, place, index),
    ):
        found[name] = found.get(name) or type_name
    return found


def _in_other_versions(definition: Node | None, place: NestedPlace) -> Iterator[tuple[str, str]]:
    for number, version in enumerate(items(node_at(definition, place.version[:-1]))):
        if number != place.version[-1]:
            other = node_at(version, ("schema", SCHEMA, *place.inside, "properties"))
            yield from ((each.name, text_of(field(each.value, "type")) or "") for each in entries(other) if each.name)


def _known(definition: Node | None, place: NestedPlace, index: SchemaIndex) -> Iterator[tuple[str, str]]:
    group, kind = (text_of(node_at(definition, path)) for path in (("spec", "group"), ("spec", "names", "kind")))
    version = text_of(node_at(definition, (*place.version, "name")))
    if not group or not kind or place.value is None:
        return
    versions = (each.version for each in index.kinds() if (each.group, each.kind) == (group, kind))
    for each in sorted(versions, key=lambda each: each != version):
        found = index.find(group, each, kind)
        schema = Schema(found.declared_schema or found.schema).field(place.value) if found else None
        if schema:
            yield from ((name, next(iter(child.types), "")) for name, child in schema.properties.items())
