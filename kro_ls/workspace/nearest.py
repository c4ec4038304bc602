"""Which of several definitions of a kind applies to a file: the nearest one in the tree of folders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from kro_ls.openapi.kind_schema import Choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
    from kro_ls.openapi.sources.crds.source import CrdSource

MOST_CANDIDATES = 4
"""How many definitions of a kind are considered; with more it is unclear which one is in the cluster."""


_Rank: TypeAlias = tuple[bool, bool, int, bool, str, int]
_REASONS = (
    "kro refuses the others",
    "in the same file",
    "the nearest in the tree of folders",
    "a definition comes before its CRD",
    "the first by its path",
)
"""Why a definition has precedence, by the part of the rank in which it differs from the next one."""


class DeclaredKinds(Protocol):
    """The kinds that RGDs declare, such as `generated_kinds.GeneratedKinds`."""

    def names(self) -> tuple[GroupVersionKind, ...]:
        """Every kind."""

    def homes(self, name: GroupVersionKind) -> Sequence[str]:
        """The paths of the texts that declare a kind."""

    def find_in(self, path: str, name: GroupVersionKind) -> KindSchema | None:
        """The kind as the text at a path declares it."""

    def others_in(self, path: str, name: GroupVersionKind) -> tuple[tuple[KindSchema, ...], str]:
        """The further definitions of a kind in the text at a path, and why `find_in` prefers its own."""

    def is_accepted(self, path: str) -> bool:
        """Whether kro accepts the text at a path."""


class NearestKinds:
    """The kinds of CRDs and RGDs as the files of a folder, or one of them, see them; a source of `SchemaIndex`.

    An RGD that kro refuses declares its kind only if nothing else does, and one has precedence over the CRD generated
    from it beside it. With a `rank`, the definition so many places after the first applies. `own` is the path of the
    file if that declares kinds itself.
    """

    def __init__(
        self, folder: str, crds: CrdSource, generated: DeclaredKinds, rank: int = 0, own: str | None = None
    ) -> None:
        self._folder = folder
        self._crds = crds
        self._generated = generated
        self._rank = rank
        self._own = own

    def names(self) -> tuple[GroupVersionKind, ...]:
        """Every kind that a CRD or an RGD declares."""
        return tuple(dict.fromkeys((*self._crds.names(), *self._generated.names())))

    def instances(self) -> tuple[GroupVersionKind, ...]:
        """Every kind that an RGD declares."""
        return self._generated.names()

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """The kind as its nearest definition has it."""
        ranked = self._ranked(name, self._rank + 1)
        return ranked[-1][1] if ranked else None

    def choice(self, name: GroupVersionKind) -> Choice | None:
        """The definitions of a kind in the order of precedence, None if there are not several."""
        ranked = self._ranked(name)
        if len(ranked) < 2:
            return None
        (first, chosen), (second, _) = ranked[0], ranked[1]
        reasons = (*_REASONS, self._generated.others_in(chosen.source, name)[1] if second[-1] else "")
        differing = next(
            (reason for reason, one, other in zip(reasons, first, second, strict=True) if one != other), ""
        )
        tied = sum(rank[:4] == first[:4] and not rank[-1] for rank, _ in ranked)
        return Choice(tuple(kind for _, kind in ranked), differing, tied)

    def _ranked(self, name: GroupVersionKind, most: int = MOST_CANDIDATES) -> list[tuple[_Rank, KindSchema]]:
        """Return the first definitions with their ranks.

        Whether kro accepts a definition takes a diagnosis, which is avoided if enough others precede it.
        """
        homes = self._homes(name)
        accepted: list[tuple[_Rank, KindSchema]] = []
        refused: list[tuple[_Rank, KindSchema]] = []
        for is_other, far, is_crd, path in homes:
            kinds = self._kinds_in(path, name, is_crd=is_crd)
            is_refused = bool(kinds) and not (is_crd or len(homes) == 1 or self._generated.is_accepted(path))
            ranked = refused if is_refused else accepted
            ranked += (((is_refused, is_other, far, is_crd, path, number), kind) for number, kind in enumerate(kinds))
            if len(accepted) >= most:
                break
        return [*accepted, *refused][:most]

    def _homes(self, name: GroupVersionKind) -> list[tuple[bool, int, bool, str]]:
        """Return the files that define a kind, the nearest first, each with the middle part of its rank."""
        sources = ((self._generated.homes(name), False), (self._crds.homes(name), True))
        homes = dict.fromkeys((path, is_crd) for paths, is_crd in sources for path in paths)
        return sorted((path != self._own, distance(self._folder, path), is_crd, path) for path, is_crd in homes)

    def _kinds_in(self, path: str, name: GroupVersionKind, *, is_crd: bool) -> tuple[KindSchema, ...]:
        kind = (self._crds if is_crd else self._generated).find_in(path, name)
        if kind is None:
            return ()
        return (kind,) if is_crd else (kind, *self._generated.others_in(path, name)[0])


def distance(folder: str, path: str) -> int:
    """Return how many folders one goes up and down from a folder to that of a file."""
    here, there = _steps(folder), _steps(path)[:-1]
    common = 0
    for step, other in zip(here, there, strict=False):
        if step != other:
            break
        common += 1
    return len(here) + len(there) - 2 * common


def _steps(path: str) -> list[str]:
    return [step for step in path.replace("\\", "/").split("/") if step]
