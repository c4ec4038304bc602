"""Writes a text with other quotes, or without any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.features.actions.refactorings import Refactoring
from kro_ls.yaml_positions.nodes import Scalar, ScalarStyle
from kro_ls.yaml_positions.writing import Replacement, can_be_plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.cursor import Cursor

_QUOTED = (ScalarStyle.SINGLE_QUOTED, ScalarStyle.DOUBLE_QUOTED)


def requoted(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield the other ways to write the quoted text at the cursor, if it is on one line."""
    located = cursor.yaml.located if cursor.yaml and not cursor.yaml.in_key else None
    scalar = located.node if located else None
    if located is None or not isinstance(scalar, Scalar) or not isinstance(scalar.value, str):
        return
    span = located.placed.document_span(scalar.span)
    text = scalar.value
    # Quotes around what is plain would change nothing.
    if scalar.style not in _QUOTED or not span.contains(cursor.offset) or not text.isprintable():
        return
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    single = text.replace("'", "''")
    ways = (
        ("Write without quotes", ScalarStyle.PLAIN, text),
        ("Write in single quotes", ScalarStyle.SINGLE_QUOTED, f"'{single}'"),
        ("Write in double quotes", ScalarStyle.DOUBLE_QUOTED, f'"{escaped}"'),
    )
    for title, style, written in ways:
        # What may stand in `{...}` without quotes is for people to see, so none are taken away as in there.
        if style is not scalar.style and (style is not ScalarStyle.PLAIN or can_be_plain(text, in_flow=True)):
            yield Refactoring(types.CodeActionKind.RefactorRewrite, title, (Replacement(span, written),))
