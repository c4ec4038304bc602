"""The documents of a text: cut into chunks, of which those that are not alive yet are parsed."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from functools import partial
from itertools import chain, islice
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.yaml_positions.documents.chunks import parse_chunk
from kro_ls.yaml_positions.documents.cutting import Cuts, find_cuts, plain_first_item
from kro_ls.yaml_positions.documents.document import YamlDocument
from kro_ls.yaml_positions.documents.entries import parse_edited, parse_entries
from kro_ls.yaml_positions.documents.parts import document_bounds, is_plain
from kro_ls.yaml_positions.documents.runs import (
    CutRun,
    PlacedChunk,
    Run,
    has_content,
    has_rare_line_break,
    is_regular,
    item_line,
    pieces_between,
)
from kro_ls.yaml_positions.errors import ParseFailure, YamlErrorCode
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar, walk
from kro_ls.yaml_positions.parsing.events import events, replace_invalid_characters
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.yaml_positions.documents.chunks import Chunk
    from kro_ls.yaml_positions.errors import YamlError
    from kro_ls.yaml_positions.text import Change, Text


_CANDIDATE = "(?:(?<=[ \t\r\n])|(?<![^\\ufeff]))#[^\r\n]*"
_LONGEST_RUN_ON = 8000


class YamlStream(Struct, frozen=True, dict=True):
    """All documents of a text, in order. A text of nothing but blanks and comments has one document without a value.

    `unread` is where the first document begins that was left out because there are too many. `is_plain`: kubectl sees
    no JSON, no separator and no directive in the text; False where that was not determined.
    """

    text: Text
    documents: tuple[YamlDocument, ...]
    unread: int | None = None
    is_plain: bool = False

    @property
    def errors(self) -> tuple[YamlError, ...]:
        """The errors of all documents."""
        return tuple(error for document in self.documents for error in document.errors)

    def document_at(self, offset: int) -> YamlDocument:
        """Return the document an offset is in; a place between two belongs to the first."""
        number = bisect_right(self.documents, offset, key=attrgetter("start"))
        return self.documents[max(number - 1, 0)]

    def comments(self) -> Iterator[Span]:
        """Yield the spans of all comments, chunk by chunk; a comment that two documents share comes twice."""
        for document in self.documents:
            for placed in (document.frame, *document.chunks):
                if "#" in placed.chunk.text:
                    yield from map(placed.document_span, chunk_comments(placed.chunk))


def parse_stream(text: Text, cuts: Cuts = (), most: int | None = None) -> YamlStream:
    """Return the documents of a text, `most` at most. It never raises, and does not parse chunks that are alive.

    `cuts` are the paths whose values become chunks of their own, `*` at the end for each item of a block sequence
    (`("spec", "resources", "*")`).
    """
    content = text.content
    bounds = document_bounds(text)
    documents = [_parse_document(content, start, end, cuts) for start, end in islice(bounds, most)]
    unread = next(bounds, None)
    return YamlStream(text, tuple(documents), unread[0] if unread else None, is_plain(text))


def parse_in_steps(text: Text, cuts: Cuts, most: int | None = None) -> Iterator[tuple[CutRun, Chunk, int]]:
    """Yield the chunks that `parse_stream` will need, each with its run and its end; each step parses one of them.

    `parse_stream` finds them as long as the caller keeps them alive.
    """
    content = text.content
    for start, end in islice(document_bounds(text), most):
        found = find_cuts(content, start, end, cuts)
        for run in found.runs:
            for chunk_start, chunk_end in zip(run.starts, [*run.starts[1:], run.end], strict=True):
                yield run, parse_entries(content[chunk_start:chunk_end], run.inner), chunk_end


def reparse(before: YamlStream, text: Text, change: Change, cuts: Cuts, most: int | None = None) -> YamlStream:
    """Return what `parse_stream` returns for `text`, into which `change` turned the previous text.

    Only the chunks that the edit touched are parsed. An edit inside a regular run (see `runs.CutRun`) that leaves it
    regular changes no cut outside of them, so these are cut again and all others are reused. After any other edit the
    whole text is parsed.
    """
    for number, document in enumerate(before.documents if before.unread is None else ()):
        if document.start <= change.start and change.end <= document.end:
            edited = _edit(document, text.content, change)
            if edited is None:
                break
            later = [_moved(each, change.grown) for each in before.documents[number + 1 :]]
            return YamlStream(text, (*before.documents[:number], edited, *later), is_plain=before.is_plain)
    return parse_stream(text, cuts, most)


def first_value(text: str) -> Chunk | None:
    """Return the first value of a text and ignore what follows it; None if it cannot be read."""
    try:
        found = events(replace_invalid_characters(text)[0])
        end = next((each.start_mark.index for each in found if type(each).__name__ == "DocumentEndEvent"), None)
    except ParseFailure:
        return None
    return None if end is None else parse_chunk(text[:end])


def chunk_comments(chunk: Chunk) -> Iterator[Span]:
    """Yield the spans of a chunk's comments, from `#` to the end of the line, in the chunk's text."""
    if "#" not in chunk.text:
        return
    found: array[int] | None = chunk.cells.get(chunk_comments)  # starts and ends in turns: there may be many
    if found is None:
        bounds = chain.from_iterable(_comments(chunk))
        found = chunk.cells[chunk_comments] = array("I", bounds)
    each = iter(found)
    yield from map(Span, each, each)


def _parse_document(content: str, start: int, end: int, cuts: Cuts) -> YamlDocument:
    found = find_cuts(content, start, end, cuts)
    document = _assemble(content, start, end, [_run(content, each) for each in found.runs], found.is_key_repeated)
    return _assemble(content, start, end, []) if found.runs and _must_be_whole(content, document) else document


def _run(content: str, cut: CutRun) -> Run:
    ends = [*cut.starts[1:], cut.end]
    parse = partial(parse_entries, names=cut.inner) if cut.inner else parse_chunk
    return Run.of(cut, [parse(content[start:end]) for start, end in zip(cut.starts, ends, strict=True)])


def _assemble(content: str, start: int, end: int, runs: list[Run], is_key_repeated: bool = False) -> YamlDocument:
    """Return a document of runs, in the order of the text, and the frame that is left."""
    if not runs:
        return YamlDocument(start, end, PlacedChunk(parse_chunk(content[start:end]), (), start))
    pieces = pieces_between(runs, start, end)
    frame = parse_chunk("".join([content[piece.start : piece.end] for piece in pieces]))
    placed = PlacedChunk(frame, (), start, pieces)
    return YamlDocument(start, end, placed, tuple(runs), is_key_repeated, _is_entangled(frame, runs))


def _is_entangled(frame: Chunk, runs: Iterable[Run]) -> bool:
    return any(chunk.is_entangled for chunk in _flawed_chunks(frame, runs))


def _flawed_chunks(frame: Chunk, runs: Iterable[Run]) -> list[Chunk]:
    return [frame, *(chunk for run in runs for chunk in run.flawed_chunks)]


def _must_be_whole(content: str, document: YamlDocument) -> bool:
    """Return whether the chunks of a document depend on each other, so that it must be parsed in one."""
    if _is_overridden(content, document):
        return True
    if document.is_entangled:
        chunks = _flawed_chunks(document.frame.chunk, document.runs)
        if any(chunk.has_anchor for chunk in chunks) and any(chunk.has_alias for chunk in chunks):
            return True
    is_doubtful = (document.is_key_repeated and bool(document.errors)) or any(
        _runs_on(content, document, placed) for placed in _unfinished(document)
    )
    if is_doubtful:
        return _is_valid(content[document.start : document.end])
    # A line that is too deep, or not deep enough, can be valid in a chunk, which does not know its own depth.
    has_stray_lines = not document.errors and not all(run.is_regular for run in document.runs)
    return has_stray_lines and not _is_valid(content[document.start : document.end])


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


def _unfinished(document: YamlDocument) -> Iterator[PlacedChunk]:
    if not document.is_entangled:
        return
    if document.frame.chunk.unfinished is not None:
        yield document.frame
    for run in document.runs:
        yield from (run.placed(number) for number in run.flawed if run.chunks[number].unfinished is not None)


def _runs_on(content: str, document: YamlDocument, placed: PlacedChunk) -> bool:
    """Return whether a quote or bracket that a chunk leaves open is closed further down, outside of the chunk.

    Only then can the cut have been wrong. A quote that an author has just typed is mostly not closed rightly by the
    next quote further down, so this searches only a short way.
    """
    opening = placed.to_document(placed.chunk.unfinished or 0)
    chunk_end = next((piece.end for piece in placed.pieces if opening < piece.end), placed.end)
    # The value alone: the part of the chunk before it is valid, or the chunk would have failed earlier.
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


def _is_valid(text: str) -> bool:
    try:
        for _ in events(replace_invalid_characters(text)[0]):
            pass
    except ParseFailure:
        return False
    return True


def _edit(document: YamlDocument, content: str, change: Change) -> YamlDocument | None:
    """Return the edited document; None if more than the chunks of a regular run may have changed."""
    if document.is_key_repeated or document.frame.chunk.errors or not all(run.is_regular for run in document.runs):
        return None
    runs: list[Run] = []
    edited = None
    for run in document.runs:
        if edited is None and run.start <= change.start and change.end <= run.end:
            edited = _edit_run(run, content, change)
            if edited is None or (change.end == run.end and not _ends_as_before(run, document, content, change)):
                return None
            runs.append(edited)
        else:
            runs.append(run if run.end <= change.start else replace(run, start=run.start + change.grown))
    if edited is None:
        return None
    may_be_entangled = document.is_entangled or any(chunk.is_entangled for chunk in edited.flawed_chunks)
    is_entangled = may_be_entangled and _is_entangled(document.frame.chunk, runs)
    before = change.start
    pieces = tuple(each if each.end <= before else each.shift(change.grown) for each in document.frame.pieces)
    moved = replace(
        document,
        end=document.end + change.grown,
        frame=replace(document.frame, pieces=pieces),
        runs=tuple(runs),
        is_entangled=is_entangled,
    )
    return None if is_entangled and _must_be_whole(content, moved) else moved


def _ends_as_before(run: Run, document: YamlDocument, content: str, change: Change) -> bool:
    """Return whether the text after a run that was edited at its end is still on lines of its own."""
    end = run.end + change.grown
    return run.end == document.end == len(content) - change.grown or content.endswith("\n", run.start, end)


def _edit_run(run: Run, content: str, change: Change) -> Run | None:
    first = run.number_at(change.start)
    if first > 0 and change.start == run.start_of(first):
        first -= 1  # text typed before an item may continue the previous one
    last = run.number_at(change.end)
    start, end = run.start_of(first), run.start_of(last + 1) + change.grown
    looked_at = (start, end) if run.is_sequence else _touched_lines(content, start, end, change)
    if has_rare_line_break(content, *looked_at) or not is_regular(
        content, *looked_at, run.indent, is_sequence=run.is_sequence
    ):
        return None
    starts, ends = [start], [end]
    if run.is_sequence:
        starts = item_line(run.indent).find_all(content, start, end)
        if not starts or has_content(content, start, starts[0]):
            return None  # it begins with text of the previous item, or with a damaged item
        starts, ends = [start, *starts[1:]], [*starts[1:], end]
        if first == 0 and plain_first_item(content[start : ends[0]]) is None:
            return None
    elif not has_content(content, start, end):
        return None
    if run.inner:
        edit = Span(change.start - start, change.end - start)
        return run.edited(0, 0, [parse_edited(run.chunks[0], content[start:end], run.inner, edit, change.grown)])
    chunks = [parse_chunk(content[each:stop]) for each, stop in zip(starts, ends, strict=True)]
    return run.edited(first, last, chunks)


def _touched_lines(content: str, start: int, end: int, change: Change) -> tuple[int, int]:
    """Return the start and end of the lines of a part that an edit changed."""
    line_end = content.find("\n", change.start + change.length, end)
    return content.rfind("\n", start, change.start) + 1 or start, end if line_end < 0 else line_end + 1


def _moved(document: YamlDocument, distance: int) -> YamlDocument:
    frame = document.frame
    pieces = tuple(piece.shift(distance) for piece in frame.pieces)
    return replace(
        document,
        start=document.start + distance,
        end=document.end + distance,
        frame=replace(frame, start=frame.start + distance, pieces=pieces),
        runs=tuple(replace(run, start=run.start + distance) for run in document.runs),
    )


def _comments(chunk: Chunk) -> Iterator[tuple[int, int]]:
    scalars = [] if chunk.root is None else [node for node in walk(chunk.root) if isinstance(node, Scalar)]
    scalars = [scalar for scalar in scalars if scalar.style is not ScalarStyle.MISSING]
    starts = [scalar.start for scalar in scalars]
    position = 0
    while (candidate := re.compile(_CANDIDATE).search(chunk.text, position)) is not None:
        number = bisect_right(starts, candidate.start()) - 1
        scalar = scalars[number] if number >= 0 else None
        if scalar is None or candidate.start() >= scalar.end or _is_in_header(chunk.text, scalar, candidate.start()):
            yield candidate.span()
            position = candidate.end()
        else:
            position = scalar.end


def _is_in_header(text: str, scalar: Scalar, offset: int) -> bool:
    """Return whether an offset is in the header line of a block scalar."""
    if scalar.style not in (ScalarStyle.LITERAL, ScalarStyle.FOLDED):
        return False
    return not re.search(r"[\r\n]", text[scalar.start : offset])
