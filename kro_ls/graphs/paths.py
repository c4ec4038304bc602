"""Where in a Graph of kro 0.10 a path of its document leads: child graphs are like the Graph itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.kro.definition_form import GRAPH_FORM

if TYPE_CHECKING:
    from kro_ls.analysis.model.paths import Path

_NODES: Final = ("spec", GRAPH_FORM.items)
_CHILD = ("graph", "nodes")


def in_frame(path: Path) -> tuple[int, Path]:
    """Return a path as it is in the innermost graph that it leads into, and how much longer the whole path is."""
    left_out = 0
    while path[:2] == _NODES and path[3:5] == _CHILD:
        path = (*_NODES, *path[5:])
        left_out += 3
    return left_out, path
