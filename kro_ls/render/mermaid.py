"""Dependency graphs as Mermaid flowcharts.

Source: Mermaid documentation, "Flowcharts - Basic Syntax".
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import ResourceType
from kro_ls.printable import printable
from kro_ls.render.graph_view import ARROWS, MARKS, Change, GroupBy, groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.render.graph_view import DrawnResource, Edge, GraphView

_SHAPES = {
    ResourceType.RESOURCE: ('["', '"]'),
    ResourceType.COLLECTION: ('[["', '"]]'),
    ResourceType.EXTERNAL: ('(["', '"])'),
    ResourceType.EXTERNAL_COLLECTION: ('[("', '")]'),
}
_KEYWORDS = frozenset(
    "call class classDef click default direction end flowchart graph href linkStyle style subgraph".split()
)
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]*", re.ASCII)
_ESCAPES = str.maketrans({"#": "#35;", "&": "#amp;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "`": "#96;", "\n": " "})


_COLORS = {Change.ADDED: "#1a7f37", Change.REMOVED: "#cf222e", Change.CHANGED: "#bc4c00"}


def render(views: tuple[GraphView, ...], group_by: GroupBy | None = None) -> str:
    """Return one flowchart; several definitions become a subgraph each, and so does each group within them."""
    lines = ["flowchart TB", f"  %% {ARROWS}"]
    edges: list[tuple[str, str, Edge]] = []
    for number, drawn in enumerate(views, 1):
        prefix = f"g{number}_" if len(views) > 1 else ""
        names = _names(drawn, prefix)
        nodes = _nodes(drawn, names, prefix, group_by)
        lines += _subgraph(prefix[:-1], drawn.name or f"definition {number}", nodes) if prefix else nodes
        edges += [(names[edge.need], names[edge.resource], edge) for edge in drawn.edges()]
    lines += [f"  {tail} {_arrow(edge)} {head}" for tail, head, edge in edges]
    colors: dict[str, list[str]] = {}
    for number, (_, _, edge) in enumerate(edges):
        color = "red" if edge.is_cyclic else _COLORS[edge.change] if edge.change else None
        if color:
            colors.setdefault(color, []).append(str(number))
    lines += [f"  linkStyle {','.join(numbers)} stroke:{color}" for color, numbers in colors.items()]
    used = {change for drawn in views if drawn.comparison for change in drawn.comparison.resources.values()}
    lines += [
        f"  classDef {change.value} stroke:{color},stroke-width:2px{',stroke-dasharray:5' * (change is Change.REMOVED)}"
        for change, color in _COLORS.items()
        if change in used
    ]
    return "\n".join(lines) + "\n"


def _nodes(drawn: GraphView, names: dict[str, str], prefix: str, group_by: GroupBy | None) -> list[str]:
    """Return the lines of a definition's nodes: groups first, then nodes without a group."""

    def lines(resources: Iterable[DrawnResource]) -> Iterator[str]:
        return (f"  {names[each.id]}{_label(each, drawn.change(each.id))}" for each in resources)

    found, alone = groups(drawn, group_by)
    subgraphs = (
        _subgraph(f"{prefix}group_{number}", title, lines(members))
        for number, (title, members) in enumerate(found.items(), 1)
    )
    return [*chain.from_iterable(subgraphs), *lines(alone)]


def _subgraph(name: str, title: str, lines: Iterable[str]) -> list[str]:
    return [f'  subgraph {name}["{_escape(title)}"]', *(f"  {line}" for line in lines), "  end"]


def _arrow(edge: Edge) -> str:
    if edge.is_cyclic:
        return "-. cycle .->"
    if edge.change is None:
        return "-->"
    return "-. removed .->" if edge.change is Change.REMOVED else f"-- {edge.change.value} -->"


def _names(drawn: GraphView, prefix: str) -> dict[str, str]:
    """Return a name that Mermaid can read for each resource: the id itself if possible."""
    return {
        resource.id: prefix + resource.id
        if _PLAIN.fullmatch(resource.id) and resource.id not in _KEYWORDS
        else f"{prefix}resource_{number}"
        for number, resource in enumerate(drawn.shown, 1)
    }


def _label(resource: DrawnResource, change: Change | None) -> str:
    opening, closing = _SHAPES[resource.type]
    kind = f"<br/>{_escape(resource.kind)}" if resource.kind else ""
    mark, style = (f"{MARKS[change]} ", f":::{change.value}") if change else ("", "")
    return f"{opening}{mark}{_escape(resource.id)}{kind}{closing}{style}"


def _escape(text: str) -> str:
    return printable(text.translate(_ESCAPES))
