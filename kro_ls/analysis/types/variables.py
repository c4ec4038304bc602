"""The types of the names that an expression of an RGD can use (kro `pkg/graph/builder.go`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias
from weakref import WeakValueDictionary

from kro_ls.analysis.memory import remembered
from kro_ls.analysis.model.keys import meant_field
from kro_ls.analysis.model.model import ResourceType
from kro_ls.analysis.simpleschema import build_schema
from kro_ls.cel.types.types import DYN, Type, list_type
from kro_ls.kro.rgd_schema import SCHEMA_FIELDS
from kro_ls.openapi.cel_types import SchemaRoot, declare
from kro_ls.yaml_positions.conversion import ExcessiveAliasingError, to_python

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.simpleschema.results import SchemaResult
    from kro_ls.openapi.kinds import KindSchema

Binding: TypeAlias = SchemaRoot | Type
"""What a name is: the root of the types of a schema, or a type that needs no schema."""

_COLLECTIONS = (ResourceType.COLLECTION, ResourceType.EXTERNAL_COLLECTION)


def resource_binding(name: str, resource_type: ResourceType, kind: KindSchema | None) -> Binding:
    """Return what a resource's id is: an object or a list of them, of any type if its kind is unknown."""
    collection = resource_type in _COLLECTIONS
    if kind is None:
        return list_type(DYN) if collection else DYN
    return declare(name, kind.schema, as_list=collection)


def item_binding(name: str, kind: KindSchema | None) -> Binding:
    """Return what one object of a resource is, under a name of its own (`each`)."""
    return DYN if kind is None else declare(name, kind.schema)


_living: Final[WeakValueDictionary[str, SchemaResult]] = WeakValueDictionary()


@remembered
def simple_schema(section: SchemaSection) -> SchemaResult:
    """Return what SimpleSchema makes of the section's `spec` and `types`: the same object while these say the same."""
    try:
        spec, types = (to_python(meant_field(section.node, name, SCHEMA_FIELDS)) for name in ("spec", "types"))
    except ExcessiveAliasingError:  # reported where the YAML is read; a list stands for fields that cannot be told
        spec, types = [], None
    key = repr((spec, types))
    result = _living.get(key)
    if result is None:
        result = _living[key] = build_schema(spec, types)
    return result
