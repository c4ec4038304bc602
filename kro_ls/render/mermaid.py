"""Dependency graphs as Mermaid flowcharts.

Source: Mermaid documentation, "Flowcharts - Basic Syntax".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import ResourceType
from kro_ls.printable import printable
from kro_ls.render.graph_view import view

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.render.graph_view import DrawnResource, GraphView

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


def render(definitions: tuple[RgdAnalysis, ...]) -> str:
    """Return one flowchart; several definitions become a subgraph each."""
    views = [view(definition) for definition in definitions]
    lines = ["flowchart BT"]
    edges: list[tuple[str, str, bool]] = []
    for number, drawn in enumerate(views, 1):
        prefix = f"g{number}_" if len(views) > 1 else ""
        names = _names(drawn, prefix)
        nodes = [f"  {names[resource.id]}{_label(resource)}" for resource in drawn.resources]
        if prefix:
            title = _escape(drawn.name or f"definition {number}")
            nodes = [f'  subgraph {prefix[:-1]}["{title}"]', *(f"  {node}" for node in nodes), "  end"]
        lines += nodes
        edges += [
            (names[resource.id], names[need], (resource.id, need) in drawn.cyclic_edges)
            for resource in drawn.resources
            for need in resource.dependencies
        ]
    lines += [f"  {tail} {'-. cycle .->' if cyclic else '-->'} {head}" for tail, head, cyclic in edges]
    marked = [str(number) for number, (_, _, cyclic) in enumerate(edges) if cyclic]
    if marked:
        lines.append(f"  linkStyle {','.join(marked)} stroke:red")
    return "\n".join(lines) + "\n"


def _names(drawn: GraphView, prefix: str) -> dict[str, str]:
    """Return a name for each resource that Mermaid can read: the id itself where that will do."""
    return {
        resource.id: prefix + resource.id
        if _PLAIN.fullmatch(resource.id) and resource.id not in _KEYWORDS
        else f"{prefix}resource_{number}"
        for number, resource in enumerate(drawn.resources, 1)
    }


def _label(resource: DrawnResource) -> str:
    opening, closing = _SHAPES[resource.type]
    kind = f"<br/>{_escape(resource.kind)}" if resource.kind else ""
    return f"{opening}{_escape(resource.id)}{kind}{closing}"


def _escape(text: str) -> str:
    return printable(text.translate(_ESCAPES))
