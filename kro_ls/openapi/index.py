"""Finds kinds in all sources: Kubernetes itself, and CustomResourceDefinitions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from msgspec import Struct

from kro_ls.openapi.kind_schema import GroupVersionKind, Trust, is_kubernetes_like, newest_first
from kro_ls.openapi.sources.bundled import OBJECT_META
from kro_ls.queries.cells import cached_attribute
from kro_ls.spelling import Spellings, all_similar, is_similar, similar_among

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import Choice, KindSchema
    from kro_ls.openapi.sources.bundled import Lifetime
    from kro_ls.queries.cells import Cells


_MOST_SIMILAR = 3
_MOST_CACHED = 4096
_MOST_AKIN = 16
_WORD = r"[A-Z]+(?![a-z])\d*|[A-Z]?[^A-Z]+"


class SchemaSource(Protocol):
    """A source of kinds."""

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """Return the kind, if this source has it."""

    def names(self) -> Iterable[GroupVersionKind]:
        """Return every kind of this source."""


class GeneralSource(SchemaSource, Protocol):
    """A source that is independent of the workspace."""

    def declares(self, group: str, kind: str) -> bool:
        """Whether it has the kind in any version, so that no source after it is asked."""


@runtime_checkable
class InstanceSource(Protocol):
    """A source that distinguishes the kinds that RGDs declare."""

    def instances(self) -> Iterable[GroupVersionKind]:
        """Return these kinds."""


@runtime_checkable
class ChoosingSource(Protocol):
    """A source that chooses between several definitions of a kind."""

    def choice(self, name: GroupVersionKind) -> Choice | None:
        """Return the definitions, None where there are not several."""


class KubernetesSource(SchemaSource, Protocol):
    """A source of Kubernetes' own kinds: `bundled.BundledKubernetes` or `dump.DumpedKubernetes`."""

    def __hash__(self) -> int:
        """Return a hash: sources are compared by identity."""

    def has_group_version(self, group: str, version: str) -> bool:
        """Whether Kubernetes serves anything in that version of that group."""

    def lifetime(self, name: GroupVersionKind) -> Lifetime | None:
        """Return when Kubernetes added and removed a kind, where that is known."""

    def definition(self, name: str) -> JsonObject:
        """Return a definition by its full name, without any `$ref`. Raises KeyError."""


class _AkinKinds(Struct, frozen=True):
    """The kinds of some groups, sorted as all kinds are, and their names for searching."""

    kinds: tuple[GroupVersionKind, ...]
    spellings: Spellings


class SchemaIndex:
    """Finds kinds. Kubernetes' own come first, because no CustomResourceDefinition can replace them in a cluster."""

    def __init__(
        self, kubernetes: KubernetesSource, custom: Sequence[SchemaSource] = (), general: Sequence[GeneralSource] = ()
    ) -> None:
        """`custom` are sources of further kinds, such as `crds.CrdSource`; the first that has a kind wins.

        `general` are sources independent of the workspace, such as `pack.reading.Pack`. They are asked last, each only
        for kinds that no source before it has in any version: the source with a kind has all its versions.
        """
        self._kubernetes = kubernetes
        self._own: tuple[SchemaSource, ...] = (kubernetes, *custom)
        self._general = tuple(general)
        self._least_trust = min(Trust)
        self._by_trust: dict[Trust, SchemaIndex] = {}
        self._similar: dict[GroupVersionKind, tuple[GroupVersionKind, ...]] = {}
        self._akin_kinds: dict[frozenset[str], _AkinKinds] = {}
        self.cells: Cells = {}

    @property
    def object_meta(self) -> JsonObject:
        """The schema of the `metadata` of every object."""
        return self._kubernetes.definition(OBJECT_META)

    def find(self, group: str, version: str, kind: str) -> KindSchema | None:
        """Return the kind, None where no source has it. The core group is the empty string."""
        name = GroupVersionKind(group, version, kind)
        for source in self._own:
            found = source.find(name)
            if found is not None:
                return found
        if not self._general or (group, kind) in self._declared:
            return None
        general = next((each for each in self._general if each.declares(group, kind)), None)
        found = general.find(name) if general is not None else None
        return found if found is not None and found.trust >= self._least_trust else None

    def with_trust(self, least: Trust) -> SchemaIndex:
        """Return an index without kinds of less trust, the same one each time."""
        found = self._by_trust.get(least)
        if found is None:
            found = SchemaIndex(self._kubernetes, self._own[1:], self._general)
            found._least_trust = least
            found = self._by_trust.setdefault(least, found)
        return found

    def find_api_version(self, api_version: str, kind: str) -> KindSchema | None:
        """Return the kind that an object names by `apiVersion` (`apps/v1`, `v1`) and `kind`."""
        group, _, version = api_version.rpartition("/")
        return self.find(group, version, kind)

    def choice(self, name: GroupVersionKind) -> Choice | None:
        """Return the definitions of a kind that several files declare; None for any other."""
        if self._kubernetes.find(name) is not None:
            return None
        found = (each.choice(name) for each in self._own if isinstance(each, ChoosingSource))
        return next((each for each in found if each is not None), None)

    def kinds(self) -> tuple[GroupVersionKind, ...]:
        """Return every kind once, sorted by kind, then group, then version, the best version first."""
        return self._kinds

    def versions(self, group: str, kind: str) -> tuple[GroupVersionKind, ...]:
        """Return the versions of a kind, the best one first."""
        return tuple(each for each in self._by_kind.get(kind.lower(), ()) if (each.group, each.kind) == (group, kind))

    def knows(self, group: str, kind: str) -> bool:
        """Whether a source has a kind in any version, even one that is no longer served: cheap."""
        return (group, kind) in self._declared or any(each.declares(group, kind) for each in self._general)

    def is_declared(self, name: GroupVersionKind) -> bool:
        """Whether Kubernetes, the workspace or the settings declare a kind, in any version."""
        return (name.group, name.kind) in self._declared

    @cached_attribute
    def instance_kinds(self) -> tuple[GroupVersionKind, ...]:
        """The kinds that RGDs declare, sorted: their objects are instances."""
        names = {name for source in self._own if isinstance(source, InstanceSource) for name in source.instances()}
        return tuple(sorted(names, key=_order))

    @cached_attribute
    def _kinds(self) -> tuple[GroupVersionKind, ...]:
        names = {name for source in self._own for name in source.names()}
        declared = set(self._declared)
        for source in self._general:
            found = [name for name in source.names() if (name.group, name.kind) not in declared]
            names.update(found)
            declared.update((name.group, name.kind) for name in found)
        return tuple(sorted(names, key=_order))

    @cached_attribute
    def _declared(self) -> frozenset[tuple[str, str]]:
        """The groups and kinds of the sources that are asked before the general ones."""
        return frozenset((name.group, name.kind) for source in self._own for name in source.names())

    def is_kubernetes_group(self, group: str, version: str) -> bool:
        """Whether a group in that version is Kubernetes' own, so that a kind missing from it does not exist.

        A CustomResourceDefinition needs a group with a dot: one without is Kubernetes' own in every version.
        """
        return "." not in group or self._kubernetes.has_group_version(group, version)

    def lifetime(self, group: str, version: str, kind: str) -> Lifetime | None:
        """Return when Kubernetes added and removed a kind, for kinds that came or went in a known minor."""
        return self._kubernetes.lifetime(GroupVersionKind(group, version, kind))

    def similar(self, group: str, version: str, kind: str) -> tuple[GroupVersionKind, ...]:
        """Return the kinds that may have been meant, best first, at most three.

        The same kind in other groups and versions comes before similar names in this group, and those before similar
        ones in a group that is easily mistaken for it; elsewhere, similar names mean nothing. A group that is not
        Kubernetes' own was meant, or one that looks like it: a Service of a cloud is no core Service.
        """
        wanted = GroupVersionKind(group, version, kind)
        found = self._similar.get(wanted)
        if found is None:
            if len(self._similar) >= _MOST_CACHED:
                self._similar.clear()
            found = self._similar[wanted] = tuple(dict.fromkeys(self._candidates(wanted)))[:_MOST_SIMILAR]
        return found  # not from the cache, which another thread may have emptied

    def _candidates(self, wanted: GroupVersionKind) -> Iterator[GroupVersionKind]:
        group, version, kind = wanted.group, wanted.version, wanted.kind
        same = [name for name in self._by_kind.get(kind.lower(), ()) if name != wanted]
        akin_groups = self._akin_groups(group)
        if not is_kubernetes_like(group):
            same = [name for name in same if name.group == group or name.group in akin_groups]
        yield from sorted(same, key=lambda name: (name.group != group, name.kind != kind))
        near = [name.kind for name in self._by_group.get(group, ()) if name.version == version and name != wanted]
        for close in _similar_kinds(kind, Spellings(tuple(near))):
            yield GroupVersionKind(group, version, close)
        akin = self._akin(akin_groups)
        for close in _similar_kinds(kind, akin.spellings):
            yield from (name for name in akin.kinds if name.kind == close and name != wanted)

    def _akin_groups(self, group: str) -> frozenset[str]:
        """Return the groups that are easily mistaken for one: those of Kubernetes for each other, and similar ones."""
        own = frozenset(filter(is_kubernetes_like, self._by_group)) if is_kubernetes_like(group) else frozenset()
        return own | all_similar(group, self._groups)

    def _akin(self, groups: frozenset[str]) -> _AkinKinds:
        """Return the kinds of some groups."""
        found = self._akin_kinds.get(groups)
        if found is None:
            if len(self._akin_kinds) >= _MOST_AKIN:
                self._akin_kinds.clear()
            kinds = tuple(name for name in self._kinds if name.group in groups)
            found = _AkinKinds(kinds, Spellings(tuple(dict.fromkeys(name.kind for name in kinds))))
            self._akin_kinds[groups] = found
        return found

    @cached_attribute
    def _by_kind(self) -> dict[str, list[GroupVersionKind]]:
        """The kinds by their names in lower case."""
        found: dict[str, list[GroupVersionKind]] = {}
        for name in self._kinds:
            found.setdefault(name.kind.lower(), []).append(name)
        return found

    @cached_attribute
    def _groups(self) -> Spellings:
        return Spellings(tuple(self._by_group))

    @cached_attribute
    def _by_group(self) -> dict[str, list[GroupVersionKind]]:
        found: dict[str, list[GroupVersionKind]] = {}
        for name in self._kinds:
            found.setdefault(name.group, []).append(name)
        return found


def _order(name: GroupVersionKind) -> tuple[object, ...]:
    """Sorts kinds by kind, then group, then version, the best version first."""
    return name.kind, name.group, newest_first(name.version)


def _similar_kinds(kind: str, known: Spellings) -> Iterator[str]:
    """Yield the kinds that a misspelt name may mean.

    Common words do not make two names similar: an SQSController is no misspelt EKSController.
    """
    for close in similar_among(kind, known):
        own, other = re.findall(_WORD, kind), re.findall(_WORD, close)
        while own and other and own[-1] == other[-1]:
            own, other = own[:-1], other[:-1]
        while own and other and own[0] == other[0]:
            own, other = own[1:], other[1:]
        if not own or not other or is_similar("".join(own), "".join(other)):
            yield close
