"""What keeps the API server from reading an object as one of its kind: the errors of server-side apply.

It tells them as failures, without the path of a field: duplicate keys of lists that are maps, quantities, base64.
Source: sigs.k8s.io/structured-merge-diff, and k8s.io/apimachinery, pkg/runtime/converter.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, as_texts
from kro_ls.openapi.validation.objects.quantities import quantity_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.errors import Path

_KEY_DEFAULTS: JsonObject = {"protocol": "TCP"}
"""Keys of items that the API server fills in before it compares them."""

_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/=\r\n]")


class TypedError(Struct, frozen=True):
    """Where an object cannot be read, and the API server's text. `is_patch` tells of a list with duplicate keys."""

    path: Path
    text: str
    is_patch: bool


def typed_error(value: JsonObject, schema: JsonObject) -> TypedError | None:
    """Return the first reason why an object cannot be read as one of the kind with this schema."""
    found = list(_errors(value, schema, (), ""))
    return min(found, key=lambda each: not each.is_patch, default=None)


def _errors(value: JsonValue, schema: JsonObject, path: Path, place: str) -> Iterator[TypedError]:
    if isinstance(value, dict):
        properties, additional = as_object(schema.get("properties")), as_object(schema.get("additionalProperties"))
        for name, child in value.items():
            inner = properties.get(name, additional)
            if isinstance(inner, dict) and inner:
                yield from _errors(child, inner, (*path, name), f"{place}.{name}")
    elif isinstance(value, list):
        yield from _list_errors(value, schema, path, place)
    elif isinstance(value, str):
        problem = _text_problem(value, schema)
        if problem:
            yield TypedError(path, problem, is_patch=False)


def _list_errors(items: list[JsonValue], schema: JsonObject, path: Path, place: str) -> Iterator[TypedError]:
    keys = as_texts(schema.get("x-kubernetes-list-map-keys"))
    seen: set[str] = set()
    inner = as_object(schema.get("items"))
    for number, item in enumerate(items):
        here = f"{place}[{number}]"
        key = _key(as_object(item), keys) if keys else ""
        if key:
            if key in seen:
                yield TypedError((*path, number), f"{place}: duplicate entries for key {key}", is_patch=True)
            seen.add(key)
            here = f"{place}{key}"
        if inner:
            yield from _errors(item, inner, (*path, number), here)


def _key(item: JsonObject, keys: tuple[str, ...]) -> str:
    """Return the key of an item as it is shown; empty where it lacks a part of it."""
    parts = []
    for name in sorted(keys):
        value = item.get(name, _KEY_DEFAULTS.get(name))
        if value is None or isinstance(value, dict | list):
            return ""
        shown = go_quoted(value) if isinstance(value, str) else str(value).lower()
        parts.append(f"{name}={shown}")
    return f"[{','.join(parts)}]"


def _text_problem(text: str, schema: JsonObject) -> str:
    if schema.get("format") == "byte":
        place = _base64_fault(text)
        return "" if place is None else f"illegal base64 data at input byte {place}"
    branches = as_list(schema.get("oneOf"))
    is_quantity = "type" not in schema and [as_object(each).get("type") for each in branches] == ["string", "number"]
    return quantity_problem(text) if is_quantity else ""


def _base64_fault(text: str) -> int | None:
    """Return the byte at which Go finds that a text is not base64; None where it is."""
    wrong = _NOT_BASE64.search(text)
    if wrong is not None:
        return wrong.start()
    stripped = text.replace("\r", "").replace("\n", "")
    data = stripped.rstrip("=")
    padding = len(stripped) - len(data)
    if "=" in data:
        return text.index("=")
    if len(stripped) % 4 or padding > 2:
        return len(stripped) - len(stripped) % 4 if padding <= 2 else len(data) + 2
    return None
