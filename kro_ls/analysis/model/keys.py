"""Looks at the keys of a mapping: whether a field is set, and which unknown key means a missing one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.kro.versions.history import FORMER_NAMES
from kro_ls.spelling import closest
from kro_ls.yaml_positions.access import entries, entry_of, is_null, resolved

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from kro_ls.yaml_positions.nodes import Entry, Node


def set_entry(node: Node | None, name: str) -> Entry | None:
    """Return the entry of a field that the API server sees; it drops a field whose value is null."""
    entry = entry_of(node, name)
    return None if entry is None or is_null(entry.value) else entry


def unknown_entries(node: Node | None, known: Collection[str]) -> Iterator[Entry]:
    """Yield the entries of a mapping whose key is not among the known fields."""
    for entry in entries(node):
        if entry.name is not None and entry.name not in known:
            yield entry


def misspelling(node: Node | None, name: str, known: Collection[str]) -> Entry | None:
    """Return the entry with an unknown key that most likely means the absent field `name`."""
    for entry in unknown_entries(node, known):
        if entry.name is not None and (FORMER_NAMES.get(entry.name) == name or closest(entry.name, (name,))):
            return entry
    return None


def meant_field(node: Node | None, name: str, known: Collection[str]) -> Node | None:
    """Return the value of a field, or of the unknown key that most likely means it.

    For what only follows from a field: that its key is misspelt is reported once, at the key.
    """
    entry = entry_of(node, name) or misspelling(node, name, known)
    return None if entry is None else resolved(entry.value)
