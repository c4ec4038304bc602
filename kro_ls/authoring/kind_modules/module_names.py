"""The names of the modules of groups and versions in Python, and the kinds in each."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from kro_ls.openapi.sources.bundled import kubernetes

if TYPE_CHECKING:
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind

PACKAGE: Final = "kro_ls.authoring.kinds"


class ModuleName(NamedTuple):
    """A module of kinds: those of a group in one version."""

    group: str
    version: str

    def __str__(self) -> str:
        return f"{PACKAGE}.{self.group}.{self.version}"

    @property
    def alias(self) -> str:
        """What other modules call it."""
        return f"{self.group}_{self.version}"


META: Final = ModuleName("meta", "v1")
"""Where Kubernetes has what all kinds share, such as ObjectMeta."""


def group_module(group: str) -> str:
    """Return the name of a group's package.

    Kubernetes' own groups have the name that its Go packages have, the first word of the group: `core`, `apps`,
    `networking`, `rbac`. Any other group has its whole name: `cert_manager_io`.
    """
    if not group:
        return "core"
    if group in _own_groups():
        return identifier(group.partition(".")[0])
    return identifier(group)


def module_name(kind: GroupVersionKind) -> ModuleName:
    """Return the module that a kind is in."""
    return ModuleName(group_module(kind.group), identifier(kind.version))


def identifier(text: str) -> str:
    """Return a text with `_` for what a Python name cannot have."""
    name = re.sub(r"\W", "_", text)
    return f"_{name}" if name[:1].isdigit() else name


@lru_cache(maxsize=4)  # as many as there are folders that a process works in
def kinds_by_module(index: SchemaIndex) -> dict[ModuleName, dict[str, GroupVersionKind]]:
    """Return the kinds of each module by name; of two groups with one name in Python, the first one's count."""
    found: dict[ModuleName, dict[str, GroupVersionKind]] = {}
    for kind in index.kinds():
        found.setdefault(module_name(kind), {}).setdefault(kind.kind, kind)
    return found


@lru_cache(maxsize=1)  # built once, from the package
def _own_groups() -> frozenset[str]:
    """The groups of the newest Kubernetes, so that names do not depend on the version that is set."""
    return frozenset(name.group for name in kubernetes().names())
