"""The OpenAPI schema that kro infers for the status of an instance from the types of its expressions.

Source: kro `pkg/graph/schema/conversion_cel_type.go`.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any, TypeAlias

from kro_ls.cel.types.types import Kind, Type
from kro_ls.kro.versions.dialect import NEWEST_SCHEMA_DIALECT

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.analysis.model.paths import Path
    from kro_ls.cel.types.types import StructFields
    from kro_ls.kro.versions.dialect import SchemaDialect

    FindStruct: TypeAlias = Callable[[str], StructFields | None]

Json: TypeAlias = dict[str, Any]

_ANYTHING: Json = {"x-kubernetes-preserve-unknown-fields": True}

_SCALARS: dict[Kind, Json] = {
    Kind.BOOL: {"type": "boolean"},
    Kind.INT: {"type": "integer"},
    Kind.UINT: {"type": "integer"},
    Kind.DOUBLE: {"type": "number"},
    Kind.STRING: {"type": "string"},
    Kind.BYTES: {"type": "string", "format": "byte"},
}

_NULL: Json = {**_ANYTHING, "description": "null type - any value allowed"}


_OBJECT: Json = {"type": "object", "additionalProperties": True}


class CyclicTypeError(Exception):
    """A type that contains itself has no schema."""


def empty_status() -> Json:
    """Return the schema of a status without fields, into which `put_schema` puts them."""
    return {"type": "object", "properties": {}}


def schema_of(type_: Type, find_struct: FindStruct, dialect: SchemaDialect = NEWEST_SCHEMA_DIALECT) -> Json:
    """Return the schema of a value of this type at the top of a status field.

    Raises `CyclicTypeError`, with kro's text, for a struct that contains itself.
    """
    if type_.nullable or type_.kind is Kind.ANY:
        return {**_ANYTHING, "description": f"unknown CEL type: {type_}"}
    if type_.kind is Kind.LIST:
        return (
            {"type": "array", "items": schema_of(type_.parameters[0], find_struct, dialect)}
            if type_.parameters
            else {"type": "array"}
        )
    if type_.kind is Kind.MAP:
        return {"type": "object", "additionalProperties": schema_of(type_.parameters[1], find_struct, dialect)}
    if type_.kind is Kind.STRUCT:
        return _struct(type_, find_struct, ()) if dialect.knows_structs else {**_OBJECT}
    if type_.kind is Kind.TIMESTAMP and dialect.timestamp_format:
        return {
            "type": "string",
            "format": dialect.timestamp_format,
            "description": "Timestamp representing a creation time",
        }
    if type_.kind is Kind.NULL:
        return dict(_NULL)
    if type_.is_dynamic:
        return dict(_ANYTHING)
    scalar = _SCALARS.get(type_.kind)
    return dict(scalar) if scalar else {**_ANYTHING, "description": f"unknown CEL type: {type_}"}


def _struct(type_: Type, find_struct: FindStruct, above: tuple[str, ...]) -> Json:
    if type_.name in above:
        raise CyclicTypeError(f"cyclic type reference detected: {type_.name}")
    struct = find_struct(type_.name)
    if struct is None:
        return {**_OBJECT}
    properties = {
        name: _nested(field, find_struct, (*above, type_.name)) for name, field in sorted(struct.fields.items())
    }
    return {"type": "object", "properties": properties} if properties else {"type": "object"}


def _nested(type_: Type, find_struct: FindStruct, above: tuple[str, ...]) -> Json:
    """Return the schema inside a struct, where kro knows fewer types."""
    if type_.kind is Kind.LIST:
        return {"type": "array", "items": _nested(type_.parameters[0], find_struct, above)}
    if type_.kind is Kind.MAP:
        return {"type": "object", "additionalProperties": _nested(type_.parameters[1], find_struct, above)}
    if type_.kind is Kind.STRUCT:
        return _struct(type_, find_struct, above)
    if type_.kind is Kind.NULL:
        return dict(_NULL)
    return dict(_SCALARS.get(type_.kind, _ANYTHING))


def put_schema(root: Json, path: Path, schema: Json, dialect: SchemaDialect = NEWEST_SCHEMA_DIALECT) -> None:
    """Write a leaf's schema at its path; all elements of a list share one schema, objects merge."""
    if not dialect.knows_lists:
        names = tuple(takewhile(lambda step: not isinstance(step, int), path))
        path, schema = names, schema if names == path else {"type": "object"}
    place = root
    for depth, step in enumerate(path):
        last = depth == len(path) - 1
        inner = (
            schema
            if last
            else {"type": "array"}
            if isinstance(path[depth + 1], int)
            else {"type": "object", "properties": {}}
        )
        owner, key = (place, "items") if isinstance(step, int) else (place["properties"], step)
        existing = owner.get(key)
        if last or existing is None or existing.get("type") != inner["type"]:
            owner[key] = inner
        elif inner["type"] == "object":
            existing.setdefault("properties", {})
        place = owner[key]
