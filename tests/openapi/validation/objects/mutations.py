"""Single changes of a valid object: each field removed, emptied, too large, given twice or set beside others.

The recorded answers of a real API server (`recorded/`) name the change, so this is only needed to record more.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_object

Change = tuple[str, str, Any]
"""A path with steps between slashes, `set` or `remove`, and the value to set."""

_LONG = "x" * 64
_LONGEST = "x" * 254
_TEXTS = ("", "Bad_Value!", "-x", _LONG)
_ABSENT_TEXTS = ("Bad_Value!", "x")
_NUMBERS = (-1, 0, 1, 70000)
_QUANTITIES = ("-1", "0", "1 core", "1.5", "100Gi")
_LEFT_ALONE = {"apiVersion", "kind", "status", "managedFields"}
_METADATA = {"name", "namespace", "labels", "annotations", "generateName", "finalizers", "ownerReferences"}


def changes(value: JsonObject, schema: JsonObject) -> Iterator[Change]:
    """Yield what to change in an object, by the schema of its kind."""
    yield from _of_object(value, schema, "", in_metadata=False)


def changed(value: JsonObject, change: Change) -> JsonObject:
    """Return a copy of an object with a change."""
    path, how, new = change
    *steps, last = path.split("/")
    result: JsonObject = deepcopy(value)
    here: Any = result
    for step in map(_name, steps):
        here = here[int(step)] if isinstance(here, list) else here.setdefault(step, {})
    key: Any = int(last) if isinstance(here, list) else _name(last)
    if how == "remove":
        del here[key]
    elif isinstance(here, list) and key == len(here):
        here.append(new)
    else:
        here[key] = new
    return result


def _of_object(value: JsonObject, schema: JsonObject, path: str, *, in_metadata: bool) -> Iterator[Change]:
    properties = as_object(schema.get("properties"))
    others = as_object(schema.get("additionalProperties"))
    for name, child in value.items():
        if name in _LEFT_ALONE and not path:
            continue
        here = _join(path, name)
        yield here, "remove", None
        inner = as_object(properties.get(name, others))
        yield from _of_value(child, inner, here, in_metadata=in_metadata or here == "metadata")
    for name, absent in properties.items():
        is_left = (name in _LEFT_ALONE and not path) or (in_metadata and name not in _METADATA)
        if name not in value and not is_left:
            for new in _samples(as_object(absent)):
                yield _join(path, name), "set", new
    if "additionalProperties" in schema:
        for name, new in (("Bad Key!", "x"), ("ok", "Bad Value!"), (_LONGEST, "x"), ("a/b/c", "x")):
            yield _join(path, name), "set", new


def _of_value(value: JsonValue, schema: JsonObject, path: str, *, in_metadata: bool) -> Iterator[Change]:
    if isinstance(value, dict):
        yield path, "set", {}
        yield from _of_object(value, schema, path, in_metadata=in_metadata)
    elif isinstance(value, list):
        yield from _of_list(value, as_object(schema.get("items")), path, in_metadata=in_metadata)
    elif isinstance(value, bool):
        yield path, "set", not value
    elif isinstance(value, int | float):
        for each in _NUMBERS:
            yield path, "set", each
        if "oneOf" in schema or schema.get("format") == "int-or-string":
            yield from ((path, "set", each) for each in ("Bad_Value!", "150%", "x"))
    elif isinstance(value, str):
        texts = _texts_of(value, schema)
        yield from ((path, "set", each) for each in texts if each != value)


def _of_list(value: list[JsonValue], items: JsonObject, path: str, *, in_metadata: bool) -> Iterator[Change]:
    yield path, "set", []
    if len(value) > 1:
        yield f"{path}/0", "remove", None
    if value:
        yield f"{path}/{len(value)}", "set", value[0]
    if value and isinstance(value[0], dict):
        yield f"{path}/{len(value)}", "set", {}
        texts = [name for name, each in value[0].items() if isinstance(each, str | int)]
        for name in texts[:2]:
            renamed = f"{value[0][name]}2" if isinstance(value[0][name], str) else 12345
            yield f"{path}/{len(value)}", "set", {**value[0], name: renamed}
    for number, each in enumerate(value):
        yield from _of_value(each, items, f"{path}/{number}", in_metadata=in_metadata)


def _texts_of(value: str, schema: JsonObject) -> tuple[str, ...]:
    if "oneOf" in schema or schema.get("format") == "int-or-string":
        return ("", *_QUANTITIES, "150%", "x")
    if value.startswith("/"):
        return (*_TEXTS, "/a//b", "/a/../b", "/a b")
    if value[:1].isdigit():
        return (*_TEXTS, "1", "-1", f"{value}9999")
    if value == _LONG:
        return _TEXTS
    return (*_TEXTS, _LONGEST, value.lower(), f"{value}.x", f"{value}x", f"a/{value}", "0")


def _samples(schema: JsonObject) -> tuple[JsonValue, ...]:
    """Return values for a field that is not there."""
    match schema.get("type"):
        case "string":
            return _ABSENT_TEXTS
        case "integer" | "number":
            return (-1, 0, 1)
        case "boolean":
            return (True,)
        case "array":
            inner = as_object(schema.get("items"))
            return (["Bad_Value!"], ["x"], ["x", "x"]) if inner.get("type") == "string" else ([{}],)
        case "object" if "additionalProperties" in schema:
            return ({"Bad Key!": "x"}, {"a": "x"})
        case "object":
            return ({},)
        case _:
            return ("x", 0)


def _join(path: str, name: str) -> str:
    name = name.replace("~", "~0").replace("/", "~1")
    return f"{path}/{name}" if path else name


def _name(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")
