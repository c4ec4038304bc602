"""Tells what stands under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.features.convert import to_offset, to_range
from kro_ls.features.hover_expressions import describe_call_at, describe_value_at
from kro_ls.features.hover_names import describe_name_at
from kro_ls.features.schema_hover import describe_schema_at
from kro_ls.features.yaml_hover import describe_yaml_at

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from kro_ls.analysis.analysis import Analysis
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


def hover(document: Document, position: types.Position) -> types.Hover | None:
    """Return what is known of what stands at a position."""
    offset = to_offset(document, position)
    for source in _SOURCES:
        found = source(document.analysis, offset)
        if found:
            text, span = found
            return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), to_range(document, span))
    return None
