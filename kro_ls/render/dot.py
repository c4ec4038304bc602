"""Dependency graphs in Graphviz's language.

Source: Graphviz documentation, "DOT Language".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import ResourceType
from kro_ls.printable import printable_lines
from kro_ls.render.graph_view import ARROWS, MARKS, Change, GroupBy, groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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


def render(views: tuple[GraphView, ...], group_by: GroupBy | None = None) -> str:
    """Return one graph; several definitions become a cluster each, and so does each group within them."""
    lines = ["digraph kro {", f"  // {ARROWS}", "  rankdir=TB"]
    for number, drawn in enumerate(views, 1):
        if len(views) == 1:
            lines += _statements(drawn, "", "cluster", group_by)
        else:
            name = f"cluster_{number}"
            title = drawn.name or f"definition {number}"
            lines += _cluster(name, title, _statements(drawn, f"{number}/", name, group_by))
    return "\n".join([*lines, "}"]) + "\n"


def _statements(drawn: GraphView, prefix: str, cluster: str, group_by: GroupBy | None) -> Iterator[str]:
    """Yield the lines of a definition: groups, nodes without a group, then the edges."""
    found, alone = groups(drawn, group_by)
    for number, (title, members) in enumerate(found.items(), 1):
        yield from _cluster(f"{cluster}_group_{number}", title, (_node(drawn, each, prefix) for each in members))
    yield from (_node(drawn, each, prefix) for each in alone)
    for edge in drawn.edges():
        marks = f" [{', '.join(marks)}]" if (marks := _marks(edge)) else ""
        yield f"  {_quote(prefix + edge.need)} -> {_quote(prefix + edge.resource)}{marks}"


def _cluster(name: str, title: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"  subgraph {name} {{"
    yield f"    label={_quote(title)}"
    yield from (f"  {line}" for line in lines)
    yield "  }"


def _node(drawn: GraphView, resource: DrawnResource, prefix: str) -> str:
    change = drawn.change(resource.id)
    attributes = [
        f"label={_label(resource, change)}",
        f"shape={_SHAPES[resource.type]}",
        *(_STYLES[change] if change else ()),
    ]
    return f"  {_quote(prefix + resource.id)} [{', '.join(attributes)}]"


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
