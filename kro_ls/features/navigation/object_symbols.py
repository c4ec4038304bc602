"""The outline of plain YAML: the objects of templates, instances, and the files that are kro-ls' own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol.types import SymbolKind
from msgspec import Struct

from kro_ls.features.lsp_types import DocumentSymbol
from kro_ls.yaml_positions.access import entries, field, items, resolved, text_of
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from kro_ls.features.lsp_types import Range
    from kro_ls.yaml_positions.nodes import Entry, Node

    Place: TypeAlias = Callable[[Span], Range]

DEEPEST = 20
"""Deeper nesting than this does not help anybody to find a field."""

MOST_OBJECT_SYMBOLS = 2_500
"""An editor asks for the outline after each edit, so the outline of a large document ends at the resources."""

_MOST_CHARACTERS = 80
_NAMING = ("name", "id", "key")
"""The fields that tell the items of a list apart, in the order of preference."""


class Budget(Struct):
    """How many symbols may still be made for the fields of objects."""

    left: int = MOST_OBJECT_SYMBOLS


def entry_symbols(written: Iterable[Entry], place: Place, budget: Budget, depth: int = 0) -> list[DocumentSymbol]:
    """Return a symbol for each entry of a mapping, with those below it; `place` gives the range of a span."""
    return [
        _symbol(entry.name or '""', (entry.key, entry.value), place, budget, depth)
        for entry in written
        if entry.name is not None and budget.left > 0  # which each symbol lowers
    ]


def _symbols_below(node: Node | None, place: Place, budget: Budget, depth: int) -> list[DocumentSymbol]:
    if depth > DEEPEST or isinstance(node, Scalar):
        return []
    if not isinstance(node, Sequence):
        return entry_symbols(entries(node), place, budget, depth)
    return [
        _symbol(_name_of(item, number), (item, item), place, budget, depth)
        for number, item in enumerate(items(node))
        if isinstance(item, Mapping) and budget.left > 0
    ]


def _symbol(name: str, nodes: tuple[Node, Node], place: Place, budget: Budget, depth: int) -> DocumentSymbol:
    """Make the symbol of an entry by its key and its value, or of an item, which is both."""
    budget.left -= 1
    selected, value = nodes
    inner = resolved(value)
    if isinstance(selected, Mapping) and selected.entries and not selected.flow:
        selected = selected.entries[0].key  # the line with the dash
    kind = SymbolKind.Struct if isinstance(inner, Mapping) else SymbolKind.Field
    return DocumentSymbol(
        name=name,
        detail=_detail(inner),
        kind=SymbolKind.Array if isinstance(inner, Sequence) else kind,
        range=place(Span(nodes[0].start, max(nodes[0].end, value.end))),
        selection_range=place(Span(selected.start, selected.end)),
        children=_symbols_below(inner, place, budget, depth + 1),
    )


def _detail(node: Node | None) -> str | None:
    """Return the value of a field, the first line of a text of several."""
    if not isinstance(node, Scalar):
        return None
    line = node.text.strip().partition("\n")[0]
    return line if len(line) <= _MOST_CHARACTERS else f"{line[:_MOST_CHARACTERS]}…"


def _name_of(item: Mapping, number: int) -> str:
    return next(filter(None, (text_of(field(item, name)) for name in _NAMING)), f"[{number}]")
