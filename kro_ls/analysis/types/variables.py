"""The types of the names that an expression of an RGD can use (reference 02 section 7.5, 03 sections A4 and A8)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from kro_ls.analysis.crd.generate import instance_schema
from kro_ls.analysis.model.keys import meant_field
from kro_ls.analysis.model.model import ResourceType
from kro_ls.analysis.simpleschema import build_schema
from kro_ls.analysis.types.broken_fields import checkable_schema
from kro_ls.cel.types.types import DYN, Type, list_type
from kro_ls.kro.rgd_schema import SCHEMA_FIELDS
from kro_ls.openapi.cel_types import SchemaRoot, declare
from kro_ls.openapi.json_values import HeldObject
from kro_ls.yaml_positions.conversion import ExcessiveAliasingError, to_python

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.simpleschema.results import SchemaResult
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kinds import KindSchema

Binding: TypeAlias = SchemaRoot | Type
"""What a name is: the root of the types of a schema, or a type that needs no schema."""

_COLLECTIONS = (ResourceType.COLLECTION, ResourceType.EXTERNAL_COLLECTION)


def resource_binding(name: str, resource_type: ResourceType, kind: KindSchema | None) -> Binding:
    """Return what a resource's id is: an object or a list of them, of any type if its kind is unknown."""
    collection = resource_type in _COLLECTIONS
    if kind is None:
        return list_type(DYN) if collection else DYN
    return declare(name, _list_of(HeldObject(kind.schema)) if collection else kind.schema)


def item_binding(name: str, kind: KindSchema | None) -> Binding:
    """Return what one object of a resource is, under a name of its own (`each`)."""
    return DYN if kind is None else declare(name, kind.schema)


@lru_cache(maxsize=1024)
def _list_of(held: HeldObject) -> JsonObject:
    return {"type": "array", "items": held.value}


@lru_cache(maxsize=1024)
def simple_schema(section: SchemaSection) -> SchemaResult:
    """Return what SimpleSchema makes of the section's `spec` and `types`."""
    try:
        spec, types = (meant_field(section.node, name, SCHEMA_FIELDS) for name in ("spec", "types"))
        return build_schema(to_python(spec), to_python(types))
    except ExcessiveAliasingError:  # reported where the YAML is read; a list stands for fields that cannot be told
        return build_schema([])


def instance_binding(section: SchemaSection, object_meta: JsonObject) -> Binding:
    """Return what `schema` is: the instance without its status."""
    return declare("schema", _instance(section, HeldObject(object_meta)))


@lru_cache(maxsize=1024)
def _instance(section: SchemaSection, held: HeldObject) -> JsonObject:
    schema = instance_schema(checkable_schema(simple_schema(section)))
    metadata = dict(held.value)
    if section.scope == "Cluster":
        fields = metadata.get("properties")
        properties = (
            {name: value for name, value in fields.items() if name != "namespace"} if isinstance(fields, dict) else {}
        )
        metadata["properties"] = properties
    own = schema["properties"]
    return {
        **schema,
        "properties": {**{name: own[name] for name in ("apiVersion", "kind", "spec")}, "metadata": metadata},
    }
