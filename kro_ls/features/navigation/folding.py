"""Folding: whatever spans lines in definitions and described documents, from the line of its key to its last line."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from kro_ls.features.lsp_types import FoldingRange
from kro_ls.queries.cells import cached
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence, walk
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.paths import Path
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.documents.chunks import Chunk
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.documents.runs import PlacedChunk
    from kro_ls.yaml_positions.nodes import Node

_Lines: TypeAlias = tuple[int, int]


def folding_ranges(document: Document) -> list[FoldingRange]:
    """Return a range for each mapping entry, list item and block scalar of more than one line, by whole lines."""
    documents = [rgd.rgd.document for rgd in document.analysis.rgds]
    documents += [each.document for each in document.described]
    found: dict[_Lines, None] = {}  # nearly in order, so sorting is quick
    for yaml in documents:
        found |= dict.fromkeys(_lines(document.text, span) for span in (*_in_frame(yaml), *_lists_in(yaml.frame)))
        for placed in yaml.chunks:
            line = document.text.position(placed.start).line
            found |= dict.fromkeys((line + first, line + last) for first, last in _in_chunk(placed.chunk))
    return [FoldingRange(first, last) for first, last in sorted(found) if last > first]


def _in_frame(document: YamlDocument) -> Iterator[Span]:
    """Yield what the document's own keys span, the parts that are cut out of them included."""
    for path, span in _entries(document.frame, document.frame.chunk.root, ()):
        inside = [run.end for run in document.runs if run.path[: len(path)] == path]
        yield Span(span.start, max([span.end, *inside]))


def _entries(placed: PlacedChunk, node: Node | None, path: Path) -> Iterator[tuple[Path, Span]]:
    if isinstance(node, Mapping):
        for entry in node.entries:
            inner = (*path, entry.name or "")
            yield inner, placed.document_span(Span(entry.start, entry.end))
            yield from _entries(placed, entry.value, inner)


def _lists_in(frame: PlacedChunk) -> Iterator[Span]:
    for node in walk(frame.chunk.root) if frame.chunk.root else ():
        if isinstance(node, Sequence):
            yield from map(frame.document_span, _foldable(node))


@cached
def _in_chunk(chunk: Chunk) -> tuple[_Lines, ...]:
    """Return the lines of what folds in a chunk, counted from the line in which the chunk begins."""
    text = Text(chunk.text)
    lines = (_lines(text, span) for node in (walk(chunk.root) if chunk.root else ()) for span in _foldable(node))
    return tuple((first, last) for first, last in dict.fromkeys(lines) if last > first)


def _foldable(node: Node) -> Iterator[Span]:
    if isinstance(node, Mapping):
        yield from (Span(entry.start, entry.end) for entry in node.entries)
    elif isinstance(node, Sequence):
        yield from (item.span for item in node.items if not isinstance(item, Scalar))


def _lines(text: Text, span: Span) -> _Lines:
    """Return the first line and the last that holds something: a block's end is after its last line ending."""
    end = span.end
    while end > span.start and text.content[end - 1] in " \t\r\n":
        end -= 1
    return text.position(span.start).line, text.position(end).line
