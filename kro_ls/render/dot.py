"""Dependency graphs in Graphviz's language.

Source: Graphviz documentation, "DOT Language".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import ResourceType
from kro_ls.printable import printable_lines
from kro_ls.render.graph_view import view

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.render.graph_view import DrawnResource, GraphView

_SHAPES = {
    ResourceType.RESOURCE: "box",
    ResourceType.COLLECTION: "box3d",
    ResourceType.EXTERNAL: "oval",
    ResourceType.EXTERNAL_COLLECTION: "cylinder",
}


def render(definitions: tuple[RgdAnalysis, ...]) -> str:
    """Return one graph; several definitions become a cluster each."""
    views = [view(definition) for definition in definitions]
    lines = ["digraph kro {", "  rankdir=BT"]
    for number, drawn in enumerate(views, 1):
        if len(views) == 1:
            lines += [f"  {statement}" for statement in _statements(drawn, "")]
        else:
            title = _quote(drawn.name or f"definition {number}")
            statements = [f"    {statement}" for statement in _statements(drawn, f"{number}/")]
            lines += [f"  subgraph cluster_{number} {{", f"    label={title}", *statements, "  }"]
    return "\n".join([*lines, "}"]) + "\n"


def _statements(drawn: GraphView, prefix: str) -> Iterator[str]:
    for resource in drawn.resources:
        yield f"{_quote(prefix + resource.id)} [label={_label(resource)}, shape={_SHAPES[resource.type]}]"
    for resource in drawn.resources:
        for need in resource.dependencies:
            marks = " [label=cycle, color=red, style=dashed]" if (resource.id, need) in drawn.cyclic_edges else ""
            yield f"{_quote(prefix + resource.id)} -> {_quote(prefix + need)}{marks}"


def _label(resource: DrawnResource) -> str:
    return _quote(f"{resource.id}\n{resource.kind}" if resource.kind else resource.id)


def _quote(text: str) -> str:
    escaped = printable_lines(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
