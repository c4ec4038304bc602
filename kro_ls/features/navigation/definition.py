"""Goes from a name to where it is declared: in this document, in another one, or in the schema of a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import Meaning
from kro_ls.analysis.simpleschema.results import TypeKind
from kro_ls.cursor.everywhere import kind_at, symbol_at
from kro_ls.cursor.fields.place import field_at, root_at, selected_at
from kro_ls.cursor.parts import PlacedPart
from kro_ls.cursor.symbol import CustomType, Symbol
from kro_ls.features.convert import to_location, to_range
from kro_ls.features.navigation.kind_pages import instance_field_definition, kind_definition, schema_location
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.fields.declared import DeclaredField, ValuePath
    from kro_ls.openapi.kind_schema import KindSchema


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
    span = _name_span(cursor)
    origin = to_range(cursor.document, span) if span else None
    return types.LocationLink(target.uri, target.range, target.range, origin)


def _name_span(cursor: Cursor) -> Span | None:
    """Return the word at the cursor, None for a value that is more than a word."""
    if cursor.named_kind and cursor.yaml:
        return cursor.yaml.located.span
    content = cursor.document.text.content
    start = end = cursor.offset
    while start > 0 and (content[start - 1].isalnum() or content[start - 1] == "_"):
        start -= 1
    while end < len(content) and (content[end].isalnum() or content[end] == "_"):
        end += 1
    return Span(start, end) if start < end else None


def type_definition(cursor: Cursor) -> types.Location | None:
    """Return where the type of what is at the cursor is described."""
    place = field_at(cursor) if not cursor.symbol else None
    if place:
        return _of_field(place.field)
    return described_location(cursor)


def described_location(cursor: Cursor) -> types.Location | None:
    """Return where the schema of a kind describes what is at the cursor: a resource, a field, a key of a template."""
    found = _described(cursor)
    if found is None:
        return None
    kind, path = found
    return schema_location(kind, path) or (kind_definition(cursor) if not path else None)


def _of_field(field: DeclaredField) -> types.Location | None:
    """Return the custom type of a field of SimpleSchema, else where the field itself is declared."""
    found = field.declaration
    definition = None
    if field.root != "status":
        definition = field.simple_schema.definitions.get((field.root, field.path))
    innermost = definition.syntax.type.innermost if definition and definition.syntax else None
    if innermost and innermost.kind is TypeKind.CUSTOM:
        owner = PlacedPart(field.rgd, field.schema.placed, field.schema.section)
        found = CustomType(innermost.name, owner, field.schema.section).declaration or found
    return to_location(field.document, found) if found else None


def _described(cursor: Cursor) -> tuple[KindSchema, ValuePath] | None:
    """Return a kind, and the path of a value in its objects."""
    symbol, key = cursor.symbol, cursor.key_schema
    if isinstance(symbol, Symbol):
        part = symbol.owner.part
        is_resource = symbol.meaning in (Meaning.RESOURCE, Meaning.EACH) and isinstance(part, Resource)
        kind = symbol.owner.rgd.kind(part) if is_resource and isinstance(part, Resource) else None
        return (kind, ()) if kind else None
    if cursor.named_kind:
        return cursor.named_kind, ()
    if key and key.kind and key.owner != ():
        return key.kind, tuple(step if isinstance(step, str) else None for step in key.path)
    selected = selected_at(cursor)
    name = selected[1] if selected else None
    if selected is None or cursor.rgd is None or name is None:
        return None
    kind = cursor.rgd.schemas.find(name.group, name.version, name.kind)
    return (kind, selected[2]) if kind else None
