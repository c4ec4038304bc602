"""The outline of documents that are no definitions: instances with their fields, and the tests of a test file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol.types import SymbolKind

from kro_ls.features.convert import to_quick_range
from kro_ls.features.lsp_types import DocumentSymbol
from kro_ls.features.navigation.object_symbols import Budget, entry_symbols
from kro_ls.yaml_positions.access import entries, field, text_of
from kro_ls.yaml_positions.nodes import Mapping
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.workspace.described import Described
    from kro_ls.workspace.documents import Document

_ABOUT_THE_OBJECT = ("apiVersion", "kind", "metadata")


def described_symbols(document: Document, described: Described, budget: Budget) -> Iterator[DocumentSymbol]:
    """Yield the symbols of one document; ranges are in the client's units."""
    frame = described.document.frame
    root = frame.chunk.root
    written = entries(root) if isinstance(root, Mapping) else ()
    shown = [each for each in written if described.kind is None or each.name not in _ABOUT_THE_OBJECT]
    fields = entry_symbols(shown, lambda span: to_quick_range(document, frame.document_span(span)), budget)
    if described.kind is None:
        yield from fields
    elif isinstance(root, Mapping):
        head = next((each for each in root.entries if each.name == "kind"), root.entries[0])
        yield DocumentSymbol(
            name=text_of(field(field(root, "metadata"), "name")) or described.kind.name.kind,
            detail=described.kind.name.kind,
            kind=SymbolKind.Object,
            range=to_quick_range(document, Span(described.document.start, described.document.end)),
            selection_range=to_quick_range(document, frame.document_span(Span(head.key.start, head.value.end))),
            children=fields,
        )
