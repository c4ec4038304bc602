"""Checks of a custom resource beyond single values: lists that are sets or maps, and embedded resources.

Source: k8s.io/apiextensions-apiserver, pkg/apiserver/schema/listtype and pkg/apiserver/schema/objectmeta. Of embedded
resources `apiVersion`, `kind` and the type of `metadata` are checked, not the contents of `metadata`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_object, as_text, as_texts
from kro_ls.openapi.validation.errors import ErrorType, FieldError, field_error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.errors import Path

_DNS_LABEL = re.compile(r"[a-z](?:[-a-z0-9]*[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class _At:
    """A value with its schema, its path, and the place as these errors write it: map keys in brackets."""

    value: JsonValue
    schema: JsonObject
    path: Path
    place: str

    def error(self, error_type: ErrorType, detail: str = "") -> FieldError:
        return field_error(self.path, self.place, error_type, self.value, detail)

    def field(self, name: str, value: JsonValue, schema: JsonValue) -> _At:
        place = f"{self.place}.{name}" if self.place else name
        return _At(value, as_object(schema), (*self.path, name), place)

    def item(self, position: int, value: JsonValue) -> _At:
        return _At(value, as_object(self.schema.get("items")), (*self.path, position), f"{self.place}[{position}]")

    def children(self) -> Iterator[_At]:
        """The fields and items that have a schema."""
        if isinstance(self.value, list):
            if "items" in self.schema:
                yield from (self.item(position, item) for position, item in enumerate(self.value))
        elif isinstance(self.value, dict):
            properties, additional = as_object(self.schema.get("properties")), self.schema.get("additionalProperties")
            for name, child in self.value.items():
                if name in properties:
                    yield self.field(name, child, properties[name])
                elif isinstance(additional, dict):
                    yield _At(child, additional, (*self.path, name), f"{self.place}[{name}]")


def structure_errors(value: JsonValue, schema: JsonObject) -> Iterator[FieldError]:
    """The errors of embedded resources, then those of lists that are sets or maps."""
    root = _At(value, schema, (), "")
    yield from _embedded_resources(root)
    yield from _list_types(root)


def _embedded_resources(at: _At) -> Iterator[FieldError]:
    if at.schema.get("x-kubernetes-embedded-resource") is True and isinstance(at.value, dict):
        for name in ("apiVersion", "kind"):
            field = at.field(name, at.value.get(name), {})
            if name not in at.value:
                yield field.error(ErrorType.REQUIRED)
            elif not isinstance(field.value, str):
                yield field.error(ErrorType.INVALID, "must be a string")
            elif not field.value:
                yield field.error(ErrorType.INVALID, "must not be empty")
        api_version, kind = as_text(at.value.get("apiVersion")), as_text(at.value.get("kind"))
        if api_version.count("/") > 1:
            detail = f"unexpected GroupVersion string: {api_version}"
            yield at.field("apiVersion", api_version, {}).error(ErrorType.INVALID, detail)
        if kind and not (len(kind) <= 63 and _DNS_LABEL.fullmatch(kind.lower())):
            detail = "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case "
            detail += (
                "alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric "
            )
            detail += "character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
            detail += "'[a-z]([-a-z0-9]*[a-z0-9])?')"
            yield at.field("kind", kind, {}).error(ErrorType.INVALID, detail)
        if not isinstance(at.value.get("metadata", {}), dict):
            yield at.field("metadata", at.value["metadata"], {}).error(ErrorType.INVALID, "must be an object")
    for child in at.children():
        yield from _embedded_resources(child)


def _list_types(at: _At) -> Iterator[FieldError]:
    if isinstance(at.value, list):
        list_type = at.schema.get("x-kubernetes-list-type")
        if list_type == "set":
            for position in _repeated(at.value):
                yield at.item(position, at.value[position]).error(ErrorType.DUPLICATE)
        elif list_type == "map":
            yield from _list_map(at, at.value)
    for child in at.children():
        yield from _list_types(child)


def _list_map(at: _At, items: list[JsonValue]) -> Iterator[FieldError]:
    for position, item in enumerate(items):
        if item is not None and not isinstance(item, dict):
            yield at.item(position, item).error(ErrorType.INVALID, "must be an object for an array of list-type map")
            return
    names = as_texts(at.schema.get("x-kubernetes-list-map-keys"))
    keys: list[JsonValue] = [{name: item[name] for name in names if name in item} for item in map(as_object, items)]
    for position in _repeated(keys):
        yield at.item(position, keys[position]).error(ErrorType.DUPLICATE)


def _repeated(values: list[JsonValue]) -> Iterator[int]:
    """The second place of every value that is there more than once."""
    times: dict[str, int] = {}
    for position, value in enumerate(values):
        key = json.dumps(value, sort_keys=True)
        times[key] = times.get(key, 0) + 1
        if times[key] == 2:
            yield position
