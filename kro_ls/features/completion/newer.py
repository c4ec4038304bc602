"""Leaves out of completion what the chosen version of kro does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.cursor.open.expression import expression_place
from kro_ls.features.completion.items import FIELD_KEY, FUNCTION_KEY
from kro_ls.kro.places import Place
from kro_ls.kro.versions.history import FUNCTIONS, MARKERS, STATUS_SCHEMA, TYPES, first_with_field
from kro_ls.kro.versions.version import NEWEST

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.features.lsp_types import CompletionItem
    from kro_ls.kro.versions.version import Version


def without_newer(items: list[CompletionItem], cursor: Cursor) -> list[CompletionItem]:
    """Return the items of a list that the version has in which the cursor's document is checked."""
    version = cursor.document.settings.version
    if version >= NEWEST:
        return items
    return [item for item in items if (first := _first(item, cursor)) is None or version >= first]


def _first(item: CompletionItem, cursor: Cursor) -> Version | None:
    data = item.data or {}
    if (item.label == "schema" or item.label.startswith("${schema.")) and _is_in_status(cursor):
        return STATUS_SCHEMA
    if FUNCTION_KEY in data:
        return FUNCTIONS.get(str(data[FUNCTION_KEY]))
    place = cursor.open_yaml.schema if cursor.open_yaml and FIELD_KEY in data else None
    if place and place.owner == ():
        return first_with_field((*place.path, str(data[FIELD_KEY])))
    if cursor.open_field:
        names = MARKERS if item.kind is types.CompletionItemKind.Property else TYPES
        return names.get(item.label)
    return None


def _is_in_status(cursor: Cursor) -> bool:
    place = expression_place(cursor.yaml.path) if cursor.yaml else None
    return place is not None and place[0] is Place.STATUS
