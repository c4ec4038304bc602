"""What the check of one part depends on beyond the part itself; its findings stand as long as this is equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.candidates import NO_CANDIDATES, Candidates

if TYPE_CHECKING:
    from kro_ls.analysis.types.variables import Binding
    from kro_ls.openapi.kinds import GroupVersionKind, KindSchema
    from kro_ls.openapi.sources.bundled import Lifetime


class Scope(Struct, frozen=True, gc=False):
    """The surroundings of one part, reduced to what can change its findings.

    `resource_ids` are the ids of resources among the names that the part uses or declares. `candidates` are all ids,
    for suggestions, given only to parts that use a name nothing declares. `anonymous_resources` tells that the id of
    some resource is missing, unusable or taken: a name may then mean that resource; it is told to parts that use a name
    nothing declares, or their own.
    `omit_enabled` tells that the cluster's feature gate for omit() is on. `bindings` are the types of the names that
    the part uses, as far as the RGD declares them; of the instance, the fields that it reads. `kind` is that of a
    resource's object, None where it is unknown. `schema_damaged` tells that YAML cannot read all of `spec.schema`, so
    that a field which the part reads may be missing; it is told to parts that read one which is. `resources_unfinished`
    tells that there are no resources, or one without a kind; it is told to a status that uses a name nothing declares.
    """

    resource_ids: frozenset[str] = frozenset()
    candidates: Candidates = NO_CANDIDATES
    anonymous_resources: bool = False
    cluster_scoped: bool = False
    omit_enabled: bool = False
    bindings: tuple[tuple[str, Binding], ...] = ()
    kind: KindSchema | None = None
    schema_damaged: bool = False
    resources_unfinished: bool = False


class MissingKind(Struct, frozen=True, gc=False):
    """A kind that no source has. `is_kubernetes`: its group and version are Kubernetes' own, so it does not exist.

    `similar` are kinds that may be meant; `lifetime` tells of a kind that other versions of Kubernetes have.
    """

    api_version: str
    kind: str
    is_kubernetes: bool
    similar: tuple[GroupVersionKind, ...]
    lifetime: Lifetime | None
