"""Definitions in other files that declare the same kinds or objects as those of a file, or use kinds in a circle."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING

from kro_ls.analysis.names.dependency_graph import knots
from kro_ls.rules.files.definitions_together import Elsewhere, KindElsewhere, ObjectElsewhere
from kro_ls.workspace.nearest import distance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.kind_schema import GroupVersionKind
    from kro_ls.workspace.generated_kinds import GeneratedKinds
    from kro_ls.workspace.kustomize import Kustomizations

_MOST_HOMES = 16
"""If more files declare a kind, they are copies, such as examples, and it is unclear which are applied."""
_MOST_FILES = 200
"""How many files are searched for a circle."""


def takers(path: str, kinds: GeneratedKinds, kustomizations: Kustomizations) -> Iterator[KindElsewhere]:
    """Yield the definitions of other files that declare a kind of the file at a path, and may be applied with it.

    That is certain if a kustomization builds both, and possible in a folder without one.
    """
    for kind in dict.fromkeys(kinds.declared.get(path, ())):
        for other in _declaring(kind, kinds):
            together = other != path and _together(path, other, kustomizations)
            for use in kinds.uses_in(other) if together is not False else ():
                if use.name and use.declared and _same_kind(use.declared, kind):
                    yield KindElsewhere(kind.group, kind.kind, (Elsewhere(use.name, other),), is_sure=together is True)


def makers(path: str, kinds: GeneratedKinds, kustomizations: Kustomizations) -> Iterator[ObjectElsewhere]:
    """Yield the objects of other files that have the name of one in the file at a path, and may be applied with it.

    Most files have no literal names, or unique ones; nothing is parsed for them.
    """
    for other in kinds.sharing_names(path, _MOST_HOMES):
        together = _together(path, other, kustomizations)
        for use in kinds.uses_in(other) if together is not False else ():
            for claim in use.claims if use.name else ():
                is_sure = together is True and not claim.conditions
                yield ObjectElsewhere(claim.identity, Elsewhere(use.name or "", other), is_sure)


def _declaring(kind: GroupVersionKind, kinds: GeneratedKinds) -> list[str]:
    """Return the files that declare a kind in any version, because only one definition can own its CRD."""
    names = (name for name in kinds.named(kind.kind) if name.group == kind.group)
    homes = {home for name in names for home in islice(kinds.homes(name), _MOST_HOMES + 1)}
    return sorted(homes) if len(homes) <= _MOST_HOMES else []


def _same_kind(one: GroupVersionKind, other: GroupVersionKind) -> bool:
    return (one.group, one.kind) == (other.group, other.kind)


def _together(path: str, other: str, kustomizations: Kustomizations) -> bool | None:
    """Whether two files are applied together, None if that is possible."""
    built = kustomizations.build_together(path, other)
    if built is None and os.path.dirname(path) != os.path.dirname(other):
        return False
    return built


def circles_through(path: str, kinds: GeneratedKinds) -> Iterator[KindElsewhere]:
    """Yield the kinds of the file at a path that are in a circle with kinds of other files.

    If several files declare a kind, the nearest applies. Most files use no kind of another one, so nothing is parsed.
    """
    near = kinds.tangled_with(path, _MOST_HOMES)
    if not 2 <= len(near) <= _MOST_FILES:
        return
    uses = {(each, use.declared): use for each in near for use in kinds.uses_in(each) if use.declared}
    targets = {
        node: [target for kind in use.used if (target := _nearest(node[0], kind, kinds)) in uses]
        for node, use in uses.items()
    }
    for circle in knots(targets):
        names = ((uses[node].name, node[0]) for node in sorted(circle, key=str) if node[0] != path)
        others = tuple(Elsewhere(name, home) for name, home in names if name)
        for home, kind in circle if others else ():
            if home == path:
                yield KindElsewhere(kind.group, kind.kind, others, is_sure=True)


def _nearest(path: str, kind: GroupVersionKind, kinds: GeneratedKinds) -> tuple[str, GroupVersionKind]:
    homes, folder = kinds.homes(kind), os.path.dirname(path)
    homes = homes if len(homes) <= _MOST_HOMES else ()
    return min(homes, key=lambda home: (home != path, distance(folder, home), home), default=""), kind
