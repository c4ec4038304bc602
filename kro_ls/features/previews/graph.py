"""The dependency graph of a definition, for clients that draw it themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.features.previews.refused import state_of
from kro_ls.features.previews.views import nodes_of
from kro_ls.render.graph_changes import compared, previous_definition
from kro_ls.render.graph_json import graph_data
from kro_ls.render.graph_view import view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.features.previews.preview import Preview
    from kro_ls.render.page_data import Graph, NodeState
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.positions import Position


def graph_answer(
    document: Document,
    number: int,
    *,
    with_fields: bool,
    preview: Preview | None,
    before: Sequence[RgdAnalysis] | None = None,
) -> Graph:
    """Return the graph of a document's definition; with a preview also the state of its instance.

    `before` are the definitions of a previous version of the document, to compare with.
    """

    def position(offset: int) -> Position:
        return document.text.encoded_position(offset, document.encoding)

    rgds = document.analysis.rgds
    drawn = view(rgds[number])
    if before is not None:
        drawn = compared(drawn, previous_definition(number, rgds, before))
    answer: Graph = {
        "uri": document.uri,
        "version": document.version,
        "definition": number,
        "definitions": [each.rgd.name for each in rgds],
        **graph_data(drawn, document.diagnosis.diagnostics, position, with_fields=with_fields),
    }
    if preview:
        answer["instance"] = {
            "uri": preview.instance.uri,
            "label": preview.instance.label,
            "state": state_of(preview),
            "errors": len(preview.errors),
            "refusals": list(preview.refusals),
            "nodes": _states(preview),
        }
    return answer


def _states(preview: Preview) -> list[NodeState]:
    """Return the state of each resource; nothing is ever ready in a definition that kro refuses."""
    found = nodes_of(preview)
    for each in found if preview.errors else ():
        if each["state"] in ("ready", "waiting", "pending"):
            each["state"] = "refused"
    return found
