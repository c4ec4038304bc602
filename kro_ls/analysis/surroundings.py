"""What surrounds each part of an RGD: which names it can use and what they are, and the kind of its object.

Everything here is looked up, remembered elsewhere or cheap: it is made anew for each version of a document.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from kro_ls.analysis import names
from kro_ls.analysis.keys import misspelling
from kro_ls.analysis.model import Resource
from kro_ls.analysis.reading import field, text_of
from kro_ls.analysis.references import foreign_names, mentioned_names
from kro_ls.analysis.references import names as names_in
from kro_ls.analysis.rgd_shape import SPEC
from kro_ls.analysis.rules.scope import MissingKind, Scope
from kro_ls.analysis.types.variables import instance_binding, resource_binding
from kro_ls.cel.types import DYN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model import PlacedResource, ResourceGraphDefinition, SchemaSection
    from kro_ls.analysis.settings import Settings
    from kro_ls.analysis.types.variables import Binding
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kinds import KindSchema


class Surroundings:
    """Gives the scope of each part of one RGD."""

    def __init__(
        self,
        rgd: ResourceGraphDefinition,
        resources: dict[str, PlacedResource],
        settings: Settings,
        schemas: SchemaIndex,
    ) -> None:
        self._schemas = schemas
        self._schema = rgd.schema
        self._resources = resources
        self._ids = frozenset(resources)
        self._candidates = tuple(resources)
        self._cluster_scoped = rgd.schema is not None and rgd.schema.section.scope == "Cluster"
        self._omit_enabled = "CELOmitFunction" in settings.feature_gates
        self._repeated = _repeated_ids(rgd) if len(self._ids) < len(rgd.resources) else frozenset()
        self._anonymous = (
            len(self._ids) < len(rgd.resources)
            or not all(map(_is_usable_id, self._ids))
            or (not rgd.resources and _misspells_resources(rgd))
        )
        self._bindings: dict[str, Binding] = {}
        self._kinds: dict[tuple[str, str], KindSchema | None] = {}

    def kind(self, resource: Resource) -> KindSchema | None:
        """Return the kind of a resource's object, None where it is unknown or not said."""
        named = _kind_name(resource)
        return self._find(named) if named else None

    def _find(self, named: tuple[str, str]) -> KindSchema | None:
        if named not in self._kinds:
            self._kinds[named] = self._schemas.find_api_version(*named)
        return self._kinds[named]

    def missing_kind(self, resource: Resource) -> MissingKind | None:
        """Return what is known of a kind that no source has; None where it is known, or not said properly."""
        named = _kind_name(resource)
        if named is None or self._find(named):
            return None
        group, _, version = named[0].rpartition("/")
        lifetime = self._schemas.lifetime(group, version, named[1])
        return MissingKind(
            *named,
            is_kubernetes=lifetime is not None or self._schemas.is_kubernetes_group(group, version),
            similar=self._schemas.similar(group, version, named[1]),
            lifetime=lifetime,
        )

    def scope(self, part: Resource | SchemaSection) -> Scope:
        """Return what the check of a part depends on."""
        known = names_in(part) & self._ids
        undeclared = not foreign_names(part) <= self._ids
        return Scope(
            known,
            self._candidates if undeclared else (),
            self._anonymous,
            self._cluster_scoped,
            self._omit_enabled,
            tuple(self._bindings_of(part)),
            self.kind(part) if isinstance(part, Resource) else None,
        )

    def _bindings_of(self, part: Resource | SchemaSection) -> Iterator[tuple[str, Binding]]:
        for name in sorted(mentioned_names(part)):
            binding = self._bindings.get(name) or self._bind(name)
            if binding is not None:
                yield name, binding

    def _bind(self, name: str) -> Binding | None:
        binding: Binding | None = None
        if name == "schema" and self._schema:
            binding = instance_binding(self._schema.section, self._schemas.object_meta)
        elif name in self._repeated:
            binding = DYN  # it may mean either resource
        elif name in self._resources:
            resource = self._resources[name].resource
            binding = resource_binding(name, resource.type, self.kind(resource))
        if binding is not None:
            self._bindings[name] = binding
        return binding


@lru_cache(maxsize=8192)
def _is_usable_id(resource_id: str) -> bool:
    return names.is_lower_camel_case(resource_id) and resource_id not in names.RESERVED_WORDS


@lru_cache(maxsize=8192)
def _kind_name(resource: Resource) -> tuple[str, str] | None:
    api_version, kind = (text_of(field(resource.object, name)) for name in ("apiVersion", "kind"))
    if not api_version or not kind or not names.is_template_kind(kind):
        return None
    if api_version.count("/") > 1 or "${" in api_version:
        return None
    return api_version, kind


def _repeated_ids(rgd: ResourceGraphDefinition) -> frozenset[str]:
    counts = Counter(placed.resource.id for placed in rgd.resources)
    return frozenset(name for name, count in counts.items() if name is not None and count > 1)


def _misspells_resources(rgd: ResourceGraphDefinition) -> bool:
    """Whether the resources stand under an unknown key, so that all their ids are missing."""
    return misspelling(field(rgd.frame.chunk.root, "spec"), "resources", SPEC.properties) is not None
