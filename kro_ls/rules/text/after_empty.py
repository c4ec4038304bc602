"""Unknown fields after a field without a value: they belong to it, and one of the lines is in the wrong column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.yaml_positions.access import entries, is_null, node_at

if TYPE_CHECKING:
    from collections.abc import Container

    from kro_ls.analysis.model.paths import Path
    from kro_ls.yaml_positions.nodes import Node


def is_reported(root: Node | None, path: Path, unknown: Container[Path], empty: Container[Path]) -> bool:
    """Whether an unknown field need not be reported, because an earlier field below the same empty one is.

    `unknown` are the paths of all unknown fields, `empty` those of fields that are reported as empty.
    """
    above = path[:-1]
    siblings = entries(node_at(root, above))
    number = next((number for number, each in enumerate(siblings) if each.name == path[-1]), 0)
    is_first = True
    for name, value in ((each.name, each.value) for each in reversed(siblings[:number])):
        before = (*above, name or "")
        if is_null(value):
            return not is_first or before in unknown or before in empty
        if before not in unknown:
            return False
        is_first = False
    return False
