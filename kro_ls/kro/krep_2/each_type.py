"""The types that names have in collections as KREP-2 proposed them (`kro.krep_2`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.cel.types.check_result import NameReference
from kro_ls.cel.types.types import DYN, Kind, Type
from kro_ls.kro.krep_2.words import INDEX, ITEM, ITEMS, ITERATOR, KEY, LENGTH, VALUE
from kro_ls.openapi.cel_types import declare

if TYPE_CHECKING:
    from kro_ls.cel.types.check_result import CheckResult
    from kro_ls.openapi.cel_types import SchemaRoot, SchemaTypes
    from kro_ls.openapi.json_values import JsonObject

_SCALARS = {Kind.INT: "integer", Kind.BOOL: "boolean", Kind.STRING: "string", Kind.DOUBLE: "number"}
_INTEGER: JsonObject = {"type": "integer"}


def each_binding(ranged: Type, schemas: SchemaTypes) -> SchemaRoot | Type:
    """Return the type of `each` in a collection over a value of a type: dyn if that is neither a list nor a map.

    `schemas` know the structs in the type.
    """
    if ranged.kind is Kind.LIST:
        properties: JsonObject = {ITEM: _schema(ranged.parameters[0], schemas), INDEX: _INTEGER}
    elif ranged.kind is Kind.MAP:
        key, value = ranged.parameters
        properties = {KEY: _schema(key, schemas), VALUE: _schema(value, schemas)}
    else:
        return DYN
    return declare(ITERATOR, {"type": "object", "properties": {**properties, LENGTH: _INTEGER}})


def _schema(type_: Type, schemas: SchemaTypes) -> JsonObject:
    """Return a schema whose values have a type; a type that no schema can express becomes any type."""
    if type_.kind is Kind.LIST:
        return {"type": "array", "items": _schema(type_.parameters[0], schemas)}
    if type_.kind is Kind.MAP:
        return {"type": "object", "additionalProperties": _schema(type_.parameters[1], schemas)}
    if type_.kind is Kind.STRUCT:
        return dict(schemas.find_schema(type_.name) or {"type": "object"})
    if type_.kind in _SCALARS:
        return {"type": _SCALARS[type_.kind]}
    return {"x-kubernetes-int-or-string": True}  # which expressions see as dyn


def without_items(result: CheckResult) -> CheckResult:
    """Return a check result in which `workers.items` means `workers`."""
    return replace(
        result,
        references={
            node: replace(reference, name=reference.name.removesuffix(f".{ITEMS}"))
            if isinstance(reference, NameReference)
            else reference
            for node, reference in result.references.items()
        },
    )
