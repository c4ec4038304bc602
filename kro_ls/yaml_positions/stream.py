"""Cuts a text into documents and chunks, and parses only the chunks that are not remembered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from kro_ls.yaml_positions.chunks import parse_chunk
from kro_ls.yaml_positions.comments import chunk_comments
from kro_ls.yaml_positions.cutting import Cut, Cuts, find_cuts
from kro_ls.yaml_positions.document import PlacedChunk, YamlDocument
from kro_ls.yaml_positions.errors import YamlErrorCode
from kro_ls.yaml_positions.events import ParseFailure, events
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from kro_ls.yaml_positions.errors import YamlError
    from kro_ls.yaml_positions.text import Text

CutChooser: TypeAlias = Callable[[str], Cuts]

_MARKER = re.compile(r"(?:^|(?<=\r))(---|\.\.\.)(?=[ \t\r\n]|\Z)", re.MULTILINE)
_NO_CONTENT = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n)|%[^\r\n]*(?:\r\n|\r|\n))*[ \t]*(?:#[^\r\n]*)?\Z")
_LONGEST_RUN_ON = 8000


@dataclass(frozen=True)
class YamlStream:
    """All documents of a text, in order. A text of nothing but blanks and comments has one document without a value."""

    text: Text
    documents: tuple[YamlDocument, ...]

    @property
    def errors(self) -> tuple[YamlError, ...]:
        """The errors of all documents."""
        return tuple(error for document in self.documents for error in document.errors)

    def document_at(self, offset: int) -> YamlDocument:
        """Return the document an offset is in; a place between two belongs to the first."""
        found = self.documents[0]
        for document in self.documents:
            if document.start <= offset:
                found = document
        return found

    def comments(self) -> tuple[Span, ...]:
        """Return the spans of all comments, from `#` to the end of the line, in order."""
        found = [
            placed.document_span(comment)
            for document in self.documents
            for placed in (document.frame, *document.chunks)
            if "#" in placed.chunk.text
            for comment in chunk_comments(placed.chunk)
        ]
        return tuple(sorted(found))


def parse_stream(text: Text, cuts: Cuts | CutChooser = ()) -> YamlStream:
    """Return the documents of a text. It never raises, and costs only the parsing of chunks not seen lately.

    `cuts` are the paths whose values become chunks of their own, `*` at the end for each item of a block sequence
    (`("spec", "resources", "*")`), or a function that chooses them by a document's text.
    """
    content = text.content
    documents = [
        _parse_document(content, start, end, cuts(content[start:end]) if callable(cuts) else cuts)
        for start, end in _document_bounds(content)
    ]
    return YamlStream(text, tuple(documents))


def comments(text: Text) -> tuple[Span, ...]:
    """Return the spans of the comments of a text, from `#` to the end of the line; a `#` inside a value is none."""
    return parse_stream(text).comments()


def _document_bounds(content: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each document; directives and comments before its `---` belong to it."""
    first = start = 1 if content.startswith("\ufeff") else 0
    found = False
    if not any(marker in content for marker in ("---", "\n...", "\r...")):
        yield start, len(content)
        return
    for marker in _MARKER.finditer(content, start):
        is_end = marker[1] == "..."
        if is_end:
            line_end = content.find("\n", marker.end())
            yield start, (line_end + 1 if line_end >= 0 else len(content))
            start = line_end + 1 if line_end >= 0 else len(content)
            found = True
        elif not _NO_CONTENT.fullmatch(content, start, marker.start()):
            yield start, marker.start()
            start = marker.start()
            found = True
    if start == first or not found or not _NO_CONTENT.fullmatch(content, start):
        yield start, len(content)


def _parse_document(content: str, start: int, end: int, cuts: Cuts) -> YamlDocument:
    found, is_key_repeated = find_cuts(content, start, end, cuts)
    document = _assemble(content, start, end, found)
    if found and _must_be_whole(content, document, is_key_repeated):
        return _assemble(content, start, end, [])
    return document


def _assemble(content: str, start: int, end: int, cuts: list[Cut]) -> YamlDocument:
    if not cuts:
        return YamlDocument(start, end, PlacedChunk(parse_chunk(content[start:end]), (), start), ())
    paths, starts, ends = zip(*cuts, strict=True)
    parts = [parse_chunk(content[part_start:part_end]) for part_start, part_end in zip(starts, ends, strict=True)]
    chunks = tuple(map(PlacedChunk, parts, paths, starts))
    pieces = tuple(
        Span(piece_start, piece_end)
        for piece_start, piece_end in zip((start, *ends), (*starts, end), strict=True)
        if piece_start < piece_end
    )
    frame = parse_chunk("".join([content[piece.start : piece.end] for piece in pieces]))
    return YamlDocument(start, end, PlacedChunk(frame, (), start, pieces), chunks)


def _must_be_whole(content: str, document: YamlDocument, is_key_repeated: bool) -> bool:
    """Tell whether the chunks of a document depend on each other, so that it must be parsed in one."""
    anchors = aliases = False
    unfinished: list[PlacedChunk] = []
    for placed in (document.frame, *document.chunks):
        chunk = placed.chunk
        anchors |= chunk.has_anchor
        aliases |= chunk.has_alias
        if chunk.unfinished is not None:
            unfinished.append(placed)
    if (anchors and aliases) or _is_overridden(content, document):
        return True
    is_doubtful = (is_key_repeated and bool(document.errors)) or any(
        _runs_on(content, document, placed) for placed in unfinished
    )
    return is_doubtful and _is_valid(content[document.start : document.end])


def _is_overridden(content: str, document: YamlDocument) -> bool:
    """Tell whether a key on the path to a cut-out value stands again further down, with a value that counts instead."""
    if not any(error.code is YamlErrorCode.DUPLICATE_KEY for error in document.frame.chunk.errors):
        return False
    first_items = {placed.path[:-1]: placed for placed in reversed(document.chunks) if placed.path[-1] == 0}
    values = [placed for placed in document.chunks if isinstance(placed.path[-1], str)]
    for path, placed in [*first_items.items(), *((placed.path, placed) for placed in values)]:
        node: Node | None = document.frame.chunk.root
        for name in path:
            node = node.get(str(name)) if isinstance(node, Mapping) else None
        if node is None:
            return True
        place = document.frame.to_document(node.start)
        if not isinstance(node, Scalar) or place > placed.start or content[place : placed.start].count("\n") > 1:
            return True
    return False


def _runs_on(content: str, document: YamlDocument, placed: PlacedChunk) -> bool:
    """Tell whether a quote or bracket that a chunk leaves open is closed further down, outside of the chunk.

    Only then can the cut have been wrong. An author who is typing a value mostly leaves a quote that the next quote
    further down does not close rightly, so this looks only a short way.
    """
    opening = placed.to_document(placed.chunk.unfinished or 0)
    chunk_end = next((piece.end for piece in placed.pieces if opening < piece.end), placed.end)
    # The value alone: what comes before it in its chunk is right, or the chunk had failed before.
    part = content[opening : min(chunk_end + _LONGEST_RUN_ON, document.end)]
    closed = -1
    depth = 0
    try:
        for event in events(part):
            kind = type(event).__name__
            depth += kind.endswith("StartEvent") - kind.endswith("EndEvent")
            if depth == 2 and kind in ("ScalarEvent", "MappingEndEvent", "SequenceEndEvent"):
                closed = opening + event.end_mark.index
                break
    except ParseFailure:
        return False
    return closed > chunk_end and not content[closed : _line_end(content, closed)].strip()


def _line_end(content: str, offset: int) -> int:
    end = content.find("\n", offset)
    return end if end >= 0 else len(content)


def _is_valid(text: str) -> bool:
    try:
        for _ in events(text):
            pass
    except ParseFailure:
        return False
    return True
