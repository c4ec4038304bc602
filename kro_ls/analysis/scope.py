"""The scope of a part: everything that its findings depend on, except for the part itself.

A part depends on the fields of the instance that it reads and on no others. So its scope has a schema of just these,
which is the same object for the same fields while it is alive: the findings are valid until one of them changes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.crd.generate import checkable_schema, instance_schema
from kro_ls.analysis.definition_queries import (
    NO_CANDIDATES,
    OMIT_ENABLED,
    OUTER_IDS,
    SCHEMAS,
    SECTION,
    Candidates,
    candidates,
    declarations,
    has_anonymous,
    is_cluster_scoped,
    is_schema_damaged,
    is_unfinished,
    kinds,
)
from kro_ls.analysis.facts import instance_paths, kind_name
from kro_ls.analysis.model.model import Resource, SchemaSection
from kro_ls.analysis.names.references import foreign_names, mentioned_names, names
from kro_ls.analysis.types.variables import Bindings, resource_binding, simple_schema
from kro_ls.cel.syntax.identifiers import RESERVED_WORDS, escape
from kro_ls.cel.types.types import ANY, DYN
from kro_ls.kro.forms import KREP_2_FORM
from kro_ls.openapi.cel_types import SchemaRoot, declare
from kro_ls.queries.cells import Interned, cached, set_of
from kro_ls.queries.engine import OwnedQuery, Query

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kro_ls.analysis.facts import Declaration, FieldNames, KindName
    from kro_ls.analysis.simpleschema.results import SchemaResult
    from kro_ls.analysis.types.variables import Binding
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.queries.engine import Reader


class Scope(Struct, frozen=True, gc=False):
    """The surroundings of one part, reduced to what can change the findings in it, except for names and types.

    `omit_enabled`: the cluster's feature gate for omit() is on. `kind` is that of a resource's object, None where it is
    unknown.
    """

    cluster_scoped: bool = False
    omit_enabled: bool = False
    kind: KindSchema | None = None


class NamedScope(Scope, frozen=True, gc=False):
    """A scope with the names that are declared, for the findings about those that a part uses.

    `resource_ids` are the ids of resources among the names that the part uses or declares. `candidates` are all ids,
    for suggestions; only parts that use an undeclared name have them. `anonymous_resources`: the id of some resource is
    missing, unusable or taken, so that a name may mean that resource; only for parts that use an undeclared name or
    their own. `resources_unfinished`: there are no resources, or one without a kind; only for a status that uses an
    undeclared name.
    """

    resource_ids: frozenset[str] = frozenset()
    candidates: Candidates = NO_CANDIDATES
    anonymous_resources: bool = False
    resources_unfinished: bool = False


class TypedScope(NamedScope, frozen=True, gc=False):
    """A scope with names and types, for the findings in expressions.

    `bindings` are the types of the names that the part uses and the RGD declares; of the instance, the fields that it
    reads. `schema_damaged`: YAML cannot read all of `spec.schema`, so that a field may be missing; only for parts that
    read a missing field.
    """

    bindings: Bindings = Bindings()
    schema_damaged: bool = False

    def without_names(self) -> Scope:
        """Return the scope without names and types."""
        return Scope(self.cluster_scoped, self.omit_enabled, self.kind)

    def without_types(self) -> NamedScope:
        """Return the scope without types."""
        return NamedScope(
            self.cluster_scoped,
            self.omit_enabled,
            self.kind,
            self.resource_ids,
            self.candidates,
            self.anonymous_resources,
            self.resources_unfinished,
        )


def typed_scope_of(reader: Reader, part: Resource | SchemaSection) -> TypedScope:
    """Return what the findings in a part and in its expressions depend on."""
    scope, read = scope_of(reader, part), instance_of(reader, part)
    if read is None:
        return scope
    return replace(
        scope,
        bindings=Bindings(scope.bindings.others, read),
        schema_damaged=read is reader.value_of(instance) and is_schema_damaged(reader),
    )


@OwnedQuery
def scope_of(reader: Reader, part: Resource | SchemaSection) -> TypedScope:
    """Return what a part depends on, without the instance, whose fields change for many parts at once."""
    outer = OUTER_IDS(reader)
    declared = {name: declarations.entry(reader, name) for name in mentioned_names(part)}
    declared_names = {name for name, each in declared.items() if each is not None or name in outer}
    resource = part if isinstance(part, Resource) else None
    undeclared = not foreign_names(part) <= declared_names
    named = names(part)
    return TypedScope(
        is_cluster_scoped(reader),
        OMIT_ENABLED(reader),
        kind_of(reader, kind_name(resource)) if resource else None,
        set_of(named & declared_names),
        candidates(reader) if undeclared else NO_CANDIDATES,
        (undeclared or (resource is not None and resource.id in named)) and has_anonymous(reader),
        undeclared and resource is None and is_unfinished(reader),
        Bindings(tuple(_bindings(reader, part, declared))),
    )


def kind_of(reader: Reader, name: KindName | None) -> KindSchema | None:
    """Return a kind by the name that an object gives it, None where it is unknown or not said."""
    return kinds.entry(reader, name) if name else None


def instance_of(reader: Reader, part: Resource | SchemaSection) -> SchemaRoot | None:
    """Return the instance with the fields that a part reads; None where `schema` does not mean the instance."""
    if not part.sees_instance:
        return None
    paths = instance_paths(part)
    return instance_read_by(reader, paths) if paths or "schema" in mentioned_names(part) else None


def bindings_of(reader: Reader, part: Resource | SchemaSection, names: Iterable[str]) -> Bindings:
    """Return the bindings of those of some names that the RGD declares for a part; the instance has all its fields."""
    declared = {name: declarations.entry(reader, name) for name in names}
    sees_instance = "schema" in declared and part.sees_instance
    return Bindings(tuple(_bindings(reader, part, declared)), instance(reader) if sees_instance else None)


def _bindings(
    reader: Reader, part: Resource | SchemaSection, declared: Mapping[str, Declaration | None]
) -> Iterator[tuple[str, Binding]]:
    for name in sorted(declared):
        if name == "schema" and part.sees_instance:
            continue
        declaration = declared[name]
        binding = _binding(reader, name, declaration)
        if binding is not None:
            yield name, binding
            if declaration and declaration.alias:
                yield f"{name}.{KREP_2_FORM.alias}", binding


def _binding(reader: Reader, name: str, declared: Declaration | None) -> Binding | None:
    if declared is None:
        return ANY if name in OUTER_IDS(reader) else None
    if declared.is_repeated:
        return DYN
    if declared.data is not None:
        schema: JsonObject | None = declared.data.value
    else:
        kind = kind_of(reader, declared.kind)
        schema = kind.schema if kind else None
    return resource_binding(name, declared.type, schema, is_untyped=declared.is_untyped)


Json = dict[str, Any]

_cut_down: Final[Interned[tuple[object, ...], SchemaRoot]] = Interned()


@Query
def instance(reader: Reader) -> SchemaRoot | None:
    """Return the instance without its status, which `schema` means, with all fields; None without a schema section."""
    section = SECTION(reader)
    if section is None:
        return None
    is_cluster_scoped = section.scope == "Cluster"
    metadata = _metadata_without_namespace(reader) if is_cluster_scoped else SCHEMAS(reader).object_meta
    return _instance(simple_schema(section), metadata)


class InstanceFields(dict[str, tuple[int, bool] | tuple[str, Json]]):
    """The fields of an instance's `spec` by their names in CEL: which object the schema is, and whether it is required.

    Schemas of fields are compared by identity, because comparing large ones by value can take very long. The entry
    `_REST` is the rest of `spec` beside them, and the schema of `metadata`.
    """

    def __init__(self, instance: SchemaRoot | None) -> None:
        self._instance = instance  # while it is alive, no other schema can have the identity of one of its own
        properties: Json = instance.schema["properties"] if instance else {}  # type: ignore[assignment]  # see `_instance`
        spec: Json = properties.get("spec") or {}
        fields: Json = spec.get("properties") or {}
        required = frozenset(spec.get("required") or ())
        found = {name: (id(schema), name in required) for name, schema in fields.items()}
        super().__init__({name: each for name, each in found.items() if escape(name) == name or name in RESERVED_WORDS})
        for name, each in found.items():
            if escaped := escape(name):
                self.setdefault(escaped, each)
        if instance:
            self[_REST] = (_rest(instance)[1], properties["metadata"])


_REST: Final = ""  # no field has this name


@Query
def instance_fields(reader: Reader) -> InstanceFields:
    """Return the fields of `spec`; nothing without a schema section."""
    return InstanceFields(instance(reader))


@Query
def _metadata_without_namespace(reader: Reader) -> Json:
    metadata = SCHEMAS(reader).object_meta
    fields: Json = metadata.get("properties") or {}  # type: ignore[assignment]  # the fields of an object
    return {**metadata, "properties": {name: value for name, value in fields.items() if name != "namespace"}}


@lru_cache(maxsize=1000)  # many parts read the same fields
def fields_read(paths: frozenset[FieldNames]) -> frozenset[str] | None:
    """Return the names in CEL of the fields of `spec` that paths begin with; None if they take `spec` as one."""
    if any(path[:1] not in _SINGLE and not (path[:1] == ("spec",) and len(path) > 1) for path in paths):
        return None
    return frozenset([path[1] for path in paths if path[0] == "spec"])


_SINGLE = (("apiVersion",), ("kind",), ("metadata",))


@lru_cache(maxsize=1000)  # as above
def _entries_read(paths: frozenset[FieldNames]) -> frozenset[str] | None:
    """Return the entries of `instance_fields` that these are, with the rest; None if they take `spec` as one."""
    names = fields_read(paths)
    return None if names is None else names | {_REST}


def instance_read_by(reader: Reader, paths: frozenset[FieldNames]) -> SchemaRoot | None:
    """Return the instance with the fields that a query reads, and record these: all, or single ones."""
    if reader.revision.is_final:
        return instance(reader)
    names = _entries_read(paths)
    if names is None or not instance_fields.has_all(reader, names):
        return instance(reader)
    whole: SchemaRoot | None = reader.value_of(instance)
    return cut_down(whole, paths) if whole else None


@cached
def _instance(result: SchemaResult, metadata: Json) -> SchemaRoot:
    schema = instance_schema(_checkable(result))
    own = schema["properties"]
    properties = {**{name: own[name] for name in ("apiVersion", "kind", "spec")}, "metadata": metadata}
    return declare("schema", {**schema, "properties": properties})


@cached
def _checkable(result: SchemaResult) -> Json:
    return checkable_schema(result)


def cut_down(instance: SchemaRoot, paths: frozenset[FieldNames]) -> SchemaRoot:
    """Return the instance with those fields of `spec` alone that the paths begin with.

    It stays whole for a path that takes `spec` or the instance as one, or that begins with an unknown field: its type
    or its error depends on all fields.
    """
    cuts: dict[frozenset[FieldNames], SchemaRoot | None] | None = instance.cells.get(cut_down)
    if cuts is None:
        cuts = instance.cells[cut_down] = {}
    if paths not in cuts:
        found = _cut(instance, paths)
        cuts[paths] = None if found is instance else found  # no reference to itself
    return cuts[paths] or instance


def _cut(instance: SchemaRoot, paths: Iterable[FieldNames]) -> SchemaRoot:
    properties: Json = instance.schema["properties"]  # type: ignore[assignment]  # see `_instance`
    spec = properties["spec"]
    fields: Json = spec.get("properties") or {}
    required = spec.get("required") or ()
    wanted: dict[str, bool] = {}
    for path in paths:
        if not path or path[0] not in properties:
            return instance
        if path[0] == "spec":
            name = _field_name(fields, path[1]) if len(path) > 1 else None
            if name is None:
                return instance
            wanted[name] = name in required
    rest, rest_text = _rest(instance)
    metadata = id(properties["metadata"])
    key = (metadata, rest_text, *[(name, id(fields[name]), needed) for name, needed in wanted.items()])
    found = _cut_down.get(key)
    if found is None:
        own_spec = {**rest, "properties": {name: fields[name] for name in wanted}}
        if needed := [name for name in wanted if wanted[name]]:
            own_spec["required"] = needed
        # The root refers to the fields' schemas, so that no other schema gets their identity while the entry exists.
        own = {**instance.schema, "properties": {**properties, "spec": own_spec}}
        found = _cut_down[key] = SchemaRoot("schema", own)
    return found


@cached
def _rest(instance: SchemaRoot) -> tuple[Json, str]:
    """Return what `spec` has beside its fields, and its text."""
    spec: Json = instance.schema["properties"]["spec"]  # type: ignore[index, call-overload, assignment]
    rest = {name: value for name, value in spec.items() if name not in ("properties", "required")}
    return rest, repr(rest)


def _field_name(fields: Json, selected: str) -> str | None:
    """Return the field that a name in CEL selects."""
    if selected in fields and escape(selected) == selected:
        return selected
    names = (name for name in fields if escape(name) == selected)
    return selected if selected in RESERVED_WORDS and selected in fields else next(names, None)
