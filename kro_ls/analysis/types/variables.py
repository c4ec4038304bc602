"""The types of the names that an expression of an RGD can use (kro `pkg/graph/builder.go`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias
from weakref import WeakValueDictionary

from kro_ls.analysis.memory import remembered
from kro_ls.analysis.model.keys import meant_field
from kro_ls.analysis.model.model import ResourceType
from kro_ls.analysis.simpleschema import build_schema
from kro_ls.cel.types.types import ANY, DYN, Type, list_type
from kro_ls.kro.rgd_schema import SCHEMA_FIELDS
from kro_ls.openapi.cel_types import SchemaRoot, declare
from kro_ls.yaml_positions.conversion import ExcessiveAliasingError, to_python

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.simpleschema.results import SchemaResult
    from kro_ls.openapi.json_values import JsonObject

Binding: TypeAlias = SchemaRoot | Type
"""What a name is: the root of the types of a schema, or a type that needs no schema."""

_COLLECTIONS = (ResourceType.COLLECTION, ResourceType.EXTERNAL_COLLECTION)


def resource_binding(
    name: str, resource_type: ResourceType, schema: JsonObject | None, *, is_untyped: bool = False
) -> Binding:
    """Return what a resource's id is: an object or a list of them, of any type if its kind is unknown.

    What kro itself takes for untyped is `any`, which differs from `dyn` in that no macro runs over it.
    """
    if is_untyped:
        return ANY
    collection = resource_type in _COLLECTIONS
    if schema is None:
        return list_type(DYN) if collection else DYN
    return declare(name, schema, as_list=collection)


def item_binding(name: str, schema: JsonObject | None) -> Binding:
    """Return what one object of a resource is, under a name of its own (`each`)."""
    return DYN if schema is None else declare(name, schema)


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
