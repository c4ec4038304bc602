"""Tells what stands under the cursor, with the value of an expression where a preview is at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cursor.locate import expression_at, part_at
from kro_ls.features.convert import to_offset, to_range
from kro_ls.features.hover.expressions import describe_call_at, describe_value_at
from kro_ls.features.hover.names import describe_name_at
from kro_ls.features.hover.simple_schema import describe_schema_at
from kro_ls.features.hover.values import describe_evaluation_at
from kro_ls.features.hover.yaml import describe_yaml_at

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.features.previews.preview import Preview
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.positions import Span

    Source: TypeAlias = Callable[[Analysis, int], tuple[str, Span] | None]

_SOURCES: tuple[Source, ...] = (
    describe_name_at,
    describe_schema_at,
    describe_call_at,
    describe_value_at,
    describe_yaml_at,
)
"""Each gives Markdown for what is at a document offset, and the span of that; the first that has any counts."""


def definition_of_expression(document: Document, position: types.Position) -> int | None:
    """Return which RGD of the document has an expression at a position, None where there is none."""
    offset = to_offset(document, position)
    for number, rgd in enumerate(document.analysis.rgds):
        if rgd.rgd.document.start <= offset <= rgd.rgd.document.end:
            found = part_at(rgd, offset)
            return number if found and expression_at(found[0].part, found[1]) else None
    return None


def hover(document: Document, position: types.Position, preview: Preview | None = None) -> types.Hover | None:
    """Return what is known of what stands at a position; a preview is one of the RGD there."""
    offset = to_offset(document, position)
    found = next(filter(None, (source(document.analysis, offset) for source in _SOURCES)), None)
    value = describe_evaluation_at(preview, offset) if preview else None
    shown = found or value
    if shown is None:
        return None
    text = "\n\n---\n\n".join(each[0] for each in (found, value) if each)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), to_range(document, shown[1]))
