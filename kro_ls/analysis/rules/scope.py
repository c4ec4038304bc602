"""What the check of one part depends on beyond the part itself; the key under which its findings are remembered."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """The surroundings of one part, reduced to what can change its findings.

    `resource_ids` are the ids of resources among the names that the part uses or declares. `candidates` are all ids,
    for suggestions, given only to parts that use a name nothing declares. `anonymous_resources` tells that the id of some
    resource is missing, unusable or taken: a name may then mean that resource.
    `omit_enabled` tells that the cluster's feature gate for omit() is on.
    """

    resource_ids: frozenset[str] = frozenset()
    candidates: tuple[str, ...] = ()
    anonymous_resources: bool = False
    cluster_scoped: bool = False
    omit_enabled: bool = False
