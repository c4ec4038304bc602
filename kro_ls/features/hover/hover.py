"""Hovers: the documentation of the symbol at the cursor, and an expression's value if there is a preview."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cursor.cursor import Cursor
from kro_ls.cursor.everywhere import symbol_at
from kro_ls.cursor.fields.place import field_at
from kro_ls.features.convert import to_range
from kro_ls.features.hover.causes import hover_cause
from kro_ls.features.hover.evaluation import hover_evaluation
from kro_ls.features.hover.expressions import hover_call, hover_value
from kro_ls.features.hover.fields import hover_simple_schema, hover_status_key, hover_yaml
from kro_ls.features.hover.names import hover_name
from kro_ls.workspace.file_schemas import TEST_ENDINGS

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from kro_ls.features.previews.preview import Preview
    from kro_ls.yaml_positions.positions import Span

    Source: TypeAlias = Callable[[Cursor], tuple[str, Span] | None]

_SOURCES: tuple[Source, ...] = (
    hover_name,
    hover_simple_schema,
    hover_status_key,
    hover_call,
    hover_value,
    hover_cause,
    hover_yaml,
)
"""Each returns Markdown for what is at the cursor, and its span; the first result counts."""


def hover(cursor: Cursor, preview: Preview | None = None) -> types.Hover | None:
    """Return the hover at the cursor; `preview` is that of the RGD there."""
    found = described_at(cursor)
    value = hover_evaluation(cursor, preview) if preview else None
    shown = found or value
    if shown is None:
        return None
    text = "\n\n---\n\n".join(each[0] for each in (found, value) if each)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), to_range(cursor.document, shown[1]))


def described_at(cursor: Cursor) -> tuple[str, Span] | None:
    """Return Markdown for what is at the cursor, and its span."""
    return _tested(cursor) or _described(cursor)


def _described(cursor: Cursor) -> tuple[str, Span] | None:
    return next(filter(None, (source(cursor) for source in _SOURCES)), None)


def _tested(cursor: Cursor) -> tuple[str, Span] | None:
    """Return, for a name in a test file, the hover of its declaration."""
    if not cursor.document.uri.endswith(TEST_ENDINGS):
        return None
    symbol = symbol_at(cursor)
    field = None if symbol else field_at(cursor)
    document = symbol.document if symbol else field.field.document if field else None
    declared = symbol.symbol.declaration if symbol else field.field.declaration if field else None
    span = symbol.span if symbol else field.span if field else None
    found = _described(Cursor(document, declared.start)) if document and declared else None
    return (found[0], span) if found and span else None
