"""Chunks that follow one another in a text, and their places, worked out when they are asked for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, overload

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.yaml_positions import nodes
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.yaml_positions.chunks import Chunk
    from kro_ls.yaml_positions.cutting import Path
    from kro_ls.yaml_positions.nodes import Node


class PlacedChunk(NamedTuple):
    """A chunk at its place in the whole text. `path` is the path of the value it holds, `()` for a document's frame.

    `pieces` are the parts of the text that a frame is made of, in order, where others are cut out of it; else empty.
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
        """Return the offset in the chunk's text, or None where another chunk has the offset of the whole text."""
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
        start = self.to_document(span.start)
        return Span(start, start if span.end <= span.start else self.to_document(span.end - 1) + 1)


def item_of(chunk: Chunk) -> Node | None:
    """Return the item that the chunk of a sequence's item holds."""
    root = chunk.root
    if isinstance(root, nodes.Sequence):
        return root.items[0] if root.items else root
    return root


class Run(Struct, frozen=True, eq=False, dict=True):
    """The chunks of the items of a sequence at `path`, or of the one value at `path`, from `start` of the whole text.

    `indent` is that of the dashes or of the value's key; see `cutting.CutRun` for `is_regular`. `flawed` are the
    numbers of the chunks that are, see `chunks.Chunk`.
    """

    path: Path
    is_sequence: bool
    indent: int
    is_regular: bool
    start: int
    chunks: tuple[Chunk, ...]
    lengths: tuple[int, ...]
    flawed: tuple[int, ...]

    @property
    def flawed_chunks(self) -> tuple[Chunk, ...]:
        """The chunks with errors, and those to which the rest of the document may matter."""
        return tuple(self.chunks[number] for number in self.flawed)

    @cached_property
    def starts(self) -> list[int]:
        """Where each chunk starts in the whole text, and at last where the run ends."""
        return list(accumulate(self.lengths, initial=self.start))

    @property
    def end(self) -> int:
        """Where the run ends in the whole text."""
        return self.starts[-1]

    def placed(self, number: int) -> PlacedChunk:
        """Return one of the chunks at its place."""
        path = (*self.path, number) if self.is_sequence else self.path
        return PlacedChunk(self.chunks[number], path, self.starts[number])

    def edited(self, first: int, last: int, chunks: list[Chunk]) -> Run:
        """Return the run with other chunks in the place of those from `first` to `last`."""
        grown = len(chunks) - (last + 1 - first)
        return replace(
            self,
            chunks=(*self.chunks[:first], *chunks, *self.chunks[last + 1 :]),
            lengths=(*self.lengths[:first], *(len(chunk.text) for chunk in chunks), *self.lengths[last + 1 :]),
            flawed=(
                *(number for number in self.flawed if number < first),
                *(number for number, chunk in enumerate(chunks, first) if chunk.is_flawed),
                *(number + grown for number in self.flawed if number > last),
            ),
        )

    def number_at(self, offset: int) -> int:
        """Return the number of the chunk an offset of the run is in; its end belongs to the last chunk."""
        return min(bisect_right(self.starts, offset), len(self.chunks)) - 1


class PlacedChunks(Sequence[PlacedChunk]):
    """The chunks of some runs, each placed when it is asked for."""

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
        return (run.placed(number) for run in self._runs for number in range(len(run.chunks)))
