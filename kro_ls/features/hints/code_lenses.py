"""Lenses over an RGD and over each of its resources, which tell of its preview and run it.

Editors draw a lens above its line. So one stands on the first line of the definition or the resource, which it then
does not cut in two. It is drawn without a title first; `resolve` gives it one, for the lenses that are on the screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec import Struct

from kro_ls.features.convert import Range, to_quick_range
from kro_ls.kro.versions.history import GRAPHS
from kro_ls.rules.refusals import refused_text
from kro_ls.runtime.reasons import phrase
from kro_ls.runtime.unfinished import missing_nodes
from kro_ls.yaml_positions.access import field
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from kro_ls.features.previews.preview import Preview
    from kro_ls.workspace.documents import Document

COMMAND = "kro.preview"


class CodeLens(Struct, frozen=True, gc=False):
    """LSP's `CodeLens`, of which a document has one for each resource; it is made and written many times as quickly."""

    range: Range
    data: dict[str, str | int]


def code_lenses(document: Document) -> list[CodeLens]:
    """Return the lenses without their commands. `data` are the arguments of the command."""
    lenses = []
    for number, rgd in enumerate(document.analysis.rgds):
        if rgd.rgd.is_graph and document.settings.version not in GRAPHS:
            continue
        arguments: dict[str, str | int] = {"uri": document.uri, "definition": number}
        root = rgd.rgd.frame.chunk.root
        start = rgd.rgd.frame.to_document(root.start) if root else rgd.rgd.document.start
        lenses.append(_lens(document, start, arguments))
        for placed, resource in rgd.resources.values():
            node = field(resource.node, "id")
            if node is not None and node is resource.id_node:
                start = placed.to_document(resource.node.start)
                lenses.append(_lens(document, start, {**arguments, "resource": resource.id}))
    return lenses


def _lens(document: Document, start: int, data: dict[str, str | int]) -> CodeLens:
    return CodeLens(to_quick_range(document, Span(start, start)), data)


def place_of(lens: types.CodeLens) -> tuple[str, int]:
    """Return the URI of a lens's document, and the place of its definition in it; an empty URI for a foreign lens."""
    data = lens.data if isinstance(lens.data, dict) else {}
    uri, number = data.get("uri"), data.get("definition")
    return (uri, number) if isinstance(uri, str) and isinstance(number, int) and number >= 0 else ("", 0)


def resolve(lens: types.CodeLens, preview: Preview | None) -> types.CodeLens:
    """Return the lens with its title and command; without a preview, which is judged, the title only offers one.

    Titles are short phrases: what an evaluator or the API server says in full is in the preview.
    """
    arguments = lens.data if isinstance(lens.data, dict) else {}
    resource = arguments.get("resource")
    title = _resource_title(preview, str(resource)) if resource is not None else _title(preview)
    command = types.Command(title, COMMAND, arguments=[arguments])
    return types.CodeLens(lens.range, command, lens.data)


def _title(preview: Preview | None) -> str:
    if preview is None:
        return "Preview"
    title = f"Preview with {preview.instance.label}"
    if preview.errors:
        return f"{refused_text(preview.errors)} · {title}"
    if preview.simulation is None:
        return f"{title} · the API server refuses this instance"
    return f"{title} · {preview.simulation.state.value}"


def _resource_title(preview: Preview | None, id_: str) -> str:
    if preview is None:
        return "Preview"
    result = preview.node(id_)
    if result is None:
        reason = next((each.reason for each in missing_nodes(preview.rgd) if each.id == id_), "")
        return f"missing: {reason}" if reason else "Preview"
    count = len(result.desired)
    objects = "1 object" if count == 1 else f"{count} objects"
    if preview.errors and count:
        return f"{objects} · not created: kro refuses the definition"
    return f"{objects} · {phrase(result)}" if count else phrase(result)
