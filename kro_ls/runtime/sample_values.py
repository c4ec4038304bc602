"""Made-up values for the objects of a simulated cluster: by a schema, by what is expected, the same each time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.runtime.templates import upsert

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.schema import Schema
    from kro_ls.runtime.expected_values import Expected

TIME = "2024-01-01T00:00:00Z"
"""When everything in a simulated cluster happens."""

_TEXTS = {
    "date-time": TIME,
    "date": "2024-01-01",
    "byte": "ZXhhbXBsZQ==",
    "duration": "1h0m0s",
    "ipv4": "10.0.0.1",
    "ipv6": "2001:db8::1",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
_DEEPEST = 6


def sample(schema: Schema, name: str = "value", depth: int = 0) -> Any:
    """Return a value that the schema allows as far as it says so; `name` is what a text is made of."""
    if schema.default is not None:
        return schema.default
    if schema.enum:
        return schema.enum[0]
    match schema.types[0] if schema.types else "":
        case "string":
            return _TEXTS.get(schema.format, name)
        case "integer" | "number":
            return max(1, int(minimum)) if isinstance(minimum := schema.raw.get("minimum"), (int, float)) else 1
        case "boolean":
            return True
        case "array":
            return [sample(schema.items, name, depth + 1)] if schema.items and depth < _DEEPEST else []
        case "object":
            return {} if depth >= _DEEPEST else sample_object(schema, depth)
    return {} if schema.preserves_unknown_fields else None


def sample_object(schema: Schema, depth: int = 0) -> JsonObject:
    """Return an object with every field that the schema declares, conditions among them."""
    value: JsonObject = {}
    for name, inner in schema.properties.items():
        made = conditions({}) if name == "conditions" and _are_conditions(inner) else sample(inner, name, depth + 1)
        if made is not None:
            value[name] = made
    return value


def conditions(types: dict[str, None]) -> list[JsonValue]:
    """Return conditions that are all true; without types there is one, `Ready`."""
    return [
        {"type": each, "status": "True", "reason": "Simulated", "message": "", "lastTransitionTime": TIME}
        for each in types or {"Ready": None}
    ]


def _are_conditions(schema: Schema) -> bool:
    return schema.items is not None and {"type", "status"} <= schema.items.properties.keys()


def add_expected(value: JsonObject, expected: Expected, schema: Schema | None, *, only_below: str | None) -> None:
    """Write what expressions expect of an object into it, as far as nothing is there.

    `only_below` restricts this to one field of the object, such as `status`, that a cluster fills in.
    """
    for path in (*expected.values, *expected.read):
        if not path or (only_below is not None and path[0] != only_below) or len(path) < 2:
            continue
        known = schema.field(path) if schema else None
        if path in expected.values:
            _put(value, path, expected.values[path], replace=True)
        elif known is not None or schema is None:
            made = sample(known, str(path[-1])) if known and known.types else str(path[-1])
            _put(value, path, made, replace=False)


def _put(value: JsonObject, path: tuple[str | int, ...], made: Any, *, replace: bool) -> None:
    place: Any = value
    for step in path[:-1]:
        place = _step(place, step)
        if place is None:
            break
        if not isinstance(place, (dict, list)):
            return
    if isinstance(place, dict) and path[-1] in place and not replace:
        return
    if not any(isinstance(step, int) and step > 100 for step in path):
        try:
            upsert(value, path, made)
        except (TypeError, AttributeError, KeyError, IndexError):
            return  # what is read in two ways that exclude each other keeps the first


def _step(place: Any, step: str | int) -> Any:
    if isinstance(place, dict):
        return place.get(step)
    return place[step] if isinstance(place, list) and isinstance(step, int) and step < len(place) else None
