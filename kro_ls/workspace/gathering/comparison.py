"""How two schemas of a kind differ, field by field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.openapi.schema import Schema, type_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue

_OF_SERVER = ("apiVersion", "kind", "metadata")


class Difference(Struct, frozen=True):
    """The paths of the fields in only one of two schemas, and of those whose type, enum or required differ."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def difference(before: JsonObject, after: JsonObject) -> Difference:
    """Return how one schema differs from another, apart from descriptions."""
    old, new = (dict(_fields(Schema(each), "")) for each in (before, after))
    return Difference(
        tuple(name for name in new if name not in old),
        tuple(name for name in old if name not in new),
        tuple(name for name in new if name in old and new[name] != old[name]),
    )


_Field = tuple[str, str, tuple[str, ...], bool]


def _fields(schema: Schema, path: str) -> Iterator[tuple[str, _Field]]:
    """Yield the fields below a schema by their paths, the outer ones first."""
    for name, child in schema.properties.items():
        if path or name not in _OF_SERVER:
            place = f"{path}.{name}" if path else name
            yield place, (type_text(child), child.format, _texts(child.enum), name in schema.required)
            yield from _fields(child, place)
    for inner, mark in ((schema.items, "[]"), (schema.additional_properties, "{}")):
        if inner is not None:
            yield from _fields(inner, path + mark)


def _texts(values: tuple[JsonValue, ...]) -> tuple[str, ...]:
    return tuple(sorted(map(repr, values)))
