"""The types of the names that an expression of an RGD can use (kro `pkg/graph/builder.go`).

kro infers those of a `def` node from its data (kro `pkg/graphengine/compiler/typeinfer.go`).
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct

from kro_ls.analysis.model.model import Resource, ResourceType
from kro_ls.analysis.model.sections import SPEC, CutSection, SectionEntry, meant_field
from kro_ls.analysis.names.references import Meaning, allowed_meanings
from kro_ls.analysis.simpleschema.builder import (
    build_field,
    build_schema,
    join_fields,
    load_types,
    put_together,
    result_of,
)
from kro_ls.cel.types.types import ANY, DYN, Kind, Type, list_type
from kro_ls.kro.environment import base_environment
from kro_ls.kro.krep_2 import each_binding
from kro_ls.kro.places import Place
from kro_ls.kro.rgd_schema import SCHEMA_FIELDS
from kro_ls.openapi.cel_types import SchemaRoot, SchemaTypes, declare
from kro_ls.openapi.json_values import HeldObject, as_object
from kro_ls.queries.cells import Interned, cached
from kro_ls.yaml_positions.nodes import field, text_of, to_python

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.model.sections import SectionPart
    from kro_ls.analysis.simpleschema.builder import BuiltField, BuiltFields, LoadedTypes
    from kro_ls.analysis.simpleschema.results import SchemaResult
    from kro_ls.cel.types.declarations import Environment
    from kro_ls.kro.versions.dialect import SchemaDialect
    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema


# Members of an enumeration take ten times as long to look up as names of a module.
_TEMPLATE, _READY_WHEN = Place.TEMPLATE, Place.READY_WHEN

Binding: TypeAlias = SchemaRoot | Type
"""The type of a name: the root of the types of a schema, or a type that needs no schema."""

Names: TypeAlias = "tuple[tuple[str, Binding], ...]"
"""Names with their types."""


class Bindings(Struct, frozen=True, gc=False):
    """The types of the names that a part uses: `schema` is the `instance`, if it is used, and the `others`."""

    others: Names = ()
    instance: SchemaRoot | None = None

    def items(self) -> Names:
        """All of them."""
        return self.others if self.instance is None else (*self.others, ("schema", self.instance))


_COLLECTIONS = (ResourceType.COLLECTION, ResourceType.EXTERNAL_COLLECTION)


def resource_binding(
    name: str, resource_type: ResourceType, schema: JsonObject | None, *, is_untyped: bool = False
) -> Binding:
    """Return the type of a resource's id: an object or a list of them, of any type if its kind is unknown.

    What kro itself leaves untyped is `any`, which differs from `dyn` in that no macro runs over it.
    """
    if is_untyped:
        return ANY
    collection = resource_type in _COLLECTIONS
    if schema is None:
        return list_type(DYN) if collection else DYN
    return declare(name, schema, as_list=collection)


def item_binding(name: str, schema: JsonObject | None) -> Binding:
    """Return the binding of one object of a resource, under a name of its own (`each`)."""
    return DYN if schema is None else declare(name, schema)


def names_at(
    place: Place,
    part: Resource | SchemaSection,
    bindings: dict[str, Binding],
    iterators: dict[str, Binding],
    kind: KindSchema | None,
) -> dict[str, Binding]:
    """Return the types of the names in an expression at a place of a part.

    `bindings` are the names that the RGD declares, `iterators` those of the part, `kind` is the resource's.
    """
    if place is _TEMPLATE:
        return {**bindings, **iterators}
    if place is not _READY_WHEN or Meaning.EACH not in allowed_meanings(_READY_WHEN, part):
        return bindings
    each = item_binding("each", value_schema(part, kind) if isinstance(part, Resource) else None)
    return {**bindings, "each": each} if isinstance(part, Resource) and part.form.sees_itself else {"each": each}


def iterator_binding(
    part: Resource | SchemaSection, expression: Expression, ranged: Type, schemas: SchemaTypes
) -> Binding:
    """Return the type of an iterator of a part whose range, an expression, has a type.

    `schemas` hold the structs in the type. kro refuses an iterator over the resource that it makes: its type is dyn.
    """
    if isinstance(part, Resource):
        if any(use.name == part.id for use in expression.inspection.names):
            ranged = DYN
        if part.collection.iterator:
            return each_binding(ranged, schemas)
    return element_type(ranged)


def element_type(type_: Type) -> Type:
    """Return the type of an iterator over a value of this type: dyn where it is not a list."""
    return type_.parameters[0] if type_.kind is Kind.LIST and type_.parameters[0].kind is not Kind.ERROR else DYN


def environment_of(bindings: Iterable[tuple[str, Binding]], roots: Iterable[SchemaRoot]) -> Environment:
    """Return the environment in which names have these types; it finds the structs of `roots`."""
    types = [(name, binding.type if isinstance(binding, SchemaRoot) else binding) for name, binding in bindings]
    return base_environment().extend({name: type_ for name, type_ in types if type_ is not None}, SchemaTypes(roots))


def roots_of(bindings: Iterable[Binding]) -> tuple[SchemaRoot, ...]:
    """Return those of the bindings that have a schema."""
    return tuple([binding for binding in bindings if isinstance(binding, SchemaRoot)])


_joined: Final[Interned[tuple[object, ...], SchemaResult]] = Interned()
_parts: Final[Interned[tuple[BuiltField, ...], BuiltFields]] = Interned()
_types: Final[Interned[str, LoadedTypes]] = Interned()
_fields: Final[Interned[tuple[str, str, LoadedTypes], BuiltField]] = Interned()


@cached
def simple_schema(section: SchemaSection) -> SchemaResult:
    """Return the result of SimpleSchema for the section's `spec` and `types`: the same object while these are equal."""
    if isinstance(section, CutSection):
        return _join(section) if SPEC in section.chunk.keys else simple_schema(section.head)
    if isinstance(section, SectionEntry):
        return result_of(_built(section))
    spec, types = _written(section)
    dialect = section.dialect.schema
    if not isinstance(spec, dict):
        return build_schema(spec, types, dialect)
    loaded = _loaded(types, dialect)
    fields = tuple([_field(name, value, loaded) for name, value in spec.items()])
    return _join_parts(loaded, [_put_together(fields)])


def _written(section: SchemaSection) -> tuple[JsonValue, JsonValue]:
    spec, types = (to_python(meant_field(section.node, name, SCHEMA_FIELDS)) for name in ("spec", "types"))
    return spec, types


def _join(section: CutSection) -> SchemaResult:
    """Return the result of SimpleSchema for all parts; only a changed part is computed."""
    parts = [_together((section.head,)), *map(_together, section.fields.blocks)]
    types = _loaded(_written(section.head)[1], section.dialect.schema)
    return _join_parts(types, parts)


def _join_parts(types: LoadedTypes, parts: list[BuiltFields]) -> SchemaResult:
    return _joined.value((types, *parts), join_fields, types, parts)


def _together(parts: tuple[SectionPart, ...]) -> BuiltFields:
    """Return the fields of consecutive parts: the same object while these are equal.

    It is cached in the first part without a reference to that part, which would be a reference cycle.
    """
    first, others = parts[0], parts[1:]
    cached_fields: tuple[tuple[SectionPart, ...], BuiltFields] | None = first.cells.get(_together)
    if cached_fields and cached_fields[0] == others:
        return cached_fields[1]
    fields = tuple(chain.from_iterable([part.cells.get(_built) or _built(part) for part in parts]))
    together = _put_together(fields)
    first.cells[_together] = others, together
    return together


def _put_together(fields: tuple[BuiltField, ...]) -> BuiltFields:
    return _parts.value(fields, put_together, fields)


def _built(part: SectionPart) -> tuple[BuiltField, ...]:
    """Return the fields that a part declares, and cache them: the same objects while they are equal."""
    spec, types = _written(part)
    loaded = _loaded(part.types if isinstance(part, SectionEntry) else types, part.dialect.schema)
    built = tuple(_field(name, value, loaded) for name, value in as_object(spec).items())
    part.cells[_built] = built
    return built


def _field(name: str, value: JsonValue, types: LoadedTypes) -> BuiltField:
    return _fields.value((name, repr(value), types), build_field, name, value, types)


def _loaded(types: JsonValue, dialect: SchemaDialect) -> LoadedTypes:
    return _types.value(dialect.name + repr(types), load_types, types, dialect)


# What a schema says that Kubernetes gives no type.
_ANY: Final[JsonObject] = {"x-kubernetes-int-or-string": True}

_LARGEST_INTEGER = 2**63


@cached
def data_schema(resource: Resource) -> HeldObject | None:
    """Return the schema of the data of a `def` node, None for any other resource."""
    if resource.data is None:
        return None
    value = to_python(resource.data)
    return HeldObject(_inferred(value)) if isinstance(value, dict) else None


def is_untyped(resource: Resource) -> bool:
    """Whether kro gives a node of a Graph no type: a child graph, or an object whose kind is an expression."""
    if resource.form.has_nodes or not resource.form.defers_types:
        return resource.form.has_nodes
    names = (text_of(field(resource.object, name)) for name in ("apiVersion", "kind"))
    return any(name is not None and "${" in name for name in names)


def value_schema(resource: Resource, kind: KindSchema | None) -> JsonObject | None:
    """Return the schema of one value of a resource, None where it is unknown."""
    if resource.form.is_patch:
        return None
    data = data_schema(resource)
    if data is not None:
        return data.value
    return kind.schema if kind else None


def _inferred(value: Any) -> JsonObject:
    match value:
        case bool():
            return {"type": "boolean"}
        case int() | float():
            is_whole = -_LARGEST_INTEGER <= value < _LARGEST_INTEGER and value == int(value)
            return {"type": "integer" if is_whole else "number"}
        case str() if "${" not in value:
            return {"type": "string"}
        case dict():
            return {"type": "object", "properties": {name: _inferred(each) for name, each in value.items()}}
        case list():
            elements = [_inferred(each) for each in value]
            is_alike = bool(elements) and all(each == elements[0] for each in elements)
            return {"type": "array", "items": elements[0] if is_alike else _ANY}
    return _ANY
