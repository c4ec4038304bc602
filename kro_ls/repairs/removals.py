"""Removes a field that is misplaced or has no effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cursor.cursor import Cursor
from kro_ls.rules.diagnostics import Fix
from kro_ls.rules.fixes import remove_entry
from kro_ls.yaml_positions.nodes import Entry, Mapping
from kro_ls.yaml_positions.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.repairs.place import Place
    from kro_ls.yaml_positions.runs import PlacedChunk


def removed_field(place: Place) -> Iterator[Fix]:
    """Yield the removal of the marked field and everything below it."""
    located = place.cursor.yaml.located if place.cursor.yaml else None
    if located and located.key and located.key_placed is located.placed and located.key_span == place.span:
        entry = Entry(located.key, located.node, str(located.path[-1]))
        yield from _removed(located.placed, entry, f"Remove '{entry.name}'")


def removed_repetition(place: Place) -> Iterator[Fix]:
    """Yield the removal of the first of two fields with the same name, whose value has no effect."""
    for first in place.diagnostic.related:
        around = Cursor(place.document, first.span.start).yaml
        node = around.located.node if around else None
        for entry in node.entries if around and isinstance(node, Mapping) else ():
            if around and around.located.placed.document_span(entry.key.span) == first.span:
                yield from _removed(around.located.placed, entry, f"Remove the first '{entry.name}'")


def _removed(placed: PlacedChunk, entry: Entry, title: str) -> Iterator[Fix]:
    removal = remove_entry(placed.chunk.text, entry, ())
    if removal:
        yield Fix(title, (Replacement(placed.document_span(removal.span), removal.text),))
