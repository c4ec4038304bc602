"""The known kinds by the modules that they are in."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from kro_ls.authoring.kind_modules.module_names import module_name

if TYPE_CHECKING:
    from kro_ls.authoring.kind_modules.module_names import ModuleName
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import GroupVersionKind


@lru_cache(maxsize=4)  # as many as there are folders that a process works in
def kinds_by_module(index: SchemaIndex) -> dict[ModuleName, dict[str, GroupVersionKind]]:
    """Return the kinds of each module by name; of two groups with one name in Python, the first one's count."""
    found: dict[ModuleName, dict[str, GroupVersionKind]] = {}
    for kind in index.kinds():
        found.setdefault(module_name(kind), {}).setdefault(kind.kind, kind)
    return found
