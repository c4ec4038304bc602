"""Renames a resource id, an iterator, a macro variable or a custom type, with all its uses in the RGD."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.names.references import Meaning
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cel.syntax.names import RESERVED_WORDS as CEL_WORDS
from kro_ls.cursor.locate import Occurrence, Symbol, occurrences, symbol_at
from kro_ls.cursor.schema_locate import CustomType, custom_type_at, custom_type_occurrences
from kro_ls.features.convert import to_offset, to_range
from kro_ls.kro import names
from kro_ls.kro.simple_schema import TYPES
from kro_ls.rules.scalar_edits import can_be_plain

if TYPE_CHECKING:
    from kro_ls.workspace.documents import Document

_TYPE_NAME = re.compile("[A-Za-z][A-Za-z0-9]*")
_RENAMABLE = (Meaning.RESOURCE, Meaning.ITERATOR, None)


class RenameError(Exception):
    """The new name cannot be used; the text says why."""


def prepare_rename(document: Document, position: types.Position) -> types.PrepareRenamePlaceholder | None:
    """Return the name at a position if it can be renamed."""
    offset = to_offset(document, position)
    named = _renamable(document, offset)
    for occurrence in _declared_occurrences(named) if named else ():
        if named and occurrence.span.contains(offset):
            return types.PrepareRenamePlaceholder(to_range(document, occurrence.span), named.name)
    return None


def rename(document: Document, position: types.Position, new_name: str) -> types.WorkspaceEdit | None:
    """Return the edits that rename the symbol at a position. Raises `RenameError` where kro would refuse the name."""
    named = _renamable(document, to_offset(document, position))
    if named is None:
        return None
    if isinstance(named, CustomType):
        _check_type(named, new_name)
    else:
        _check(named, new_name)
    edits = [types.TextEdit(to_range(document, each.span), new_name) for each in _declared_occurrences(named)]
    return types.WorkspaceEdit(changes={document.uri: edits})


def _renamable(document: Document, offset: int) -> Symbol | CustomType | None:
    symbol = symbol_at(document.analysis, offset)
    if symbol:
        return symbol if symbol.meaning in _RENAMABLE else None
    return custom_type_at(document.analysis, offset)


def _declared_occurrences(named: Symbol | CustomType) -> tuple[Occurrence, ...]:
    """Return the places of a name, or none where it has no declaration."""
    found = custom_type_occurrences(named) if isinstance(named, CustomType) else occurrences(named)
    return found if any(each.is_declaration for each in found) else ()


def _check(symbol: Symbol, new_name: str) -> None:
    if symbol.variable is None and not names.is_lower_camel_case(new_name):
        raise RenameError(f"'{new_name}' is not a valid name: it must be lower camel case, such as 'myResource'.")
    if new_name in (CEL_WORDS if symbol.variable else names.RESERVED_WORDS):
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
