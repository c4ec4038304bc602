"""Makes the quick fixes that several rules share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Fix
from kro_ls.yaml_positions.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.yaml_positions.positions import Span


def change_to(span: Span, text: str) -> Fix:
    """Return the fix that puts `text` in the place of a name or a word."""
    return Fix(f"Change to '{text}'", (Replacement(span, text),))


def rename(old: Span, new_name: str, uses: Iterable[Span]) -> Fix:
    """Return the fix that renames a declaration and its uses."""
    spans = dict.fromkeys((old, *uses))
    return Fix(f"Rename to '{new_name}'", tuple(Replacement(span, new_name) for span in spans))
