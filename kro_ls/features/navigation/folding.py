"""Folding: whatever spans lines in the YAML that is known, from the line of its key to its last line."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence, walk
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.paths import Path
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.document import YamlDocument
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.runs import PlacedChunk


def folding_ranges(document: Document) -> list[types.FoldingRange]:
    """Return a range for each mapping entry, list item and block scalar of more than one line, by whole lines."""
    documents = [rgd.rgd.document for rgd in document.analysis.rgds]
    documents += [each.document for each in document.described]
    lines = dict.fromkeys(  # nearly in order, so that sorting holds up nobody
        (document.text.position(span.start).line, _last_line(document, span))
        for yaml in documents
        for span in chain(_in_frame(yaml), _in_chunks(yaml))
    )
    return [types.FoldingRange(first, last) for first, last in sorted(lines) if last > first]


def _in_frame(document: YamlDocument) -> Iterator[Span]:
    """Yield what the document's own keys span, the parts that are cut out of them included."""
    for path, span in _entries(document.frame, document.frame.chunk.root, ()):
        inside = [placed.end for placed in document.chunks if placed.path[: len(path)] == path]
        yield Span(span.start, max([span.end, *inside]))


def _entries(placed: PlacedChunk, node: Node | None, path: Path) -> Iterator[tuple[Path, Span]]:
    if isinstance(node, Mapping):
        for entry in node.entries:
            inner = (*path, entry.name or "")
            yield inner, placed.document_span(Span(entry.start, entry.end))
            yield from _entries(placed, entry.value, inner)


def _in_chunks(document: YamlDocument) -> Iterator[Span]:
    for placed in (document.frame, *document.chunks):
        root = placed.chunk.root
        for node in walk(root) if root else ():
            for part in _foldable(node) if placed.path or isinstance(node, Sequence) else ():
                yield placed.document_span(part)


def _foldable(node: Node) -> Iterator[Span]:
    if isinstance(node, Mapping):
        yield from (Span(entry.start, entry.end) for entry in node.entries)
    elif isinstance(node, Sequence):
        yield from (item.span for item in node.items if not isinstance(item, Scalar))


def _last_line(document: Document, span: Span) -> int:
    """Return the last line that holds something: a block's end is after its last line ending."""
    content = document.text.content
    end = span.end
    while end > span.start and content[end - 1] in " \t\r\n":
        end -= 1
    return document.text.position(end).line
