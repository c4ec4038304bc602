"""Dependency graphs in Graphviz's language.

Source: Graphviz documentation, "DOT Language".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import ResourceType
from kro_ls.printable import printable_lines
from kro_ls.render.graph_view import ARROWS, MARKS, Change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.render.graph_view import DrawnResource, Edge, GraphView

_SHAPES = {
    ResourceType.RESOURCE: "box",
    ResourceType.COLLECTION: "box3d",
    ResourceType.EXTERNAL: "oval",
    ResourceType.EXTERNAL_COLLECTION: "cylinder",
}
_STYLES = {
    Change.ADDED: ["color=green4", "penwidth=2"],
    Change.CHANGED: ["color=darkorange3", "penwidth=2"],
    Change.REMOVED: ["color=firebrick", "fontcolor=firebrick", "style=dashed"],
}


def render(views: tuple[GraphView, ...]) -> str:
    """Return one graph; several definitions become a cluster each."""
    lines = ["digraph kro {", f"  // {ARROWS}", "  rankdir=TB"]
    for number, drawn in enumerate(views, 1):
        if len(views) == 1:
            lines += [f"  {statement}" for statement in _statements(drawn, "")]
        else:
            title = _quote(drawn.name or f"definition {number}")
            statements = [f"    {statement}" for statement in _statements(drawn, f"{number}/")]
            lines += [f"  subgraph cluster_{number} {{", f"    label={title}", *statements, "  }"]
    return "\n".join([*lines, "}"]) + "\n"


def _statements(drawn: GraphView, prefix: str) -> Iterator[str]:
    for resource in drawn.shown:
        change = drawn.change(resource.id)
        attributes = [
            f"label={_label(resource, change)}",
            f"shape={_SHAPES[resource.type]}",
            *(_STYLES[change] if change else ()),
        ]
        yield f"{_quote(prefix + resource.id)} [{', '.join(attributes)}]"
    for edge in drawn.edges():
        marks = f" [{', '.join(marks)}]" if (marks := _marks(edge)) else ""
        yield f"{_quote(prefix + edge.need)} -> {_quote(prefix + edge.resource)}{marks}"


def _marks(edge: Edge) -> list[str]:
    if edge.is_cyclic:
        return ["label=cycle", "color=red", "style=dashed"]
    return [f"label={edge.change.value}", *_STYLES[edge.change]] if edge.change else []


def _label(resource: DrawnResource, change: Change | None) -> str:
    id_ = f"{MARKS[change]} {resource.id}" if change else resource.id
    return _quote(f"{id_}\n{resource.kind}" if resource.kind else id_)


def _quote(text: str) -> str:
    escaped = printable_lines(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
