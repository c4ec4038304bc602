"""What the API server does to a custom resource before it validates it: pruning, dropping nulls, and defaulting.

Every function changes the value in place. Source: k8s.io/apiextensions-apiserver, pkg/apiserver/schema/pruning and
pkg/apiserver/schema/defaulting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_object, copy_json
from kro_ls.openapi.validation.field_errors import place_of

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.field_errors import Path

_OBJECT_FIELDS = frozenset({"apiVersion", "kind", "metadata"})


def prune(value: JsonValue, schema: JsonObject) -> list[Path]:
    """Remove the fields that the schema does not know; their paths, sorted as the API server writes them."""
    unknown: list[Path] = []
    _prune(value, schema, (), unknown)
    return sorted(unknown, key=place_of)


def prune_object(value: JsonObject, schema: JsonObject) -> list[Path]:
    """`prune` of a whole object: `apiVersion`, `kind` and `metadata` stay whatever the schema says."""
    return prune(value, {**schema, "x-kubernetes-embedded-resource": True})


def _prune(value: JsonValue, schema: JsonObject | None, path: Path, unknown: list[Path], keep: bool = False) -> None:
    """Prune by a schema; None is one that knows no fields. `keep` leaves unknown fields of this value alone."""
    if not isinstance(value, dict | list):
        return
    keywords = schema or {}
    keep = keep or keywords.get("x-kubernetes-preserve-unknown-fields") is True
    if isinstance(value, dict):
        _prune_fields(value, keywords, path, unknown, keep)
        return
    items = _child_schema(schema, "items")
    for position, item in enumerate(value):
        if items is not None or not keep:
            _prune(item, items, (*path, position), unknown, keep)


def _prune_fields(value: JsonObject, schema: JsonObject, path: Path, unknown: list[Path], keep: bool) -> None:
    properties = as_object(schema.get("properties"))
    is_embedded = schema.get("x-kubernetes-embedded-resource") is True
    for name in list(value):
        if is_embedded and name in _OBJECT_FIELDS:
            continue
        if name in properties:
            _prune(value[name], _child_schema(properties, name), (*path, name), unknown)
        elif schema.get("additionalProperties") is not None:
            _prune(value[name], _child_schema(schema, "additionalProperties"), (*path, name), unknown)
        elif not keep:
            del value[name]
            unknown.append((*path, name))


def _child_schema(holder: JsonObject | None, name: str) -> JsonObject | None:
    child = holder.get(name) if holder is not None else None
    return child if isinstance(child, dict) else None


def drop_nulls(value: JsonValue, schema: JsonObject | None) -> None:
    """Remove the null fields that are neither nullable nor have a default. Nulls in lists stay."""
    if isinstance(value, dict):
        for name in list(value):
            field_schema = _field_schema(schema, name)
            if _is_forbidden_null(value[name], field_schema) and (field_schema or {}).get("default") is None:
                del value[name]
            elif isinstance(value[name], dict | list):
                drop_nulls(value[name], field_schema)
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, dict | list):
                drop_nulls(item, _child_schema(schema, "items"))


def apply_defaults(value: JsonValue, schema: JsonObject | None) -> None:
    """Fill in the defaults of fields that are absent, or null without being nullable."""
    if schema is None:
        return
    if isinstance(value, dict):
        properties = as_object(schema.get("properties"))
        for name, field_schema in properties.items():
            default = as_object(field_schema).get("default")
            if default is not None and (name not in value or _is_forbidden_null(value[name], as_object(field_schema))):
                value[name] = copy_json(default)
        for name in value:
            is_null = name not in properties and value[name] is None
            value[name] = _defaulted(value[name], _field_schema(schema, name), is_null)
    elif isinstance(value, list):
        items = _child_schema(schema, "items")
        for position, item in enumerate(value) if items is not None else ():
            value[position] = _defaulted(item, items, item is None)


def _defaulted(value: JsonValue, schema: JsonObject | None, may_fill: bool) -> JsonValue:
    """Return the value with its inner defaults, or the default in its place where it may not be null."""
    if may_fill and schema is not None and _is_forbidden_null(value, schema):
        value = copy_json(schema.get("default"))
    if isinstance(value, dict | list):
        apply_defaults(value, schema)
    return value


def _field_schema(schema: JsonObject | None, name: str) -> JsonObject | None:
    """The schema of a field or of a map's value."""
    if schema is None:
        return None
    properties = as_object(schema.get("properties"))
    return _child_schema(properties, name) if name in properties else _child_schema(schema, "additionalProperties")


def _is_forbidden_null(value: JsonValue, schema: JsonObject | None) -> bool:
    return value is None and schema is not None and schema.get("nullable") is not True
