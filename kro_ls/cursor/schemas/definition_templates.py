"""The schemas in the template of a CustomResourceDefinition, as far as the text around them determines them.

Which keywords are of use depends on the type of the value, and the names of fields stand in several places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cursor.schemas.field_names import ROOT, OtherKnowledge, field_names, nested_place
from kro_ls.openapi.json_values import as_text
from kro_ls.openapi.kind_schema import CRD
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.sources.crds.definition_schema import (
    FORBIDDEN_IN_BRANCHES,
    INT_OR_STRING,
    OPEN,
    TYPES,
    UNSUPPORTED,
    formats_of,
    full_schema,
    implied_type,
    usual_keywords,
)
from kro_ls.yaml_positions.nodes import Scalar, entries, field, items, node_at, resolved, text_of

if TYPE_CHECKING:
    from kro_ls.analysis.model.paths import Path
    from kro_ls.cursor.schemas.field_names import NestedPlace
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.yaml_positions.nodes import Node

_NEVER = frozenset({*UNSUPPORTED, "uniqueItems"})
_TYPE = "x-kro-ls-type"
"""The type that the schema of a field is likely to describe."""
_OF_STRUCTURE = ("properties", "items", "additionalProperties")


def schema_in_definition(kind: KindSchema, path: Path, definition: Node | None, other: OtherKnowledge) -> Schema | None:
    """Return the schema at a path of a definition, None where there is no such field."""
    full = Schema(full_schema(kind))
    place, nested = nested_place(path), full.field(ROOT)
    if place is None or nested is None:
        return full.field(path)
    written = node_at(definition, place.schema)
    match place.rest:
        case ():
            return Schema(_schema(nested, definition, place, other))
        case ("properties",):
            return Schema(_fields(nested.raw, field_names(definition, place, other), in_branch=place.value is None))
        case ("required",):
            return _listed(full, path, _missing(written, written, "required"))
        case ("x-kubernetes-list-map-keys",):
            return _listed(full, path, _missing(field(written, "items"), written, "x-kubernetes-list-map-keys"))
        case ("required", int()):
            return _proposed(full, path, _missing(written, written, "required"))
        case ("x-kubernetes-list-map-keys", int()):
            return _proposed(full, path, _missing(field(written, "items"), written, "x-kubernetes-list-map-keys"))
        case ("type",):
            types = _types(definition, place, other)
            return Schema({**nested.properties["type"].raw, "enum": [*types]})
        case ("format",):
            return _proposed(full, path, formats_of(text_of(field(written, "type")) or ""))
        case ("default",) | ("enum", int()):
            return Schema(_value(written))
    return full.field(path)


def described_type(schema: Schema) -> str:
    """Return the type of the field that a schema is to describe, if it is in the place of one; else empty."""
    return as_text(schema.raw.get(_TYPE))


def is_definition(kind: KindSchema) -> bool:
    """Whether a kind is that of CustomResourceDefinitions."""
    return kind.name == CRD


def _schema(nested: Schema, definition: Node | None, place: NestedPlace, other: OtherKnowledge) -> JsonObject:
    """Return the schema of a schema, its keywords in the order in which they are likely."""
    present = {entry.name: entry.value for entry in entries(node_at(definition, place.schema)) if entry.name}
    in_branch = place.value is None
    kind = "branch" if in_branch else _kind_of(present) or _likely_type(definition, place, other)
    left_out = _NEVER | frozenset(FORBIDDEN_IN_BRANCHES if in_branch else ())
    first: tuple[str, ...] = ()
    if not in_branch and "type" not in present and kind not in (INT_OR_STRING, OPEN):
        has_begun = not present.keys().isdisjoint(_OF_STRUCTURE)
        first = ("type",) if has_begun or not _writes_types_last(definition, place) else ("description", "type")
    known = nested.properties
    order = dict.fromkeys((*first, *usual_keywords(kind), *known))
    fields: JsonObject = {name: known[name].raw for name in order if name in known and name not in left_out}
    return {**nested.raw, "properties": fields}


def _writes_types_last(definition: Node | None, place: NestedPlace) -> bool:
    """Whether the keywords are sorted, as generators do it: there are fields already, and the type is still to come."""
    root = {entry.name for entry in entries(node_at(definition, place.schema[: len(ROOT)]))}
    return "properties" in root and "type" not in root


def _kind_of(present: dict[str, Node]) -> str:
    for name in (INT_OR_STRING, OPEN):
        value = resolved(present.get(name))
        if isinstance(value, Scalar) and value.value is True and "type" not in present:
            return name
    return text_of(present.get("type")) or implied_type(present)


def _likely_type(definition: Node | None, place: NestedPlace, other: OtherKnowledge) -> str:
    """Return the type that a schema without one is likely to have, empty where nothing suggests one."""
    if not place.inside:
        return "object"
    fields = nested_place(place.schema[:-1])
    names = field_names(definition, fields, other) if fields and fields.rest == ("properties",) else {}
    return names.get(str(place.schema[-1]), "")


def _fields(nested: JsonObject, names: dict[str, str], *, in_branch: bool) -> JsonObject:
    """Return the schema of `properties`: each likely name, with its type if it has one."""
    if in_branch:
        return {"type": "object", "properties": dict.fromkeys(names, nested), "additionalProperties": nested}
    properties: JsonObject = {name: _typed(nested, type_name) for name, type_name in names.items()}
    return {"type": "object", "properties": properties, "additionalProperties": nested}


def _typed(nested: JsonObject, type_name: str) -> JsonObject:
    """Return the schema of a field's schema, which begins with its type."""
    keywords = Schema(nested).properties
    own: JsonObject = {name: keyword.raw for name, keyword in keywords.items()}
    if type_name:
        own["type"] = {**keywords["type"].raw, "enum": [type_name]}
    return {**nested, "properties": own, "required": ["type"], _TYPE: type_name or "field"}


def _types(definition: Node | None, place: NestedPlace, other: OtherKnowledge) -> tuple[str, ...]:
    """Return the types, the one first that the keywords beside it are about, or that the field is likely to have."""
    keywords = {entry.name: entry.value for entry in entries(node_at(definition, place.schema)) if entry.name}
    likely = implied_type(keywords) or _likely_type(definition, place, other)
    return tuple(dict.fromkeys((likely, *TYPES))) if likely else TYPES


def _missing(described: Node | None, written: Node | None, keyword: str) -> tuple[str, ...]:
    """Return the fields that one schema declares and that a list in another does not have yet."""
    present = {text_of(each) for each in items(field(written, keyword))}
    return tuple(
        each.name for each in entries(field(described, "properties")) if each.name and each.name not in present
    )


def _proposed(full: Schema, path: Path, values: tuple[str, ...]) -> Schema | None:
    found = full.field(path)
    return found and Schema({**found.raw, "examples": [*values]})


def _listed(full: Schema, path: Path, values: tuple[str, ...]) -> Schema | None:
    found, each = full.field(path), _proposed(full, (*path, 0), values)
    return found and each and Schema({**found.raw, "items": each.raw})


def _value(written: Node | None) -> JsonObject:
    """Return the schema of a value that a schema speaks of, such as its default."""
    name = text_of(field(written, "type"))
    values = (resolved(each) for each in items(field(written, "enum")))
    listed = [each.value for each in values if isinstance(each, Scalar)]
    proposed: list[JsonValue] = [each for each in listed if isinstance(each, str | int | float)]
    if name in ("object", "array"):
        return {"type": name, OPEN: True, **({"items": {OPEN: True}} if name == "array" else {})}
    return {"type": name, "examples": proposed} if name else {OPEN: True}
