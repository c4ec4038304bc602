"""Runs: consecutive chunks of a text, their places, which are computed on demand, and how the lines of a run start."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import TYPE_CHECKING, overload

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.queries.cells import Blocks, cached_attribute
from kro_ls.yaml_positions import nodes
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.text import matches_after_feeds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.yaml_positions.documents.chunks import Chunk
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.positions import Path


# YAML also breaks lines at these; the expressions below do not.
_RARE_LINE_BREAK = "[\x85\u2028\u2029]|\r(?!\n)"
ITEM = r"-(?=[ \t\r\n]|\Z)"


class PlacedChunk(Struct, frozen=True):
    """A chunk at its place in the whole text. `path` is the path of the value it holds, `()` for a document's frame.

    `pieces` are the parts of the text that make up a frame from which other chunks were cut out; else it is empty.
    """

    chunk: Chunk
    path: Path
    start: int
    pieces: tuple[Span, ...] = ()

    @property
    def end(self) -> int:
        """The end of the chunk, of its last piece for a frame, in the whole text."""
        return self.pieces[-1].end if self.pieces else self.start + len(self.chunk.text)

    @property
    def node(self) -> Node | None:
        """The value at `path`: the item itself for the chunk of a sequence's item, else the chunk's root."""
        return item_of(self.chunk) if self.path and isinstance(self.path[-1], int) else self.chunk.root

    def to_document(self, offset: int) -> int:
        """Return the offset in the whole text for an offset in the chunk's text."""
        for piece in self.pieces:
            length = piece.end - piece.start
            if offset < length or piece is self.pieces[-1]:
                return piece.start + offset
            offset -= length
        return self.start + offset

    def to_chunk(self, document_offset: int) -> int | None:
        """Return the offset in the chunk's text; None if the offset of the whole text belongs to another chunk."""
        before = 0
        for piece in self.pieces or (Span(self.start, self.end),):
            if piece.start <= document_offset < piece.end or document_offset == piece.end == self.end:
                return before + document_offset - piece.start
            before += piece.end - piece.start
        return None

    def span(self, node: Node) -> Span:
        """Return the span of a node of this chunk in the whole text."""
        return self.document_span(Span(node.start, node.end))

    def document_span(self, span: Span) -> Span:
        """Return the span of the whole text for a span of the chunk's text."""
        if not self.pieces:
            return Span(self.start + span.start, self.start + max(span.start, span.end))
        start = self.to_document(span.start)
        return Span(start, start if span.end <= span.start else self.to_document(span.end - 1) + 1)


def item_of(chunk: Chunk) -> Node | None:
    """Return the item that the chunk of a sequence's item holds."""
    root = chunk.root
    if isinstance(root, nodes.Sequence):
        return root.items[0] if root.items else root
    return root


class CutRun(Struct, frozen=True):
    """Consecutive parts of a text, each of whole lines: the items of a block sequence, or a single value.

    `path` is that of the sequence, or of the value. `indent` is that of the dashes, or of the value's key. A run is
    `regular` where no line of it could be anything but a line of its part: an edit that leaves it so changes no cut
    outside of it. `inner` are the keys of mappings in a single value whose entries are to be chunks of their own.
    """

    path: Path
    is_sequence: bool
    indent: int
    is_regular: bool
    starts: list[int]
    end: int
    inner: tuple[str, ...] = ()


class Run(Struct, frozen=True, eq=False, dict=True):
    """The chunks of the items of a sequence at `path`, or of the one value at `path`, from `start` of the whole text.

    `indent` is that of the dashes or of the value's key; see `CutRun` for `is_regular` and `inner`. `flawed`
    are the numbers of the chunks that are, see `chunks.Chunk`.
    """

    path: Path
    is_sequence: bool
    indent: int
    is_regular: bool
    start: int
    chunks: Blocks[Chunk]
    lengths: Blocks[int]
    flawed: tuple[int, ...]
    inner: tuple[str, ...] = ()

    @property
    def flawed_chunks(self) -> tuple[Chunk, ...]:
        """The chunks with errors, and those to which the rest of the document may matter."""
        return tuple(self.chunks[number] for number in self.flawed)

    @classmethod
    def of(cls, cut: CutRun, chunks: list[Chunk]) -> Run:
        """Return the run of the chunks that a text was cut into."""
        flawed = tuple(number for number, chunk in enumerate(chunks) if chunk.is_flawed)
        lengths = Blocks.of(len(chunk.text) for chunk in chunks)
        start, found = cut.starts[0], Blocks.of(chunks)
        return cls(cut.path, cut.is_sequence, cut.indent, cut.is_regular, start, found, lengths, flawed, cut.inner)

    @cached_attribute
    def _block_starts(self) -> list[int]:
        """Where each block of chunks starts in the whole text, and finally where the run ends."""
        return list(accumulate(map(sum, self.lengths.blocks), initial=self.start))

    @property
    def end(self) -> int:
        """Where the run ends in the whole text."""
        return self._block_starts[-1]

    def start_of(self, number: int) -> int:
        """Return where a chunk starts in the whole text; the one after the last starts where the run ends."""
        if number == len(self.chunks):
            return self.end
        block, place = self.lengths.located(number)
        return self._block_starts[block] + sum(self.lengths.blocks[block][:place])

    def placed(self, number: int) -> PlacedChunk:
        """Return one of the chunks at its place."""
        block, place = self.chunks.located(number)
        start = self._block_starts[block] + sum(self.lengths.blocks[block][:place])
        return PlacedChunk(self.chunks.blocks[block][place], self._path_of(number), start)

    def all_placed(self) -> Iterator[PlacedChunk]:
        """Yield the chunks at their places."""
        starts = accumulate(self.lengths, initial=self.start)
        for number, (chunk, start) in enumerate(zip(self.chunks, starts, strict=False)):
            yield PlacedChunk(chunk, self._path_of(number), start)

    def _path_of(self, number: int) -> Path:
        return (*self.path, number) if self.is_sequence else self.path

    def edited(self, first: int, last: int, chunks: list[Chunk]) -> Run:
        """Return the run with other chunks in the place of those from `first` to `last`."""
        grown = len(chunks) - (last + 1 - first)
        edited = replace(
            self,
            chunks=self.chunks.replaced(first, last + 1, chunks),
            lengths=self.lengths.replaced(first, last + 1, [len(chunk.text) for chunk in chunks]),
            flawed=(
                *(number for number in self.flawed if number < first),
                *(number for number, chunk in enumerate(chunks, first) if chunk.is_flawed),
                *(number + grown for number in self.flawed if number > last),
            ),
        )
        if first == last and len(chunks) == 1:  # as in nearly every edit: there may be hundreds of blocks
            block, place = self.lengths.located(first)
            longer = len(chunks[0].text) - self.lengths.blocks[block][place]
            starts = self._block_starts
            edited.__dict__["_block_starts"] = [*starts[: block + 1], *[each + longer for each in starts[block + 1 :]]]
        return edited

    def number_at(self, offset: int) -> int:
        """Return the number of the chunk an offset of the run is in; its end belongs to the last chunk."""
        block = min(bisect_right(self._block_starts, offset), len(self.chunks.blocks)) - 1
        starts = list(accumulate(self.lengths.blocks[block], initial=self._block_starts[block]))
        return self.chunks.starts[block] + min(bisect_right(starts, offset), len(self.chunks.blocks[block])) - 1


def pieces_between(runs: Iterable[Run], start: int, end: int) -> tuple[Span, ...]:
    """Return the parts of `[start, end)` that are left when runs, in the order of the text, are cut out."""
    borders = [start, *(border for run in runs for border in (run.start, run.end)), end]
    return tuple(Span(*piece) for piece in zip(borders[::2], borders[1::2], strict=True) if piece[0] < piece[1])


class PlacedChunks(Sequence[PlacedChunk]):
    """The chunks of some runs, each placed on demand."""

    def __init__(self, runs: tuple[Run, ...]) -> None:
        self._runs = runs

    def __len__(self) -> int:
        return sum(len(run.chunks) for run in self._runs)

    @overload
    def __getitem__(self, index: int) -> PlacedChunk: ...
    @overload
    def __getitem__(self, index: slice) -> list[PlacedChunk]: ...
    def __getitem__(self, index: int | slice) -> PlacedChunk | list[PlacedChunk]:
        if isinstance(index, slice):
            return list(self)[index]
        number = index if index >= 0 else index + len(self)
        for run in self._runs:
            if 0 <= number < len(run.chunks):
                return run.placed(number)
            number -= len(run.chunks)
        raise IndexError(index)

    def __iter__(self) -> Iterator[PlacedChunk]:
        return chain.from_iterable(run.all_placed() for run in self._runs)


class LinePattern:
    """Finds lines by how they start. Searching for the line ending before a line is much faster than trying `^`."""

    def __init__(self, line: str) -> None:
        self._line = line

    @cached_attribute
    def _here(self) -> re.Pattern[str]:
        return re.compile(self._line)

    @cached_attribute
    def _after_break(self) -> re.Pattern[str]:
        return re.compile("\n" + self._line)

    def find(self, text: str, start: int, end: int) -> tuple[int, re.Match[str]] | None:
        """Return the start of the first line in `[start, end)` that matches; `start` is the start of a line."""
        match = self._here.match(text, start, end)
        if match is not None:
            return start, match
        match = next(matches_after_feeds(self._after_break, text, start, end), None)
        return None if match is None else (match.start() + 1, match)

    def find_all(self, text: str, start: int, end: int) -> list[int]:
        """Return the starts of all lines that match."""
        found = [start] if self._here.match(text, start, end) is not None else []
        return found + [match.start() + 1 for match in matches_after_feeds(self._after_break, text, start, end)]


CONTENT_LINE = LinePattern(rf"([ ]*)(?=[^ \t\r\n#])({ITEM})?")


def is_regular(text: str, start: int, end: int, indent: int, *, is_sequence: bool) -> bool:
    """Return whether each line of a run, or of a part of one, is indented as far as the run's parts require."""
    line = line_at_most(indent, skips_items=is_sequence, skips_brackets=False)
    return line.find(text, start, end) is None


def has_content(text: str, start: int, end: int) -> bool:
    """Return whether some line in `[start, end)` is neither blank nor a comment; `start` is the start of a line."""
    return CONTENT_LINE.find(text, start, end) is not None


def has_rare_line_break(text: str, start: int, end: int) -> bool:
    """Return whether YAML sees more line breaks in `[start, end)` than the expressions here do."""
    if text.isascii() and text.find("\r", start, end) < 0:
        return False
    return re.compile(_RARE_LINE_BREAK).search(text, start, end) is not None


@lru_cache(maxsize=64)  # compiled once
def item_line(indent: int) -> LinePattern:
    """Match an item of a sequence whose dashes have this indentation."""
    return LinePattern(" " * indent + ITEM)


@lru_cache(maxsize=128)  # compiled once
def line_at_most(indent: int, *, skips_items: bool = False, skips_brackets: bool = True) -> LinePattern:
    """Match a line with content that is not indented deeper; a comment is no content.

    It skips the items of a sequence at just this indentation, and lines that start with a closing bracket, if asked to.
    """
    content = r"[^ \t\r\n#\]}]" if skips_brackets else r"[^ \t\r\n#]"
    if not skips_items:
        return LinePattern(rf"[ ]{{0,{indent}}}{content}")
    shallower = rf"[ ]{{0,{indent - 1}}}{content}|" if indent else ""
    return LinePattern(rf"(?:{shallower}[ ]{{{indent}}}(?!{ITEM}){content})")
