"""The quick fixes and edits that several rules share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Fix
from kro_ls.yaml_positions.nodes import Mapping
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kro_ls.yaml_positions.nodes import Entry, Node


def change_to(span: Span, text: str) -> Fix:
    """Return the fix that replaces a word by `text`."""
    return Fix(f"Change to '{text}'", (Replacement(span, text),))


def rename(old: Span, new_name: str, uses: Iterable[Span]) -> Fix:
    """Return the fix that renames a declaration and its uses."""
    spans = dict.fromkeys((old, *uses))
    return Fix(f"Rename to '{new_name}'", tuple(Replacement(span, new_name) for span in spans))


def remove_entry(text: str, entry: Entry, above: Sequence[tuple[Node, Entry]]) -> Replacement | None:
    """Return the edit that removes a field with its lines; None if the field has no lines of its own.

    `above` are the mapping of the field and the entry that holds it, then those above them: an entry whose mapping
    would become empty is removed as a whole.
    """
    for mapping, holder in above:
        if not isinstance(mapping, Mapping) or len(mapping.entries) > 1:
            break
        entry = holder
    start = text.rfind("\n", 0, entry.key.start) + 1
    if text[start : entry.key.start].strip(" "):
        return None
    last = entry.key.start + len(text[entry.key.start : max(entry.value.end, entry.key.end)].rstrip())
    end = text.find("\n", last)
    rest = text[last : end if end >= 0 else len(text)].strip()
    if rest and not rest.startswith(("#", ":")):
        return None
    return Replacement(Span(start, end + 1 if end >= 0 else len(text)), "")
