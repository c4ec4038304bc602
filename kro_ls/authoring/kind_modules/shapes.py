"""The shapes of objects: their fields with types, from a schema.

Kubernetes' definitions have names and refer to each other by them. The objects inside a custom kind have none: they are
named by the path to them, `CertificateSpecPrivateKey`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct, field

from kro_ls.authoring.kind_modules.module_names import META, ModuleName, module_name
from kro_ls.openapi.cel_types import cel_type
from kro_ls.openapi.json_values import JsonValue, as_object
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.sources.bundled import OBJECT_META
from kro_ls.openapi.sources.ref_expansion import reference_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.cel.types.types import Type
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
    from kro_ls.openapi.sources.bundled import BundledKubernetes


OBJECT_META_NAME: Final = OBJECT_META.rpartition(".")[2]
REFERENCE: Final = "Reference"
_DEEPEST: Final = 60


class Scalar(Struct, frozen=True):
    """A value without fields of its own. `types` are JSON's, none where any value is allowed.

    `cel` is its type in expressions, None where kro does not show it to them.
    """

    types: tuple[str, ...] = ()
    cel: Type | None = None
    enum: tuple[JsonValue, ...] = ()
    is_nullable: bool = False


class Items(Struct, frozen=True):
    """A list."""

    element: FieldType


class Values(Struct, frozen=True):
    """A map by text."""

    value: FieldType


class Object(Struct, frozen=True):
    """An object with fields of its own, by the name of its shape."""

    module: ModuleName
    name: str
    is_open: bool = False
    """Whether it may have further fields."""
    is_kind: bool = False
    """Whether it is an object of the API inside another one, as a template of one is."""


FieldType: TypeAlias = "Scalar | Items | Values | Object"


def scalar(schema: JsonObject) -> Scalar:
    """Return the type of values whose schema declares no fields."""
    view = Schema(schema)
    return Scalar(view.types, cel_type(schema, "object"), view.enum, view.nullable)


class Shape(Struct, frozen=True):
    """An object's fields by name. `kind` is None for an object inside one of the API."""

    name: str
    description: str
    fields: dict[str, FieldType]
    descriptions: dict[str, str]
    required: frozenset[str]
    is_open: bool = False
    kind: GroupVersionKind | None = None


class ShapeReader(Struct):
    """Reads the shapes of one module."""

    module: ModuleName
    refer: Callable[[str], FieldType | None] = lambda _: None
    """Gives the type that a `$ref` stands for."""
    taken: frozenset[str] = frozenset()
    """Names that objects inside a kind must not have."""
    shapes: dict[str, Shape] = field(default_factory=dict)
    schemas: dict[str, JsonObject] = field(default_factory=dict)
    """The schema of each shape."""

    def read(self, name: str, schema: JsonObject, kind: GroupVersionKind | None = None, depth: int = 0) -> None:
        """Add an object's shape by its name, and those inside it that have no definition of their own."""
        view = Schema(schema)
        self.schemas[name] = schema
        properties = as_object(schema.get("properties"))
        self.shapes[name] = Shape(name, "", {}, {}, frozenset())  # takes the name
        fields: dict[str, FieldType] = {}
        for each, child in properties.items():
            if kind is not None and each == "metadata":
                fields[each] = Object(META, OBJECT_META_NAME)
            else:
                fields[each] = self.type_of(as_object(child), name + each[:1].upper() + each[1:], depth + 1)
        descriptions = {each: Schema(as_object(child)).description for each, child in properties.items()}
        self.shapes[name] = Shape(
            name, view.description, fields, descriptions, frozenset(view.required), view.preserves_unknown_fields, kind
        )

    def type_of(self, schema: JsonObject, name: str, depth: int) -> FieldType:
        """Return the type of a value; `name` is the name of an object there."""
        reference = reference_of(schema)
        found = self.refer(reference) if reference else None
        if found is not None:
            return found
        view = Schema(schema)
        if view.types == ("array",):
            return Items(self.type_of(as_object(schema.get("items")), name, depth))
        if view.types != ("object",) or depth > _DEEPEST:
            return scalar(schema)
        if schema.get("properties"):
            name = self._free_name(name)
            self.read(name, schema, depth=depth)
            return Object(self.module, name, view.preserves_unknown_fields)
        values = view.additional_properties
        return scalar(schema) if values is None else Values(self.type_of(values.raw, name, depth))

    def _free_name(self, name: str) -> str:
        """Return a name that no shape has, nor a reference to one."""
        name = "".join(each if each.isalnum() else "_" for each in name)
        number = 1
        tried = name
        while {tried, reference_name(tried), tried.removesuffix(REFERENCE)} & (self.shapes.keys() | self.taken):
            number += 1
            tried = f"{name}{number}"
        return tried


def custom_shapes(module: ModuleName, kind: KindSchema, taken: frozenset[str]) -> ShapeReader:
    """Return the shapes of a custom kind; `taken` are the names of its module's kinds."""
    reader = ShapeReader(module, taken=taken)
    reader.read(kind.name.kind, kind.schema, kind.name)
    return reader


def dict_name(kind: str) -> str:
    """Return the name of a kind's TypedDict, for its objects inside other objects."""
    return f"{kind}Dict"


def reference_name(shape: str) -> str:
    """Return the name of a reference to an object inside a kind."""
    return f"{shape}{REFERENCE}"


class OwnShapes:
    """The shapes of one minor. Definitions that no kind is made of are left out."""

    def __init__(self, kubernetes: BundledKubernetes) -> None:
        self._kubernetes = kubernetes

    @cached_property
    def kinds(self) -> dict[str, GroupVersionKind]:
        """The kinds by the full name of their definition."""
        named = ((self._kubernetes.definition_name(kind), kind) for kind in self._kubernetes.names())
        return {name: kind for name, kind in named if name is not None}

    @cached_property
    def modules(self) -> dict[str, ModuleName]:
        """The module of each package of definitions (`io.k8s.api.apps.v1`): that of the kinds in it."""
        found = {name.rpartition(".")[0]: module_name(kind) for name, kind in self.kinds.items()}
        for name in self._kubernetes.definition_names():
            package = name.rpartition(".")[0]
            group, _, version = package.rpartition(".")
            found.setdefault(package, ModuleName(group.rpartition(".")[2], version))
        return found

    def read_all(self) -> dict[ModuleName, ShapeReader]:
        """Return every module with its shapes."""
        readers: dict[ModuleName, ShapeReader] = {}
        pending = list(self.kinds)
        seen = set(pending)

        def refer(name: str) -> FieldType | None:
            found = self.type_of(name)
            if isinstance(found, Object) and name not in seen:
                seen.add(name)
                pending.append(name)
            return found

        while pending:
            name = pending.pop()
            package, _, short = name.rpartition(".")
            module = self.modules[package]
            reader = readers.get(module)
            if reader is None:
                reader = readers[module] = ShapeReader(module, refer)
            reader.read(short, self._schema(name), self.kinds.get(name))
        return readers

    def type_of(self, name: str) -> FieldType | None:
        """Return the type that a definition stands for, None for an unknown one."""
        package, _, short = name.rpartition(".")
        schema = self._kubernetes.definition(name)
        if schema.get("properties"):
            return Object(self.modules[package], short, is_kind=name in self.kinds)
        return scalar(schema)

    def _schema(self, name: str) -> JsonObject:
        return self._kubernetes.unexpanded(name) or {}
