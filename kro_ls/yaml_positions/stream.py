"""Cuts a text into documents and chunks, and parses only the chunks that nobody holds yet."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.yaml_positions.chunks import parse_chunk
from kro_ls.yaml_positions.comments import chunk_comments
from kro_ls.yaml_positions.cutting import CutRun, Cuts, find_cuts
from kro_ls.yaml_positions.document import YamlDocument
from kro_ls.yaml_positions.entries import parse_entries
from kro_ls.yaml_positions.errors import YamlErrorCode, replace_invalid_characters
from kro_ls.yaml_positions.events import ParseFailure, events
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar
from kro_ls.yaml_positions.parts import SEPARATOR, json_objects, yaml_parts, yaml_start
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.runs import PlacedChunk, Run
from kro_ls.yaml_positions.stretches import holds, line_stretches, matches_after_feeds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.yaml_positions.chunks import Chunk
    from kro_ls.yaml_positions.errors import YamlError
    from kro_ls.yaml_positions.text import Text

_MARKER = r"(---(?=[ \t\r\n#]|\Z)|\.\.\.(?=[ \t\r\n]|\Z))"
_FIRST_MARKER = re.compile(_MARKER)
# To look for one character is ten times as fast as to try at each whether a line begins there.
_MARKER_AFTER_FEED, _MARKER_AFTER_BREAK = re.compile(f"\n{_MARKER}"), re.compile(f"[\r\n]{_MARKER}")
_NO_CONTENT = re.compile(r"(?>[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n)|%[^\r\n]*(?:\r\n|\r|\n))*+[ \t]*(?:#[^\r\n]*)?\Z")
_BEFORE_OBJECT = re.compile(
    r"(?>(?:[ \t]*(?:#[^\n]*)?|%[^\n]*)\r?\n)*+(?:---[ \t]*(?:#[^\n]*)?\r?\n)?(?>[ \t]*(?:#[^\n]*)?\r?\n)*+[ \t]*(?=\{)"
)
_NO_MORE = re.compile(
    r"(?>[ \t]*(?:#[^\n]*)?\r?\n)*+[ \t]*(?:#[^\n]*)?\Z|(?>[ \t]*(?:#[^\n]*)?\r?\n)++\.\.\.(?:[ \t\r\n]|\Z)"
)
_LONGEST_RUN_ON = 8000


class YamlStream(Struct, frozen=True, dict=True):
    """All documents of a text, in order. A text of nothing but blanks and comments has one document without a value.

    `unread` is where the first document begins that was left out because there are too many.
    """

    text: Text
    documents: tuple[YamlDocument, ...]
    unread: int | None = None

    @property
    def errors(self) -> tuple[YamlError, ...]:
        """The errors of all documents."""
        return tuple(error for document in self.documents for error in document.errors)

    def document_at(self, offset: int) -> YamlDocument:
        """Return the document an offset is in; a place between two belongs to the first."""
        number = bisect_right(self.documents, offset, key=_start)
        return self.documents[max(number - 1, 0)]

    def comments(self) -> tuple[Span, ...]:
        """Return the spans of all comments, from `#` to the end of the line, in order."""
        return tuple(sorted(set(self.comments_by_chunk())))

    def comments_by_chunk(self) -> Iterator[Span]:
        """Yield the spans of all comments, chunk by chunk; what two documents share comes twice."""
        for document in self.documents:
            for placed in (document.frame, *document.chunks):
                if "#" in placed.chunk.text:
                    yield from map(placed.document_span, chunk_comments(placed.chunk))


def _start(document: YamlDocument) -> int:
    return document.start


def parse_stream(text: Text, cuts: Cuts = (), most: int | None = None) -> YamlStream:
    """Return the documents of a text, `most` at most. It never raises, and does not parse chunks that somebody holds.

    `cuts` are the paths whose values become chunks of their own, `*` at the end for each item of a block sequence
    (`("spec", "resources", "*")`).
    """
    content = text.content
    bounds = _document_bounds(text)
    documents = [_parse_document(content, start, end, cuts) for start, end in islice(bounds, most)]
    unread = next(bounds, None)
    return YamlStream(text, tuple(documents), unread[0] if unread else None)


def parse_in_steps(text: Text, cuts: Cuts, most: int | None = None) -> Iterator[tuple[CutRun, Chunk, int]]:
    """Yield the chunks that `parse_stream` will look for, each parsed when its turn comes, and where it ends.

    They are found there as long as somebody holds them.
    """
    content = text.content
    for start, end in islice(_document_bounds(text), most):
        found = find_cuts(content, start, end, cuts)
        for run in found.runs:
            for chunk_start, chunk_end in zip(run.starts, [*run.starts[1:], run.end], strict=True):
                yield run, parse_entries(content[chunk_start:chunk_end], run.inner), chunk_end


def comments(text: Text) -> tuple[Span, ...]:
    """Return the spans of the comments of a text, from `#` to the end of the line; a `#` inside a value is not one."""
    return parse_stream(text).comments()


def _document_bounds(text: Text) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each document; directives and comments before its `---` belong to it."""
    content = text.content
    first = start = 1 if content.startswith("\ufeff") else 0
    objects = json_objects(content)
    rest = yaml_start(content)
    has_rest = bool(objects) and not _NO_CONTENT.fullmatch(content, rest)
    if len(objects) > 1 or has_rest or (objects and "\t" in content[: objects[0]]):
        yield from zip(objects, [*objects[1:], rest if has_rest else len(content)], strict=True)
        if not has_rest:
            return
    if has_rest or (not objects and "\t" in content[:rest]):
        first = start = rest  # what is no JSON is read as YAML from there on
    found = False
    if not any(holds(content, marker) for marker in ("---", "\n...", "\r...")):
        yield from _first_value_apart(content, start, len(content))
        return
    kept = {part for part, _ in yaml_parts(text)} if f"{SEPARATOR}#" in content else set()
    for marker in _markers(content, start):
        is_end, place = marker[1] == "...", marker.start(1)
        # Kubernetes takes `---#` for a separator, YAML does not.
        is_left_out = content.startswith("#", marker.end()) and place not in kept
        if is_end:
            line_end = _next_line(content, marker.end())
            yield from _first_value_apart(content, start, line_end)
            start, found = line_end, True
        elif is_left_out or not _NO_CONTENT.fullmatch(content, start, place):
            if start < place:
                yield from _first_value_apart(content, start, place)
            start = (content.find("\n", marker.end()) + 1 or place) if is_left_out else place
            found = True
        next_line = content.find("\n", place) + 1
        if not is_end and next_line and content.startswith("\ufeff", next_line):
            start = next_line + 1  # as in files that were put together
    if start == first or not found or not _NO_CONTENT.fullmatch(content, start):
        yield from _first_value_apart(content, start, len(content))


def _next_line(content: str, offset: int) -> int:
    """Return the start of the line after that of an offset, the text's length after the last one."""
    feed = content.find("\n", offset)
    carriage_return = content.find("\r", offset, feed if feed >= 0 else len(content))
    if carriage_return < 0:
        return feed + 1 if feed >= 0 else len(content)
    return carriage_return + (2 if carriage_return + 1 == feed else 1)


def _markers(content: str, start: int) -> Iterator[re.Match[str]]:
    """Yield the lines that begin with a marker, from the beginning of a line on; the group is the marker."""
    if start == 0 and (first := _FIRST_MARKER.match(content)):
        yield first
    rest = max(start - 1, 0), len(content)
    if "\r" not in content:
        yield from matches_after_feeds(_MARKER_AFTER_FEED, content, *rest)
        return
    for begin, end in line_stretches(content, *rest):
        yield from _MARKER_AFTER_BREAK.finditer(content, begin, end)


def _first_value_apart(content: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of a document, of one that is JSON without what stands after the object, which comes next."""
    head = _BEFORE_OBJECT.match(content, start, end)
    if head:
        try:
            object_end = json.JSONDecoder().raw_decode(content, head.end())[1]
        except (ValueError, RecursionError):
            object_end = end
        if object_end < end and not _NO_MORE.match(content, object_end, end):
            yield start, object_end
            start = object_end
    yield start, end


def _parse_document(content: str, start: int, end: int, cuts: Cuts) -> YamlDocument:
    found, is_key_repeated, _parsed = find_cuts(content, start, end, cuts)
    document = assemble(content, start, end, [_run(content, each) for each in found], is_key_repeated)
    return assemble(content, start, end, []) if found and must_be_whole(content, document) else document


def _run(content: str, cut: CutRun) -> Run:
    ends = [*cut.starts[1:], cut.end]
    parse = partial(parse_entries, names=cut.inner) if cut.inner else parse_chunk
    return Run.of(cut, [parse(content[start:end]) for start, end in zip(cut.starts, ends, strict=True)])


def assemble(content: str, start: int, end: int, runs: list[Run], is_key_repeated: bool = False) -> YamlDocument:
    """Return a document of runs, in the order of the text, and the frame that is left."""
    if not runs:
        return YamlDocument(start, end, PlacedChunk(parse_chunk(content[start:end]), (), start))
    borders = [start, *(border for run in runs for border in (run.start, run.end)), end]
    pieces = tuple(Span(*piece) for piece in zip(borders[::2], borders[1::2], strict=True) if piece[0] < piece[1])
    frame = parse_chunk("".join([content[piece.start : piece.end] for piece in pieces]))
    is_entangled = frame.is_entangled or any(chunk.is_entangled for run in runs for chunk in run.flawed_chunks)
    return YamlDocument(start, end, PlacedChunk(frame, (), start, pieces), tuple(runs), is_key_repeated, is_entangled)


def must_be_whole(content: str, document: YamlDocument) -> bool:
    """Return whether the chunks of a document depend on each other, so that it must be parsed in one."""
    if _is_overridden(content, document):
        return True
    if document.is_entangled:
        chunks = [document.frame.chunk, *(chunk for run in document.runs for chunk in run.flawed_chunks)]
        if any(chunk.has_anchor for chunk in chunks) and any(chunk.has_alias for chunk in chunks):
            return True
    is_doubtful = (document.is_key_repeated and bool(document.errors)) or any(
        _runs_on(content, document, placed) for placed in _unfinished(document)
    )
    if is_doubtful:
        return _is_valid(content[document.start : document.end])
    # A line that is too deep, or not deep enough, can read well in a chunk that does not know how deep it stands.
    has_stray_lines = not document.errors and not all(run.is_regular for run in document.runs)
    return has_stray_lines and not _is_valid(content[document.start : document.end])


def _unfinished(document: YamlDocument) -> Iterator[PlacedChunk]:
    if not document.is_entangled:
        return
    if document.frame.chunk.unfinished is not None:
        yield document.frame
    for run in document.runs:
        yield from (run.placed(number) for number in run.flawed if run.chunks[number].unfinished is not None)


def _is_overridden(content: str, document: YamlDocument) -> bool:
    """Return whether a key on the path to a cut-out value is repeated further down, so that the later value counts."""
    if not any(error.code is YamlErrorCode.DUPLICATE_KEY for error in document.frame.chunk.errors):
        return False
    for run in document.runs:
        path, placed = run.path, run.placed(0)
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
    """Return whether a quote or bracket that a chunk leaves open is closed further down, outside of the chunk.

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
        for event in events(replace_invalid_characters(part)[0]):
            kind = type(event).__name__
            depth += kind.endswith("StartEvent") - kind.endswith("EndEvent")
            if depth == 2 and kind in ("ScalarEvent", "MappingEndEvent", "SequenceEndEvent"):
                closed = opening + event.end_mark.index
                break
    except ParseFailure:
        return False
    rest = content[closed : _line_end(content, closed)].strip()
    return closed > chunk_end and (not rest or rest.startswith("#"))


def _line_end(content: str, offset: int) -> int:
    end = content.find("\n", offset)
    return end if end >= 0 else len(content)


def first_value(text: str) -> Chunk | None:
    """Return the first value of a text, whatever stands after it; None where it cannot be read."""
    try:
        found = events(replace_invalid_characters(text)[0])
        end = next((each.start_mark.index for each in found if type(each).__name__ == "DocumentEndEvent"), None)
    except ParseFailure:
        return None
    return None if end is None else parse_chunk(text[:end])


def _is_valid(text: str) -> bool:
    try:
        for _ in events(replace_invalid_characters(text)[0]):
            pass
    except ParseFailure:
        return False
    return True
