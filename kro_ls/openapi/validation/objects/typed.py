"""Why the API server cannot read an object as one of its kind: the errors of server-side apply.

It reports them as failures: undeclared fields, wrong types, duplicate keys of lists that are maps or sets; and, without
the path of the field, quantities and base64. Values print as Go prints them.
Source: sigs.k8s.io/structured-merge-diff, typed/validate.go, and k8s.io/apimachinery, pkg/runtime/converter.go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object, as_text, as_texts
from kro_ls.openapi.validation.objects.quantities import quantity_problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.openapi.validation.field_errors import Path


class _WrongType(Struct, frozen=True):
    """What the API server says of a value of a wrong type, and the same in plain words."""

    text: str
    plain: str


_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int, float),
    "number": (int, float),
    "object": (dict,),
    "array": (list,),
}
_WORDS: Final = {"string": "a text", "boolean": "true or false", "object": "an object", "array": "a list"}
_KINDS: Final[tuple[tuple[type, str], ...]] = ((bool, "boolean"), (str, "string"), (dict, "map"), (list, "list"))


def _type_problem(value: JsonValue, schema: JsonObject) -> _WrongType | None:
    """Return what is wrong with the type of a value. Null and unknown values fit every type."""
    declared = as_text(schema.get("type"))
    expected = _TYPES.get(declared)
    if expected is None or value.__class__ in expected or not isinstance(value, bool | int | float | str | dict | list):
        return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(value, expected) and (declared not in ("integer", "number") or is_number):
        return None
    plain = f"must be {_WORDS.get(declared, 'a number')}"
    if declared in ("integer", "number"):
        found = next(name for kind, name in _KINDS if isinstance(value, kind))
        return _WrongType(f"expected numeric (int or float), got {found}", plain)
    shown = _go_text(value)
    if declared == "string":
        return _WrongType(f"expected string, got &value.valueUnstructured{{Value:{shown}}}", plain)
    name = {"object": "map", "array": "list"}.get(declared, declared)
    return _WrongType(f"expected {name}, got &{{{shown}}}", plain)


def _go_text(value: JsonValue) -> str:
    """Return a value as Go's `%v` prints it."""
    if isinstance(value, dict):
        return f"map[{' '.join(f'{name}:{_go_text(value[name])}' for name in sorted(value))}]"
    if isinstance(value, list):
        return f"[{' '.join(map(_go_text, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return "<nil>" if value is None else str(value)


def _is_closed(schema: JsonObject) -> bool:
    """Whether objects of a schema may only have the fields that it declares."""
    return (
        "additionalProperties" not in schema
        and not schema.get("x-kubernetes-preserve-unknown-fields")
        and not schema.get("x-kubernetes-embedded-resource")
    )


_KEY_DEFAULTS: JsonObject = {"protocol": "TCP"}
"""Keys of items that the API server fills in before it compares them."""

_ALWAYS = ("apiVersion", "kind", "metadata")
"""The fields that every object has, whatever its schema says."""

_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/=\r\n]")


class TypedError(Struct, frozen=True):
    """The path of a value that cannot be read, the API server's text, and the same in plain words.

    `is_patch` is true for what server-side apply finds before the object is converted.
    """

    path: Path
    text: str
    is_patch: bool
    plain: str


def typed_errors(value: JsonObject, schema: JsonObject) -> list[TypedError]:
    """Return why an object cannot be read as one of the kind with a schema; the API server reports the first."""
    found: list[TypedError] = []
    _find(value, schema, (), "", found)
    found.sort(key=lambda each: not each.is_patch)
    return found


def _find(value: JsonValue, schema: JsonObject, path: Path, place: str, found: list[TypedError]) -> None:
    """Add the errors of a value to a list: a generator for each value would take twice as long."""
    wrong = _type_problem(value, schema)
    if wrong:
        found.append(TypedError(path, f"{place}: {wrong.text}", True, wrong.plain))
    elif isinstance(value, dict):
        _find_in_object(value, schema, path, place, found)
    elif isinstance(value, list):
        _find_in_list(value, schema, path, place, found)
    elif isinstance(value, str):
        problem = _text_problem(value, schema)
        if problem:
            found.append(TypedError(path, problem, False, _plain(problem)))


def _find_in_object(value: JsonObject, schema: JsonObject, path: Path, place: str, found: list[TypedError]) -> None:
    properties, additional = as_object(schema.get("properties")), as_object(schema.get("additionalProperties"))
    is_closed = bool(properties) and _is_closed(schema)
    for name, child in value.items():
        inner = properties.get(name, additional)
        if isinstance(inner, dict) and inner:
            _find(child, inner, (*path, name), f"{place}.{name}", found)
        elif is_closed and name not in properties and not (not path and name in _ALWAYS):
            text = f"{place}.{name}: field not declared in schema"
            found.append(TypedError((*path, name), text, True, f"unknown field '{name}'"))


def _find_in_list(items: list[JsonValue], schema: JsonObject, path: Path, place: str, found: list[TypedError]) -> None:
    keys = as_texts(schema.get("x-kubernetes-list-map-keys"))
    is_set = schema.get("x-kubernetes-list-type") == "set"
    seen: set[str] = set()
    inner = as_object(schema.get("items"))
    for number, item in enumerate(items):
        here = f"{place}[{number}]"
        key = _key(as_object(item), keys) if keys else _item_key(item) if is_set else ""
        if key:
            if key in seen:
                text = f"{place}: duplicate entries for key {key}"
                plain = f"two items have the key {key.strip('[]')}" if keys else f"{key[2:-1]} is in the list twice"
                found.append(TypedError((*path, number), text, True, plain))
            seen.add(key)
            here = f"{place}{key}" if keys else here
        if inner:
            _find(item, inner, (*path, number), here, found)


def _item_key(item: JsonValue) -> str:
    """Return an item of a set as errors show it; empty for what is no text and no number."""
    if isinstance(item, str):
        return f"[={go_quoted(item)}]"
    return f"[={str(item).lower()}]" if isinstance(item, int | float) else ""


def _key(item: JsonObject, keys: tuple[str, ...]) -> str:
    """Return the key of an item as errors show it; empty where a part is missing."""
    parts = []
    for name in sorted(keys):
        value = item.get(name, _KEY_DEFAULTS.get(name))
        if not isinstance(value, str | int | float):
            return ""
        shown = go_quoted(value) if isinstance(value, str) else str(value).lower()
        parts.append(f"{name}={shown}")
    return f"[{','.join(parts)}]"


def _plain(problem: str) -> str:
    if "base64" in problem:
        return f"must be base64; byte {problem.rpartition(' ')[2]} is not"
    return "must be a quantity such as '500m' or '2Gi'"


def _text_problem(text: str, schema: JsonObject) -> str:
    if schema.get("format") == "byte":
        place = _base64_fault(text)
        return "" if place is None else f"error decoding from json: illegal base64 data at input byte {place}"
    if "type" in schema:
        return ""
    branches = as_list(schema.get("oneOf"))
    is_quantity = [as_object(each).get("type") for each in branches] == ["string", "number"]
    return quantity_problem(text) if is_quantity else ""


def _base64_fault(text: str) -> int | None:
    """Return the byte at which decoding a text as base64 fails in Go; None where it succeeds."""
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
