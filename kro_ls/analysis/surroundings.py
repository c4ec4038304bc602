"""What surrounds each part of an RGD: which names it can use and what they are, and the kind of its object.

It follows from what the parts declare. An edit that leaves the declarations alone finds the same surroundings again,
and with them everything that is known of the parts that it did not touch.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeAlias

from kro_ls.analysis.model.keys import misspelling
from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import foreign_names, mentioned_names
from kro_ls.analysis.names.references import names as names_in
from kro_ls.analysis.scope import MissingKind, Scope
from kro_ls.analysis.types.variables import instance_binding, resource_binding
from kro_ls.cel.types.types import DYN
from kro_ls.kro import names
from kro_ls.kro.rgd_schema import SPEC_FIELDS
from kro_ls.yaml_positions.access import field, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.model import PlacedResource, ResourceGraphDefinition, ResourceType, SchemaSection
    from kro_ls.analysis.types.variables import Binding
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kinds import KindSchema


KindName: TypeAlias = tuple[str, str]
"""The apiVersion and the kind of an object."""

# Typing in one resource gives a new scope for each key stroke.
_MOST_SCOPES = 8192


@dataclass(frozen=True, slots=True)
class Declarations:
    """What the parts of an RGD declare for each other.

    `resources` has each id once, in the order of `spec.resources`, with the type of its first resource and the kind of
    its object. `repeated` are the ids of several resources; `anonymous` tells that some resource has no usable id.
    """

    resources: tuple[tuple[str, ResourceType, KindName | None], ...]
    section: SchemaSection | None
    repeated: frozenset[str]
    anonymous: bool
    omit_enabled: bool
    schema_damaged: bool


def surroundings_of(
    rgd: ResourceGraphDefinition,
    resources: dict[str, PlacedResource],
    feature_gates: frozenset[str],
    schemas: SchemaIndex,
) -> Surroundings:
    """Return the surroundings of an RGD's parts; `resources` are the first resources of each id."""
    complete = len(resources) == len(rgd.resources)
    declared = tuple((name, each.resource.type, kind_name(each.resource)) for name, each in resources.items())
    declarations = Declarations(
        declared,
        rgd.schema.section if rgd.schema else None,
        frozenset() if complete else _repeated_ids(rgd),
        not complete or not all(map(_is_usable_id, resources)) or (not rgd.resources and _misspells_resources(rgd)),
        "CELOmitFunction" in feature_gates,
        rgd.schema is not None and any(each.code != "duplicate-key" for each in rgd.schema.placed.chunk.errors),
    )
    return _surroundings(declarations, schemas)


@lru_cache(maxsize=8)
def _surroundings(declarations: Declarations, schemas: SchemaIndex) -> Surroundings:
    return Surroundings(declarations, schemas)


class Surroundings:
    """Gives the scope of each part of one RGD; always the same one for the same part."""

    def __init__(self, declarations: Declarations, schemas: SchemaIndex) -> None:
        self.schemas = schemas
        self._declarations = declarations
        self._resources = {name: (type_, kind) for name, type_, kind in declarations.resources}
        self._ids = frozenset(self._resources)
        self._candidates = tuple(self._resources)
        self._scopes: dict[Resource | SchemaSection, Scope] = {}
        self._bindings: dict[str, Binding] = {}
        self._kinds: dict[KindName, KindSchema | None] = {}

    @cached_property
    def missing_kinds(self) -> dict[KindName, MissingKind]:
        """The kinds that resources name and no source has."""
        named = dict.fromkeys(kind for _, _, kind in self._declarations.resources if kind)
        return {kind: self._missing(kind) for kind in named if self._find(kind) is None}

    def kind(self, resource: Resource) -> KindSchema | None:
        """Return the kind of a resource's object, None where it is unknown or not said."""
        named = kind_name(resource)
        return self._find(named) if named else None

    def _find(self, named: KindName) -> KindSchema | None:
        if named not in self._kinds:
            self._kinds[named] = self.schemas.find_api_version(*named)
        return self._kinds[named]

    def _missing(self, named: KindName) -> MissingKind:
        group, _, version = named[0].rpartition("/")
        lifetime = self.schemas.lifetime(group, version, named[1])
        return MissingKind(
            *named,
            is_kubernetes=lifetime is not None or self.schemas.is_kubernetes_group(group, version),
            similar=self.schemas.similar(group, version, named[1]),
            lifetime=lifetime,
        )

    def scope(self, part: Resource | SchemaSection) -> Scope:
        """Return what the check of a part depends on."""
        scope = self._scopes.get(part)
        if scope is None:
            if len(self._scopes) >= _MOST_SCOPES:
                self._scopes.clear()
            scope = self._scopes[part] = self._scope(part)
        return scope

    def _scope(self, part: Resource | SchemaSection) -> Scope:
        section = self._declarations.section
        undeclared = not foreign_names(part) <= self._ids
        return Scope(
            names_in(part) & self._ids,
            self._candidates if undeclared else (),
            self._declarations.anonymous,
            section is not None and section.scope == "Cluster",
            self._declarations.omit_enabled,
            tuple(self._bindings_of(part)),
            self.kind(part) if isinstance(part, Resource) else None,
            self._declarations.schema_damaged,
        )

    def _bindings_of(self, part: Resource | SchemaSection) -> Iterator[tuple[str, Binding]]:
        for name in sorted(mentioned_names(part)):
            binding = self._bindings.get(name) or self._bind(name)
            if binding is not None:
                yield name, binding

    def _bind(self, name: str) -> Binding | None:
        binding: Binding | None = None
        if name == "schema" and self._declarations.section:
            binding = instance_binding(self._declarations.section, self.schemas.object_meta)
        elif name in self._declarations.repeated:
            binding = DYN  # it may mean either resource
        elif name in self._resources:
            type_, kind = self._resources[name]
            binding = resource_binding(name, type_, self._find(kind) if kind else None)
        if binding is not None:
            self._bindings[name] = binding
        return binding


@lru_cache(maxsize=8192)
def _is_usable_id(resource_id: str) -> bool:
    return names.is_lower_camel_case(resource_id) and resource_id not in names.RESERVED_WORDS


@lru_cache(maxsize=8192)
def kind_name(resource: Resource) -> KindName | None:
    """Return apiVersion and kind of a resource's object, None where they are missing or cannot name a kind."""
    api_version, kind = (text_of(field(resource.object, name)) for name in ("apiVersion", "kind"))
    if not api_version or not kind or not names.is_template_kind(kind):
        return None
    if api_version == "/" or api_version.count("/") > 1 or "${" in api_version:
        return None
    return api_version, kind


def _repeated_ids(rgd: ResourceGraphDefinition) -> frozenset[str]:
    counts = Counter(placed.resource.id for placed in rgd.resources)
    return frozenset(name for name, count in counts.items() if name is not None and count > 1)


def _misspells_resources(rgd: ResourceGraphDefinition) -> bool:
    """Whether the resources stand under an unknown key, so that all their ids are missing."""
    return misspelling(field(rgd.frame.chunk.root, "spec"), "resources", SPEC_FIELDS) is not None
