"""A schema of what a workspace writes in the objects of a kind: names and values that were seen, not all there are."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.schema import Schema

_WRITTEN = "x-kro-ls-written"
_MOST_FIELDS, _MOST_VALUES, _MOST_ITEMS = 100, 20, 50
_DEEPEST = 16
_LONGEST = 60
"""A longer text is not offered as a value."""
_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string"}


def written_schema(objects: Sequence[JsonObject]) -> JsonObject:
    """Return the schema of objects: their fields, the most frequent first, and literal values as examples."""
    return _schema([*objects], 0)


def is_written(schema: Schema) -> bool:
    """Whether a schema is made of what a workspace writes."""
    return _WRITTEN in schema.raw


def _schema(values: list[JsonValue], depth: int) -> JsonObject:
    found: JsonObject = {_WRITTEN: len(values)}
    if depth > _DEEPEST:
        return found
    objects = [value for value in values if isinstance(value, dict)]
    lists = [value for value in values if isinstance(value, list)]
    if objects:
        counted = Counter(name for value in objects for name in value)
        names = [name for name, _ in counted.most_common(_MOST_FIELDS)]
        properties: JsonObject = {
            name: _schema([value[name] for value in objects if name in value], depth + 1) for name in names
        }
        return {**found, "type": "object", "properties": properties, "x-kubernetes-preserve-unknown-fields": True}
    if lists:
        items = [item for value in lists for item in value][:_MOST_ITEMS]
        return {**found, "type": "array", "items": _schema(items, depth + 1)}
    return {**found, **_scalars(values)}


def _scalars(values: list[JsonValue]) -> JsonObject:
    literals = [
        value
        for value in values
        if isinstance(value, bool | int | float) or (isinstance(value, str) and "${" not in value)
    ]
    types = {_TYPES[type(value)] for value in literals}
    shown = (value for value in literals if not isinstance(value, str) or _is_short(value))
    counted = Counter((type(value), value) for value in shown)  # True is 1 to Python
    examples: list[JsonValue] = [value for (_, value), _ in counted.most_common(_MOST_VALUES)]
    return {"examples": examples, **({"type": types.pop()} if len(types) == 1 else {})}


def _is_short(text: str) -> bool:
    return 0 < len(text) <= _LONGEST and text.isprintable()
