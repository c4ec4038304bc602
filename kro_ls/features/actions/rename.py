"""Renames a resource id, an iterator, a macro variable or a custom type, with all its uses in the RGD.

A field and the kind that an RGD declares are renamed in the whole workspace.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.names.references import Meaning
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cel.syntax.identifiers import RESERVED_WORDS as CEL_WORDS
from kro_ls.cursor.everywhere import symbol_at
from kro_ls.cursor.fields.place import field_at
from kro_ls.cursor.kind_uses import kind_at
from kro_ls.cursor.names.custom_type import CustomType
from kro_ls.features.actions.accepted_renaming import RenameError
from kro_ls.features.actions.rename_field import rename_field
from kro_ls.features.actions.rename_kind import rename_kind
from kro_ls.features.convert import to_range
from kro_ls.kro import identifiers
from kro_ls.kro.simple_schema_words import TYPES
from kro_ls.yaml_positions.writing import can_be_plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.everywhere import FoundSymbol
    from kro_ls.cursor.kind_uses import NamedKind
    from kro_ls.cursor.names.occurrence import Occurrence
    from kro_ls.cursor.names.symbol import Symbol
    from kro_ls.workspace.documents import Document
    from kro_ls.workspace.snapshot import AllDocuments
    from kro_ls.yaml_positions.positions import Span

_TYPE_NAME = re.compile("[A-Za-z][A-Za-z0-9]*")
_RENAMABLE = (Meaning.RESOURCE, Meaning.ITERATOR, None)


def prepare_rename(cursor: Cursor) -> types.PrepareRenamePlaceholder | None:
    """Return the name at the cursor if it can be renamed."""
    found = symbol_at(cursor)
    for document, occurrence in _declared_occurrences(found, cursor.others) if found else ():
        if found and document.uri == cursor.document.uri and occurrence.span.contains(cursor.offset):
            return types.PrepareRenamePlaceholder(to_range(document, occurrence.span), found.symbol.name)
    if found:
        return None
    place = field_at(cursor)
    if place:
        return types.PrepareRenamePlaceholder(to_range(cursor.document, place.span), place.field.name)
    written = _kind_written_at(cursor)
    if written is None:
        return None
    kind, span = written
    return types.PrepareRenamePlaceholder(to_range(cursor.document, span), kind.name.kind)


def rename(cursor: Cursor, new_name: str) -> types.WorkspaceEdit | None:
    """Return the edits that rename what is at the cursor. Raises `RenameError` where kro would refuse the name."""
    found = symbol_at(cursor)
    if found is None:
        return _rename_everywhere(cursor, new_name)
    if isinstance(found.symbol, CustomType):
        _check_type(found.symbol, new_name)
    elif _is_renamable(found.symbol):
        _check(found.symbol, new_name)
    else:
        return None
    changes: dict[str, list[types.TextEdit]] = {}
    for document, occurrence in _declared_occurrences(found, cursor.others):
        edit = types.TextEdit(to_range(document, occurrence.span), new_name)
        changes.setdefault(document.uri, []).append(edit)
    return types.WorkspaceEdit(changes=changes)


def _rename_everywhere(cursor: Cursor, new_name: str) -> types.WorkspaceEdit | None:
    place = field_at(cursor)
    if place:
        return rename_field(place.field, new_name, cursor.others)
    found = _kind_written_at(cursor)
    return rename_kind(found[0], new_name, cursor.others) if found else None


def _kind_written_at(cursor: Cursor) -> tuple[NamedKind, Span] | None:
    """Return the kind whose name is at a cursor, and where; None on its `apiVersion`."""
    kind = kind_at(cursor)
    spans = (each.span for each in kind.here() if each.span.contains(cursor.offset)) if kind else iter(())
    span = next(spans, None)
    return (kind, span) if kind and span else None


def _is_renamable(symbol: Symbol | CustomType) -> bool:
    return isinstance(symbol, CustomType) or symbol.meaning in _RENAMABLE


def _declared_occurrences(found: FoundSymbol, others: AllDocuments) -> Iterator[tuple[Document, Occurrence]]:
    """Return the places of a name that can be renamed, or none where it has no declaration."""
    can_change = _is_renamable(found.symbol) and found.symbol.declaration
    return found.occurrences(others) if can_change else iter(())


def _check(symbol: Symbol, new_name: str) -> None:
    if symbol.variable is None and not identifiers.is_lower_camel_case(new_name):
        raise RenameError(f"'{new_name}' is not a valid name: it must be lower camel case, such as 'myResource'.")
    if new_name in (CEL_WORDS if symbol.variable else identifiers.RESERVED_WORDS):
        raise RenameError(f"'{new_name}' is a reserved word.")
    if not new_name.isidentifier() or not new_name.isascii():
        raise RenameError(f"'{new_name}' is not a name: letters, digits and '_' only, no digit first.")
    if new_name != symbol.name and new_name in symbol.owner.rgd.resources:
        raise RenameError(f"'{new_name}' is the id of another resource.")


def _check_type(custom_type: CustomType, new_name: str) -> None:
    if (
        not new_name.isalnum()
        or not new_name.isascii()
        or new_name[0].isdigit()
        or not can_be_plain(new_name, in_flow=False)
    ):
        raise RenameError(f"'{new_name}' is not a good name for a type: letters and digits only, no digit first.")
    if new_name in TYPES:
        raise RenameError(f"'{new_name}' is a built-in type.")
    if new_name != custom_type.name and new_name in simple_schema(custom_type.section).type_names:
        raise RenameError(f"'{new_name}' is the name of another type.")
