"""The outline of documents that are no definitions: instances with their fields, and the tests of a test file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.features.convert import to_quick_range
from kro_ls.features.navigation.symbols import DocumentSymbol
from kro_ls.yaml_positions.access import entries, field, items, resolved, text_of
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.workspace.described import Described
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.runs import PlacedChunk

_DEEPEST = 20
_ABOUT_THE_OBJECT = ("apiVersion", "kind", "metadata")


def described_symbols(document: Document, described: Described) -> Iterator[DocumentSymbol]:
    """Yield the symbols of one document; ranges are in the client's units."""
    frame = described.document.frame
    root = frame.chunk.root
    if described.kind is None:
        yield from _fields(document, frame, root, 0)
    elif isinstance(root, Mapping):
        name = resolved(field(field(root, "metadata"), "name"))
        key = name if isinstance(name, Scalar) and name.text else root.entries[0].key
        fields = [each for each in _fields(document, frame, root, 0) if each.name not in _ABOUT_THE_OBJECT]
        yield DocumentSymbol(
            name=text_of(name) or described.kind.name.kind,
            detail=described.kind.name.kind,
            kind=types.SymbolKind.Object,
            range=to_quick_range(document, Span(described.document.start, described.document.end)),
            selection_range=to_quick_range(document, frame.span(key)),
            children=fields,
        )


def _fields(document: Document, frame: PlacedChunk, node: Node | None, depth: int) -> list[DocumentSymbol]:
    node = resolved(node)
    if depth > _DEEPEST:
        return []
    if isinstance(node, Sequence):
        return [
            _symbol(document, frame, (item, item), text_of(field(item, "name")) or f"[{number}]", depth)
            for number, item in enumerate(items(node))
            if isinstance(item, Mapping)
        ]
    return [
        _symbol(document, frame, (entry.key, entry.value), entry.name or '""', depth)
        for entry in entries(node)
        if entry.name is not None
    ]


def _symbol(document: Document, frame: PlacedChunk, nodes: tuple[Node, Node], name: str, depth: int) -> DocumentSymbol:
    selected, value = nodes
    inner = resolved(value)
    kind = types.SymbolKind.Struct if isinstance(inner, Mapping) else types.SymbolKind.Field
    end = max(selected.end, value.end)
    named = selected if isinstance(selected, Scalar) else resolved(field(selected, "name")) or selected
    if not selected.start <= named.start <= named.end <= end:
        named = selected
    return DocumentSymbol(
        name=name,
        detail=inner.text if isinstance(inner, Scalar) else None,
        kind=types.SymbolKind.Array if isinstance(inner, Sequence) else kind,
        range=to_quick_range(document, frame.document_span(Span(selected.start, end))),
        selection_range=to_quick_range(document, frame.span(named)),
        children=_fields(document, frame, value, depth + 1),
    )
