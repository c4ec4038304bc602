"""The removal of a field that has no place or no effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Fix
from kro_ls.rules.removal import remove_entry
from kro_ls.yaml_positions.nodes import Entry
from kro_ls.yaml_positions.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.repairs.place import Place


def removed_field(place: Place) -> Iterator[Fix]:
    """Yield the removal of the marked field with all that is below it."""
    located = place.cursor.yaml.located if place.cursor.yaml else None
    if located is None or located.key is None or located.key_placed is not located.placed:
        return
    placed, entry = located.placed, Entry(located.key, located.node, str(located.path[-1]))
    removal = remove_entry(placed.chunk.text, entry, ())
    if removal and located.key_span == place.span:
        edit = Replacement(placed.document_span(removal.span), removal.text)
        yield Fix(f"Remove '{located.path[-1]}'", (edit,))
