"""Goes from a name in an expression to where it is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.locate import declaration, symbol_at
from kro_ls.features.convert import to_location, to_offset

if TYPE_CHECKING:
    from lsprotocol import types

    from kro_ls.workspace.documents import Document


def definition(document: Document, position: types.Position) -> types.Location | None:
    """Return the declaration of the resource id, iterator, macro variable or `schema` at a position."""
    symbol = symbol_at(document.analysis, to_offset(document, position))
    span = declaration(symbol) if symbol else None
    return to_location(document, span) if span else None
