"""Goes from a name in an expression or in SimpleSchema to where it is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cursor.instance_fields import used_field_at
from kro_ls.cursor.locate import declaration, symbol_at
from kro_ls.cursor.schema_locate import custom_type_at, custom_type_declaration
from kro_ls.features.convert import to_location, to_offset
from kro_ls.features.navigation.kinds import kind_definition

if TYPE_CHECKING:
    from lsprotocol import types

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.positions import Span


def definition(document: Document, position: types.Position) -> types.Location | None:
    """Return the declaration of the name at a position.

    It is a resource id, an iterator, a macro variable, `schema`, a custom type, a field of the instance, or a kind.
    """
    offset = to_offset(document, position)
    span = _declaration(document.analysis, offset)
    return to_location(document, span) if span else kind_definition(document, offset)


def _declaration(analysis: Analysis, offset: int) -> Span | None:
    symbol = symbol_at(analysis, offset)
    if symbol:
        return declaration(symbol)
    custom_type = custom_type_at(analysis, offset)
    if custom_type:
        return custom_type_declaration(custom_type)
    used = used_field_at(analysis, offset)
    return used.declaration if used else None
