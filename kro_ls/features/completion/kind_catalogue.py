"""The kinds and versions that can be offered, in an order that does not depend on what is in use.

There may be thousands, and each key stroke needs a list, so whatever does not depend on the place is computed once per
index.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.features.completion.skeletons import rank
from kro_ls.openapi.kind_schema import newest_first
from kro_ls.queries.cells import cached

if TYPE_CHECKING:
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind

_USUAL_GROUPS = ("", "apps", "batch", "networking.k8s.io", "rbac.authorization.k8s.io", "autoscaling", "policy")
"""Kubernetes' groups that most graphs are made of, those first that most are."""

_QUESTION_GROUPS = frozenset({"authentication.k8s.io", "authorization.k8s.io"})
"""Their kinds ask the API server something and are not stored, so no graph creates them."""

_OF_CONTROLLERS = frozenset(
    {
        *("Binding", "ComponentStatus", "ControllerRevision", "Endpoints", "Event", "IPAddress", "Node", "PodTemplate"),
        *("ReplicaSet", "ReplicationController"),
    }
)
"""Kinds of the usual groups that people hardly ever write themselves."""

_USUAL, _DECLARED, _KUBERNETES, _KNOWN = range(4)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")


class Entry(Struct, frozen=True):
    """A kind, or one kind of a version, and how its name or version is found by some of its letters.

    `is_seldom` marks kinds that people leave to controllers.
    """

    name: GroupVersionKind
    text: str
    lower: str
    starts: tuple[int, ...]
    initials: str
    is_seldom: bool


class Catalogue(Struct, frozen=True):
    """What an index has: the best version of each kind, the kinds of each `apiVersion`, and one kind of each of these.

    Kubernetes' usual groups come first, then what the workspace and the settings declare, Kubernetes' other groups,
    and all that is known besides; of each of these the best versions of all groups come
    before others.
    """

    kinds: tuple[Entry, ...]
    by_version: dict[str, tuple[Entry, ...]]
    versions: tuple[Entry, ...]


@cached
def catalogue(schemas: SchemaIndex) -> Catalogue:
    """Return the catalogue of an index."""
    offered = [name for name in schemas.kinds() if name.group not in _QUESTION_GROUPS]
    tiers = {name: _tier(schemas, name) for name in offered}
    ordered = sorted(offered, key=lambda name: (tiers[name], rank(name)))
    best: dict[tuple[str, str], GroupVersionKind] = {}
    by_version: dict[str, list[Entry]] = {}
    for name in ordered:
        best.setdefault((name.group, name.kind), name)
        by_version.setdefault(name.api_version, []).append(entry_of(name, name.kind))
    one_of_each = [entries[0].name for entries in by_version.values()]
    return Catalogue(
        tuple(entry_of(name, name.kind) for name in best.values()),
        {version: tuple(entries) for version, entries in by_version.items()},
        tuple(entry_of(name, name.api_version) for name in _ordered_versions(one_of_each, tiers)),
    )


def _tier(schemas: SchemaIndex, name: GroupVersionKind) -> int:
    """Return how far from what people usually write a kind is."""
    if name.group in _USUAL_GROUPS:
        return _KUBERNETES if _is_seldom(name) else _USUAL
    if not schemas.is_declared(name):
        return _KNOWN
    return _KUBERNETES if schemas.is_kubernetes_group(name.group, name.version) else _DECLARED


def _ordered_versions(names: list[GroupVersionKind], tiers: dict[GroupVersionKind, int]) -> list[GroupVersionKind]:
    """Return one kind of each version in the order in which versions are offered."""
    newest = {name: newest_first(name.version) for name in names}
    best: dict[str, GroupVersionKind] = {}
    for name in sorted(names, key=lambda each: newest[each]):
        best.setdefault(name.group, name)
    place = {group: number for number, group in enumerate(_USUAL_GROUPS)}

    def order(name: GroupVersionKind) -> tuple[object, ...]:
        tier = _USUAL if name.group in place else tiers[name]
        return tier, best[name.group] != name, place.get(name.group, len(place)), name.group, newest[name]

    return sorted(names, key=order)


@lru_cache(maxsize=8192)  # a change of the workspace's kinds makes a new index, of mostly the same kinds
def entry_of(name: GroupVersionKind, text: str) -> Entry:
    """Return what a kind is found by under its own name or that of its version."""
    starts = tuple(found.start() for found in _WORD.finditer(text))
    lower = text.lower()
    return Entry(name, text, lower, starts, "".join(lower[start] for start in starts), _is_seldom(name))


def _is_seldom(name: GroupVersionKind) -> bool:
    return name.group in _USUAL_GROUPS and name.kind in _OF_CONTROLLERS
