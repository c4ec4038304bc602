"""One refactoring, as the modules beside this one find it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from lsprotocol import types

    from kro_ls.yaml_positions.scalars.writing import Replacement


class Refactoring(Struct, frozen=True):
    """A change: its kind in LSP, what the menu shows, and the replacements in document offsets."""

    kind: types.CodeActionKind
    title: str
    replacements: tuple[Replacement, ...]
