"""Renames a resource id, an iterator or a macro variable, with all its uses in the RGD."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis import names
from kro_ls.analysis.locate import Occurrence, Symbol, occurrences, symbol_at
from kro_ls.analysis.references import Meaning
from kro_ls.features.convert import to_offset, to_range

if TYPE_CHECKING:
    from kro_ls.workspace.documents import Document

_RENAMABLE = (Meaning.RESOURCE, Meaning.ITERATOR, None)


class RenameError(Exception):
    """The new name cannot be used; the text says why."""


def prepare_rename(document: Document, position: types.Position) -> types.PrepareRenamePlaceholder | None:
    """Return the name at a position if it can be renamed."""
    offset = to_offset(document, position)
    symbol = _renamable(document, offset)
    for occurrence in _declared_occurrences(symbol) if symbol else ():
        if symbol and occurrence.span.contains(offset):
            return types.PrepareRenamePlaceholder(to_range(document, occurrence.span), symbol.name)
    return None


def rename(document: Document, position: types.Position, new_name: str) -> types.WorkspaceEdit | None:
    """Return the edits that rename the symbol at a position. Raises `RenameError` where kro would refuse the name."""
    symbol = _renamable(document, to_offset(document, position))
    if symbol is None:
        return None
    _check(symbol, new_name)
    edits = [types.TextEdit(to_range(document, each.span), new_name) for each in _declared_occurrences(symbol)]
    return types.WorkspaceEdit(changes={document.uri: edits})


def _renamable(document: Document, offset: int) -> Symbol | None:
    symbol = symbol_at(document.analysis, offset)
    return symbol if symbol and symbol.meaning in _RENAMABLE else None


def _declared_occurrences(symbol: Symbol) -> tuple[Occurrence, ...]:
    """Return the symbol's places, or none where it has no declaration."""
    found = occurrences(symbol)
    return found if any(each.is_declaration for each in found) else ()


def _check(symbol: Symbol, new_name: str) -> None:
    if symbol.variable is None and not names.is_lower_camel_case(new_name):
        raise RenameError(f"'{new_name}' is not a valid name: it must be lower camel case, such as 'myResource'.")
    if new_name in (names.CEL_RESERVED_WORDS if symbol.variable else names.RESERVED_WORDS):
        raise RenameError(f"'{new_name}' is a reserved word.")
    if not new_name.isidentifier() or not new_name.isascii():
        raise RenameError(f"'{new_name}' is not a name: letters, digits and '_' only, no digit first.")
    if new_name != symbol.name and new_name in symbol.owner.rgd.resources:
        raise RenameError(f"'{new_name}' is the id of another resource.")
