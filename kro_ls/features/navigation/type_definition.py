"""Goes from a value to what describes it: the field of its kind's schema, or the custom type of SimpleSchema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.names.references import Meaning
from kro_ls.analysis.simpleschema.syntax import TypeKind
from kro_ls.cel.syntax import ast
from kro_ls.cursor.fields.place import field_at
from kro_ls.cursor.fields.selection import selection_of
from kro_ls.cursor.fields.uses import selected_object
from kro_ls.cursor.names.custom_type import CustomType
from kro_ls.cursor.names.symbol import Symbol
from kro_ls.features.convert import to_location
from kro_ls.features.navigation.kind_definition import kind_definition
from kro_ls.features.navigation.kind_pages import schema_location

if TYPE_CHECKING:
    from lsprotocol import types

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.fields.declared import DeclaredField, ValuePath
    from kro_ls.openapi.kind_schema import KindSchema


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
        from kro_ls.cursor.parts import PlacedPart

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
    return _selected(cursor)


def _selected(cursor: Cursor) -> tuple[KindSchema, ValuePath] | None:
    located = cursor.expression
    node = located.nodes[-1] if located and located.nodes else None
    if located is None or cursor.rgd is None or not isinstance(node, ast.Select):
        return None
    if not node.field_span[0] <= located.offset <= node.field_span[1]:
        return None
    selection = selection_of(located.owner, located.expression, node)
    found = selected_object(located.owner, selection) if selection else None
    name, path = found or (None, ())
    if name is None:
        return None
    kind = cursor.rgd.schemas.find(name.group, name.version, name.kind)
    return (kind, path) if kind else None
