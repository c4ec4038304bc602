"""The places that are typed in together: those of a name that one document alone knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.names.references import Meaning
from kro_ls.cursor.names.symbol import Symbol
from kro_ls.features.convert import to_range

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor

_LINKED = (Meaning.RESOURCE, Meaning.ITERATOR, None)


def linked_editing_ranges(cursor: Cursor) -> types.LinkedEditingRanges | None:
    """Return where an id, an iterator, a macro variable or a custom type is written, if the cursor is on one.

    A field of the schema is not among them: instances and other definitions would not follow.
    """
    symbol = cursor.symbol
    if symbol is None or not symbol.declaration or (isinstance(symbol, Symbol) and symbol.meaning not in _LINKED):
        return None
    spans = [each.span for each in symbol.occurrences]
    content = cursor.document.text.content
    if any(content[span.start : span.end] != symbol.name for span in spans):
        return None  # one is written with escapes
    return types.LinkedEditingRanges(
        [to_range(cursor.document, span) for span in spans], word_pattern="[A-Za-z][A-Za-z0-9_]*"
    )
