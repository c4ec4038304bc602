"""Goes from a name in an expression or in SimpleSchema to where it is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.features.convert import to_location
from kro_ls.features.navigation.kind_definition import instance_field_definition, kind_definition

if TYPE_CHECKING:
    from lsprotocol import types

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.yaml_positions.positions import Span


def definition(cursor: Cursor) -> types.Location | None:
    """Return the declaration of the name at the cursor.

    It is a resource id, an iterator, a macro variable, `schema`, a custom type, a field of the instance, or a kind.
    In an instance it is a field of the definition.
    """
    span = _declaration(cursor)
    if span:
        return to_location(cursor.document, span)
    return kind_definition(cursor) or instance_field_definition(cursor)


def _declaration(cursor: Cursor) -> Span | None:
    if cursor.symbol:
        return cursor.symbol.declaration
    return cursor.instance_field.declaration if cursor.instance_field else None
