"""What surrounds each part of an RGD: which names it can use and what they are, and the kind of its object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.candidates import NO_CANDIDATES, Candidates
from kro_ls.analysis.facts import Declaration, FactTable, KindName, instance_paths, kind_name
from kro_ls.analysis.layered import LayeredDict
from kro_ls.analysis.memory import kept_property
from kro_ls.analysis.model.model import Resource, SchemaSection
from kro_ls.analysis.names.references import foreign_names, mentioned_names, names
from kro_ls.analysis.scope import MissingKind, Scope
from kro_ls.analysis.sets import set_of
from kro_ls.analysis.types.instance import cut_down, instance_of
from kro_ls.analysis.types.variables import resource_binding
from kro_ls.cel.types.types import ANY, DYN
from kro_ls.kro.collection_form import KREP_2_FORM

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.types.variables import Binding
    from kro_ls.openapi.cel_types import SchemaRoot
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kinds import GroupVersionKind, KindSchema


# Of which most are kinds whose names were being typed.
_MOST_KINDS = 1000


class Declarations(Struct, frozen=True):
    """What the parts of an RGD declare for each other.

    `misplaces_resources` tells that resources stand where kro does not look for them, `schema_damaged` that YAML cannot
    read all of `spec.schema`. `outer` are the ids of nodes outside of a child graph.
    """

    table: FactTable
    section: SchemaSection | None
    misplaces_resources: bool
    schema_damaged: bool
    omit_enabled: bool
    outer: frozenset[str] = frozenset()

    @property
    def anonymous_resources(self) -> bool:
        """Whether a name that nothing declares may mean a resource whose id is missing, unusable or taken."""
        return self.misplaces_resources or self.table.has_anonymous

    @property
    def resources_unfinished(self) -> bool:
        """Whether there are no resources, or one that does not say yet what it is."""
        return not self.table.facts or self.table.summary.is_unfinished

    @property
    def cluster_scoped(self) -> bool:
        """Whether instances have no namespace."""
        return self.section is not None and self.section.scope == "Cluster"


class Surroundings:
    """Gives the scope of each part of one RGD.

    It goes on from the surroundings `before` an edit: what is the same stays the same object.
    """

    def __init__(self, declarations: Declarations, schemas: SchemaIndex, before: Surroundings | None = None) -> None:
        self.schemas = schemas
        self.declarations = declarations
        remembered = before.remembered_for(declarations, schemas) if before else None
        self._kinds, self._bindings = remembered or ({}, LayeredDict({}))
        self.instance: SchemaRoot | None = None
        """What `schema` is, with all fields; None without a schema section."""
        if declarations.section:
            known = before.instance if before else None
            self.instance = instance_of(declarations.section, schemas.object_meta, known)

    def are_of(self, declarations: Declarations, schemas: SchemaIndex) -> bool:
        """Whether nothing would be another one with these declarations and kinds."""
        return schemas is self.schemas and declarations == self.declarations

    @kept_property
    def scope_of_section(self) -> Scope | None:
        """What the check of the schema section depends on; None without one."""
        section = self.declarations.section
        return self.scope(section) if section else None

    def remembered_for(
        self, declarations: Declarations, schemas: SchemaIndex
    ) -> tuple[dict[KindName, KindSchema | None], LayeredDict[Binding]] | None:
        """Return the kinds and the types of names that are the same with other declarations; None if none are."""
        if not self.has_kinds_of(schemas):
            return None
        kinds = self._kinds if schemas is self.schemas and len(self._kinds) < _MOST_KINDS else {}
        changed = declarations.table.changed_names(self.declarations.table)
        return kinds, self._bindings.without(changed) if changed else self._bindings

    def has_kinds_of(self, schemas: SchemaIndex) -> bool:
        """Whether every kind that resources name is the same one, or as unknown, among other kinds."""
        return not self.changed_kinds(schemas) and schemas.object_meta is self.schemas.object_meta

    def changed_kinds(self, schemas: SchemaIndex) -> frozenset[KindName]:
        """Return the kinds that resources name and that are other ones, or unknown, or known now."""
        if schemas is self.schemas:
            return frozenset()
        named = self.declarations.table.summary.kinds
        return frozenset(each for each in named if schemas.find_api_version(*each) is not self.find(each))

    @kept_property
    def missing_kinds(self) -> dict[KindName, MissingKind]:
        """The kinds that resources name and no source has."""
        missing = sorted(kind for kind in self.declarations.table.summary.kinds if self.find(kind) is None)
        return {kind: self._missing(kind) for kind in missing}

    def kind(self, resource: Resource) -> KindSchema | None:
        """Return the kind of a resource's object, None where it is unknown or not said."""
        named = kind_name(resource)
        return self.find(named) if named else None

    def find(self, named: KindName) -> KindSchema | None:
        """Return a kind that a resource names, None where it is unknown."""
        if named not in self._kinds:
            self._kinds[named] = self.schemas.find_api_version(*named)
        return self._kinds[named]

    def _missing(self, named: KindName) -> MissingKind:
        group, _, version = named[0].rpartition("/")
        lifetime = self.schemas.lifetime(group, version, named[1])
        return MissingKind(
            *named,
            is_kubernetes=lifetime is not None or self.schemas.is_kubernetes_group(group, version),
            similar=self.similar_kinds(named),
            lifetime=lifetime,
        )

    def similar_kinds(self, named: KindName) -> tuple[GroupVersionKind, ...]:
        """Return the known kinds that may have been meant. Never the RGD's own: an instance would create the next."""
        group, _, version = named[0].rpartition("/")
        found = self.schemas.similar(group, version, named[1])
        section = self.declarations.section
        if section is None:
            return found
        return tuple(each for each in found if (each.group, each.kind) != (section.group, section.kind))

    def scope(self, part: Resource | SchemaSection) -> Scope:
        """Return what the check of a part depends on."""
        declarations, ids = self.declarations, self.declarations.table.numbers
        foreign, named = foreign_names(part), names(part)
        undeclared = not ids.undeclared(foreign) <= declarations.outer
        itself = isinstance(part, Resource) and part.id in named
        instance = self._instance_read_by(part)
        return Scope(
            set_of(named - (ids.undeclared(named) - declarations.outer)),
            self._candidates if undeclared else NO_CANDIDATES,
            (undeclared or itself) and declarations.anonymous_resources,
            declarations.cluster_scoped,
            declarations.omit_enabled,
            tuple(self._bindings_of(part, instance)),
            self.kind(part) if isinstance(part, Resource) else None,
            instance is not None and instance is self.instance and declarations.schema_damaged,
            undeclared and isinstance(part, SchemaSection) and declarations.resources_unfinished,
        )

    def scope_with_instance(self, part: Resource | SchemaSection, before: Scope) -> Scope:
        """Return the scope of a part of which the instance alone can be another one than in a scope `before`."""
        instance = self._instance_read_by(part)
        had_instance = any(name == "schema" for name, _ in before.bindings)
        is_plain = not (isinstance(part, Resource) and part.is_node) and not self.declarations.table.summary.aliased
        if instance is None or not had_instance or not is_plain:
            return self.scope(part)
        return replace(
            before,
            bindings=tuple([(name, instance if name == "schema" else binding) for name, binding in before.bindings]),
            schema_damaged=instance is self.instance and self.declarations.schema_damaged,
        )

    @kept_property
    def _candidates(self) -> Candidates:
        table, outer = self.declarations.table, self.declarations.outer
        if not table.numbers and not outer:
            return NO_CANDIDATES
        return Candidates(table.blocks, tuple(sorted(table.numbers.undeclared(outer))))

    def _instance_read_by(self, part: Resource | SchemaSection) -> SchemaRoot | None:
        return cut_down(self.instance, instance_paths(part)) if self.instance else None

    def _bindings_of(
        self, part: Resource | SchemaSection, instance: SchemaRoot | None
    ) -> Iterator[tuple[str, Binding]]:
        for name in sorted(mentioned_names(part)):
            is_instance = name == "schema" and not (isinstance(part, Resource) and part.is_node)
            binding = instance if is_instance else self._bindings.get(name) or self._bind(name)
            if binding is not None:
                yield name, binding
                if name in self.declarations.table.summary.aliased:
                    yield f"{name}.{KREP_2_FORM.alias}", binding

    def _bind(self, name: str) -> Binding | None:
        declared = self.declarations.table.declaration(name)
        if declared is None:
            return ANY if name in self.declarations.outer else None
        binding: Binding = DYN
        if not declared.is_repeated:
            schema = self._schema(declared)
            binding = resource_binding(name, declared.type, schema, is_untyped=declared.is_untyped)
        self._bindings[name] = binding
        return binding

    def _schema(self, declared: Declaration) -> JsonObject | None:
        if declared.data is not None:
            return declared.data.value
        found = self.find(declared.kind) if declared.kind else None
        return found.schema if found else None
