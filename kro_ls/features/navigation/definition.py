"""Goes from a name to where it is declared: in this document, in another one, or in the schema of a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cursor.everywhere import symbol_at
from kro_ls.cursor.fields.place import field_at
from kro_ls.cursor.fields.roots import root_at
from kro_ls.cursor.kind_uses import kind_at
from kro_ls.features.convert import to_location, to_range
from kro_ls.features.navigation.kind_definition import instance_field_definition, kind_definition
from kro_ls.features.navigation.type_definition import described_location

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.yaml_positions.positions import Span


def definition(cursor: Cursor) -> types.Location | None:
    """Return the declaration of the name at the cursor.

    It is a resource id, an iterator, a macro variable, `schema`, a custom type, a field that an RGD declares or the
    `spec` around it, a kind, or a field of a kind. In an instance it is a field of the definition.
    """
    found = symbol_at(cursor)
    if found:
        span = found.symbol.declaration
        return to_location(found.document, span) if span else None
    place = field_at(cursor)
    if place:
        declared = place.field.declaration
        return to_location(place.field.document, declared) if declared else None
    root = root_at(cursor)
    if root:
        return to_location(*root)
    found_elsewhere = kind_definition(cursor) or instance_field_definition(cursor) or described_location(cursor)
    kind = None if found_elsewhere else kind_at(cursor)
    return to_location(kind.declaring, kind.declaration) if kind else found_elsewhere


def as_link(cursor: Cursor, target: types.Location) -> types.LocationLink:
    """Return a location as a link, which underlines the whole name that leads there."""
    return types.LocationLink(target.uri, target.range, target.range, _origin(cursor))


def _origin(cursor: Cursor) -> types.Range | None:
    span = _name_span(cursor)
    return to_range(cursor.document, span) if span else None


def _name_span(cursor: Cursor) -> Span | None:
    """Return the word at the cursor, None for a value that is more than a word."""
    from kro_ls.yaml_positions.positions import Span

    if cursor.named_kind and cursor.yaml:
        return cursor.yaml.located.span
    content = cursor.document.text.content
    start = end = cursor.offset
    while start > 0 and (content[start - 1].isalnum() or content[start - 1] == "_"):
        start -= 1
    while end < len(content) and (content[end].isalnum() or content[end] == "_"):
        end += 1
    return Span(start, end) if start < end else None
