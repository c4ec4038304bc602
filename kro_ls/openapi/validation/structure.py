"""Checks of a custom resource beyond single values: lists that are sets or maps, and embedded resources.

Source: k8s.io/apiextensions-apiserver, pkg/apiserver/schema/listtype and pkg/apiserver/schema/objectmeta. Of embedded
resources `apiVersion`, `kind` and the type of `metadata` are checked, not the contents of `metadata`.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from msgspec import Struct, field

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_object, as_text, as_texts
from kro_ls.openapi.validation.field_errors import ErrorType, FieldError, field_error
from kro_ls.openapi.validation.unknown import is_unknown, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import Path

_DNS_LABEL = re.compile(r"[a-z](?:[-a-z0-9]*[a-z0-9])?")


class _Walk(Struct):
    """Finds both sorts of errors in one walk. Places are written as these errors do: map keys in brackets."""

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
    """The errors of embedded resources, then those of lists that are sets or maps."""
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
    if kind and not (len(kind) <= 63 and _DNS_LABEL.fullmatch(kind.lower())):
        detail = (
            "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case "
            "alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric "
            "character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
        )
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
    """The second place of every value that is there more than once."""
    times: dict[str, int] = {}
    for position, value in enumerate(values):
        key = json.dumps(value, sort_keys=True, default=written)
        times[key] = times.get(key, 0) + 1
        if times[key] == 2:
            yield position
