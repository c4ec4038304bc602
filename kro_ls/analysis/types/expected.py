"""The type that a template field takes (kro `pkg/graph/builder.go`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.types.types import DYN, Type
from kro_ls.openapi.cel_types import ELEMENT, TYPE_NAME_PREFIX, cel_type

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.kind_schema import KindSchema


def expected_type(resource_id: str, kind: KindSchema | None, path: Path) -> Type:
    """Return the type of the field at a path of a resource's template; anything where kro knows nothing of it."""
    schema: Mapping[str, JsonValue] | None = None if kind is None else kind.schema
    name = f"{TYPE_NAME_PREFIX}{resource_id}"
    for step in path:
        if step == "":
            # kro's walk passes over an empty name.
            continue
        if isinstance(step, str) and _is_misread(step):
            return DYN
        schema = _child(schema, step) if schema is not None else None
        name += f".{ELEMENT}" if isinstance(step, int) else f".{step}"
    found = None if schema is None else cel_type(schema, name)
    return DYN if found is None else found


def is_in_map(kind: KindSchema, path: Path) -> bool:
    """Return whether the way to a field leads to a value of a map, which kro did not always follow."""
    schema: Mapping[str, JsonValue] | None = kind.schema
    for step in path:
        if schema is None:
            return False
        properties = _object(schema.get("properties")) or {}
        if isinstance(step, str) and step not in properties and _object(schema.get("additionalProperties")) is not None:
            return True
        schema = _child(schema, step)
    return False


def _is_misread(key: str) -> bool:
    """Whether kro cannot read the key back from the path that it writes (kro `pkg/graph/fieldpath`)."""
    return '"' in key if "." in key else "[" in key


def _child(schema: Mapping[str, JsonValue], step: str | int) -> Mapping[str, JsonValue] | None:
    if isinstance(step, int):
        return _object(schema.get("items"))
    properties = _object(schema.get("properties")) or {}
    found = _object(properties.get(step)) or _object(schema.get("additionalProperties"))
    if found is None and schema.get("type") == "array":
        items = _object(schema.get("items"))
        return _child(items, step) if items is not None else None
    return found


def _object(value: JsonValue) -> Mapping[str, JsonValue] | None:
    return value if isinstance(value, dict) else None
