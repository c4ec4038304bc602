"""The fields that a schema in the template of a CustomResourceDefinition may be meant to declare, with their types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.openapi.schema import Schema
from kro_ls.openapi.sources.crds.definition_schema import BRANCHES, SCHEMA
from kro_ls.yaml_positions.nodes import entries, field, items, node_at, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.yaml_positions.nodes import Node

VERSIONS: Path = ("spec", "versions")
ROOT: Path = (*VERSIONS, 0, "schema", SCHEMA)
_ONE_SCHEMA = ("items", "additionalProperties", "not")
_OBJECT = {"spec": "object", "status": "object", "apiVersion": "string", "kind": "string", "metadata": "object"}
_STATUS = {"conditions": "array", "observedGeneration": "integer"}
_CONDITION = {
    **dict.fromkeys(("type", "status", "reason", "message", "lastTransitionTime"), "string"),
    "observedGeneration": "integer",
}
_USUAL: dict[Path | None, dict[str, str]] = {(): _OBJECT, ("status",): _STATUS, ("status", "conditions", 0): _CONDITION}
"""What nearly every kind has, by the path of the value."""


class OtherKnowledge(Struct, frozen=True):
    """Other knowledge of the kind that a definition declares: from schema sources, and from objects of the kind.

    `written` gives a schema of what the workspace writes in objects of a kind, by `apiVersion` and `kind`.
    """

    index: SchemaIndex
    written: Callable[[str, str], JsonObject] | None = None


def field_names(definition: Node | None, place: NestedPlace, other: OtherKnowledge) -> dict[str, str]:
    """Return the names of fields for `properties` at a place of a definition, the likeliest first, with their types.

    They are those that the schema itself requires, those of every kind, those that another version has in the same
    place, those of the kind as a schema source knows it, and those that objects of the kind have.
    """
    found: dict[str, str] = {}
    written = node_at(definition, place.schema)
    for name, type_name in (
        *((name, "") for each in items(field(written, "required")) if (name := text_of(each))),
        *_USUAL.get(place.value, {}).items(),
        *_in_other_versions(definition, place),
        *_known(definition, place, other),
    ):
        found[name] = found.get(name) or type_name
    return found


def _in_other_versions(definition: Node | None, place: NestedPlace) -> Iterator[tuple[str, str]]:
    for number, version in enumerate(items(node_at(definition, place.version[:-1]))):
        if number != place.version[-1]:
            other = node_at(version, ("schema", SCHEMA, *place.inside, "properties"))
            yield from ((each.name, text_of(field(each.value, "type")) or "") for each in entries(other) if each.name)


def _known(definition: Node | None, place: NestedPlace, other: OtherKnowledge) -> Iterator[tuple[str, str]]:
    group, kind = (text_of(node_at(definition, path)) for path in (("spec", "group"), ("spec", "names", "kind")))
    version = text_of(node_at(definition, (*place.version, "name")))
    if not group or not kind or place.value is None:
        return
    versions = (each.version for each in other.index.versions(group, kind))
    for each in sorted(versions, key=lambda each: each != version):
        found = other.index.find(group, each, kind)
        schema = Schema(found.declared_schema or found.schema) if found else None
        yield from _fields_of(schema.field(place.value) if schema else None)
    if other.written and version:
        yield from _fields_of(Schema(other.written(f"{group}/{version}", kind)).field(place.value))


def _fields_of(schema: Schema | None) -> Iterator[tuple[str, str]]:
    if schema:
        yield from ((name, next(iter(child.types), "")) for name, child in schema.properties.items())


class NestedPlace(Struct, frozen=True):
    """A place in a definition: the path of the innermost schema around it, and the rest of the path from there.

    `value` is the path of what the schema describes in an object, None for one that only restricts another one, as in
    `anyOf`. A key that is free is written `*` there.
    """

    schema: Path
    rest: Path
    value: Path | None

    @property
    def version(self) -> Path:
        """The path of the version of the definition."""
        return self.schema[: len(VERSIONS) + 1]

    @property
    def inside(self) -> Path:
        """The path of the schema from the version's own one."""
        return self.schema[len(ROOT) :]


def nested_place(path: Path) -> NestedPlace | None:
    """Return where a path of a definition leads in its schemas, None where it leads elsewhere."""
    end = len(ROOT)
    if len(path) < end or not isinstance(path[2], int) or (*path[:2], 0, *path[3:end]) != ROOT:
        return None
    value: Path | None = ()
    while end < len(path):
        step, following = path[end], path[end + 1 : end + 2]
        if step == "properties" and following:
            value = None if value is None else (*value, *following)
            end += 2
        elif step in BRANCHES and following:
            value = None
            end += 2
        elif step in _ONE_SCHEMA:
            value = None if value is None or step == "not" else (*value, 0 if step == "items" else "*")
            end += 1
        else:
            break
    return NestedPlace(path[:end], path[end:], value)
