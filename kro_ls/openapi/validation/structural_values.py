"""What the API server does with the structure of a custom resource: it prunes, drops nulls, sets defaults, and checks.

The first three change a value in place. Checked are lists that are sets or maps, and of embedded resources
`apiVersion`, `kind` and the type of `metadata`, but not its contents.
Source: k8s.io/apiextensions-apiserver, pkg/apiserver/schema/{pruning,defaulting,listtype,objectmeta}.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from msgspec import Struct, field

from kro_ls.openapi.json_values import (
    JsonObject,
    JsonValue,
    as_object,
    as_text,
    as_texts,
    copy_json,
    is_unknown,
    unknown_text,
)
from kro_ls.openapi.validation.field_errors import ErrorType, FieldError, field_error, place_of
from kro_ls.openapi.validation.object_meta import label_1035_problems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import Path


_OBJECT_FIELDS = frozenset({"apiVersion", "kind", "metadata"})


def prune(value: JsonValue, schema: JsonObject) -> list[Path]:
    """Remove the fields that the schema lacks, and return their paths, sorted as the API server writes them."""
    unknown: list[Path] = []
    _prune(value, schema, (), unknown)
    return sorted(unknown, key=place_of)


def prune_object(value: JsonObject, schema: JsonObject) -> list[Path]:
    """Prune a whole object: `apiVersion`, `kind` and `metadata` stay, whatever the schema says."""
    return prune(value, {**schema, "x-kubernetes-embedded-resource": True})


def _prune(value: JsonValue, schema: JsonObject | None, path: Path, unknown: list[Path], keep: bool = False) -> None:
    """Prune by a schema; None is one without fields. `keep` leaves unknown fields of this value alone."""
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
    """Return the schema of a field or of a map's value."""
    if schema is None:
        return None
    properties = as_object(schema.get("properties"))
    return _child_schema(properties, name) if name in properties else _child_schema(schema, "additionalProperties")


def _is_forbidden_null(value: JsonValue, schema: JsonObject | None) -> bool:
    return value is None and schema is not None and schema.get("nullable") is not True


class _Walk(Struct):
    """Finds the errors of embedded resources and of lists in one walk. Places have map keys in brackets, as in Go."""

    of_resources: list[FieldError] = field(default_factory=list)
    of_lists: list[FieldError] = field(default_factory=list)

    def visit(self, value: JsonValue, schema: JsonObject, path: Path, place: str) -> None:
        if isinstance(value, list):
            self._lists(value, schema, path, place)
            items = schema.get("items")
            for position, item in enumerate(value) if isinstance(items, dict) else ():
                if isinstance(item, dict | list):
                    self.visit(item, as_object(items), (*path, position), f"{place}[{position}]")
        elif isinstance(value, dict):
            if schema.get("x-kubernetes-embedded-resource") is True:
                self.of_resources += _embedded_resource(value, path, place)
            properties, additional = as_object(schema.get("properties")), schema.get("additionalProperties")
            for name, child in value.items():
                if not isinstance(child, dict | list):
                    continue
                if name in properties:
                    self.visit(child, as_object(properties[name]), (*path, name), f"{place}.{name}" if place else name)
                elif isinstance(additional, dict):
                    self.visit(child, additional, (*path, name), f"{place}[{name}]")

    def _lists(self, items: list[JsonValue], schema: JsonObject, path: Path, place: str) -> None:
        list_type = schema.get("x-kubernetes-list-type")
        if list_type == "set":
            for position in _repeated(items):
                self.of_lists.append(_item_error(path, place, position, ErrorType.DUPLICATE, items[position]))
        elif list_type == "map":
            self.of_lists += _list_map(items, as_texts(schema.get("x-kubernetes-list-map-keys")), path, place)


def structure_errors(value: JsonValue, schema: JsonObject) -> tuple[FieldError, ...]:
    """Return the errors of embedded resources, then those of lists that are sets or maps."""
    walk = _Walk()
    walk.visit(value, schema, (), "")
    return (*walk.of_resources, *walk.of_lists)


def _embedded_resource(value: JsonObject, path: Path, place: str) -> Iterator[FieldError]:
    def error(name: str, error_type: ErrorType, shown: JsonValue, detail: str = "") -> FieldError:
        return field_error((*path, name), f"{place}.{name}" if place else name, error_type, shown, detail)

    for name in ("apiVersion", "kind"):
        if name not in value:
            yield error(name, ErrorType.REQUIRED, None)
        elif not isinstance(value[name], str):
            yield error(name, ErrorType.INVALID, value[name], "must be a string")
        elif not value[name]:
            yield error(name, ErrorType.INVALID, value[name], "must not be empty")
    api_version, kind = as_text(value.get("apiVersion")), as_text(value.get("kind"))
    if api_version.count("/") > 1:
        yield error("apiVersion", ErrorType.INVALID, api_version, f"unexpected GroupVersion string: {api_version}")
    if kind and (problems := label_1035_problems(kind.lower())):
        detail = f"may have mixed case, but should otherwise match: {','.join(problems)}"
        yield error("kind", ErrorType.INVALID, kind, detail)
    if not isinstance(value.get("metadata", {}), dict):
        yield error("metadata", ErrorType.INVALID, value["metadata"], "must be an object")


def _item_error(
    path: Path, place: str, position: int, error_type: ErrorType, shown: JsonValue, detail: str = ""
) -> FieldError:
    return field_error((*path, position), f"{place}[{position}]", error_type, shown, detail)


def _list_map(items: list[JsonValue], names: tuple[str, ...], path: Path, place: str) -> Iterator[FieldError]:
    for position, item in enumerate(items):
        if item is not None and not isinstance(item, dict) and not is_unknown(item):
            detail = "must be an object for an array of list-type map"
            yield _item_error(path, place, position, ErrorType.INVALID, item, detail)
            return
    keys: list[JsonValue] = [{name: item[name] for name in names if name in item} for item in map(as_object, items)]
    for position in _repeated(keys):
        yield _item_error(path, place, position, ErrorType.DUPLICATE, keys[position])


def _repeated(values: list[JsonValue]) -> Iterator[int]:
    """Yield the second position of every value that occurs more than once."""
    times: dict[str, int] = {}
    for position, value in enumerate(values):
        key = json.dumps(value, sort_keys=True, default=unknown_text)
        times[key] = times.get(key, 0) + 1
        if times[key] == 2:
            yield position
