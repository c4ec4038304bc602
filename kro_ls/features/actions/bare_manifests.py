"""Manifests that stand in a definition's list of resources as they are become resources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.authoring.from_manifests.input_objects import UnusableObjectsError
from kro_ls.cursor.parts import rgd_at
from kro_ls.features.actions.refactorings import Refactoring
from kro_ls.features.actions.resource_lines import span_of_entry
from kro_ls.openapi.json_values import as_object
from kro_ls.repairs.imports import import_manifests
from kro_ls.repairs.proof import change_to, document_after
from kro_ls.yaml_positions.conversion import to_python
from kro_ls.yaml_positions.nodes import Mapping
from kro_ls.yaml_positions.writing import Replacement, edited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import PlacedResource
    from kro_ls.cursor.cursor import Cursor

_OF_OBJECT = frozenset({"apiVersion", "kind"})
_OF_RESOURCE = frozenset({"id", "template", "externalRef", "forEach", "includeWhen", "readyWhen"})


def manifest_refactorings(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield that the manifests among the resources become resources, if the cursor is in one."""
    document, rgd = cursor.document, cursor.rgd
    found = list(_bare(rgd)) if rgd else []
    if rgd is None or not any(_holds(each, cursor.offset) for each in found):
        return
    content = document.text.content
    spans = [span_of_entry(content, each.placed.document_span(each.resource.node.span)) for each in found]
    removals = tuple(Replacement(each, "") for each in spans if each)
    if len(removals) < len(found):
        return
    without = document_after(document, (change_to(document, edited(content, removals)),))
    cut = rgd_at(without.analysis, rgd.rgd.document.start)
    if cut is None:
        return
    try:
        made = import_manifests(without, cut, [as_object(to_python(each.resource.node)) for each in found])
    except UnusableObjectsError:
        return  # what is wrong with them is diagnosed
    change = change_to(document, edited(without.text.content, (made.replacement,)))
    title = (
        "Import the manifest as a resource" if len(made.ids) == 1 else f"Import {len(made.ids)} manifests as resources"
    )
    yield Refactoring(types.CodeActionKind.RefactorRewrite, title, (change,))


def _bare(rgd: RgdAnalysis) -> Iterator[PlacedResource]:
    for each in rgd.rgd.resources:
        node = each.resource.node
        names = {entry.name for entry in node.entries} if isinstance(node, Mapping) else set()
        if names >= _OF_OBJECT and not names & _OF_RESOURCE:
            yield each


def _holds(placed: PlacedResource, offset: int) -> bool:
    span = placed.placed.document_span(placed.resource.node.span)
    return span.start <= offset <= span.end
