"""One YAML document, made of chunks that stand in a text, and the ways to find a node in it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from kro_ls.yaml_positions.conversion import JsonValue, to_python
from kro_ls.yaml_positions.errors import YamlError, YamlErrorCode
from kro_ls.yaml_positions.nodes import Alias, Mapping, Node, Sequence
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.yaml_positions.chunks import Chunk
    from kro_ls.yaml_positions.cutting import Path


class PlacedChunk(NamedTuple):
    """A chunk at its place in the whole text. `path` is the path of the value it holds, `()` for a document's frame.

    `pieces` are the parts of the text that a frame is made of, in order, where others are cut out of it; else empty.
    (A tuple, because a thousand of these are made for each key stroke.)
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
        root = self.chunk.root
        if self.path and isinstance(self.path[-1], int):
            return root.items[0] if isinstance(root, Sequence) and root.items else root
        return root

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


class Located(NamedTuple):
    """A node with the chunk it is in, its path, and its key where it is the value of a mapping's entry.

    The key may be in another chunk than the node (`key_placed`). A sequence whose items are chunks of their own is
    a zero-width node at the place of its value; its items are right, their offsets belong to their chunks: use
    `YamlDocument.children`.
    """

    placed: PlacedChunk
    key: Node | None
    node: Node
    path: Path
    key_placed: PlacedChunk

    @property
    def span(self) -> Span:
        """The node's span in the whole text."""
        return self.placed.span(self.node)

    @property
    def key_span(self) -> Span | None:
        """The key's span in the whole text."""
        return self.key_placed.span(self.key) if self.key is not None else None


@dataclass(frozen=True)
class YamlDocument:
    """A document: the span of the whole text it takes up, its frame, and the chunks that are cut out of the frame."""

    start: int
    end: int
    frame: PlacedChunk
    chunks: tuple[PlacedChunk, ...]

    @cached_property
    def errors(self) -> tuple[YamlError, ...]:
        """The errors of all chunks, by their place in the whole text."""
        found = [_placed_error(placed, error) for placed in (self.frame, *self.chunks) for error in placed.chunk.errors]
        found += [error for placed in self.chunks if placed.path[-1] == 0 for error in _no_item(placed)]
        return tuple(sorted(found, key=lambda error: (error.start, error.end)))

    @cached_property
    def _by_path(self) -> dict[Path, PlacedChunk]:
        return {placed.path: placed for placed in self.chunks}

    @cached_property
    def _items(self) -> dict[Path, list[PlacedChunk]]:
        items: dict[Path, list[PlacedChunk]] = {}
        for placed in self.chunks:
            if isinstance(placed.path[-1], int):
                items.setdefault(placed.path[:-1], []).append(placed)
        return items

    @cached_property
    def _chunk_starts(self) -> list[int]:
        return [placed.start for placed in self.chunks]

    @property
    def root(self) -> Located | None:
        """The document's value, None for an empty document."""
        return self.child(())

    def child(self, path: Path) -> Located | None:
        """Return the node at a path of keys and indices; aliases are followed except at the path's end."""
        home, found = self._home(path)
        if found is None:
            return None
        for depth in range(len(home.path), len(path)):
            found = self._step(found, path[depth])
            if found is None:
                return None
        items = self._items.get(path)
        return found if items is None else self._sequence_of_chunks(found, items)

    def children(self, path: Path) -> tuple[Located, ...]:
        """Return the values of the mapping or the items of the sequence at a path, `()` for anything else.

        Of a repeated key only the last entry is found, and no entry whose key is not a scalar.
        """
        items = self._items.get(path)
        if items is not None:
            return tuple(located for placed in items if (located := _chunk_value(placed, None, placed)) is not None)
        parent = self.child(path)
        return () if parent is None else tuple(self._children_of(parent))

    def path_at(self, document_offset: int) -> tuple[Path, Located, bool] | None:
        """Return the path and the innermost node at an offset of the whole text, and whether it is on the node's key.

        Between nodes the indentation decides, as it would for what is typed there. None in an empty document.
        """
        from kro_ls.yaml_positions.cursor import locate_cursor

        return locate_cursor(self, document_offset)

    def chunk_at(self, document_offset: int) -> PlacedChunk:
        """Return the chunk an offset of the whole text is in."""
        number = bisect_right(self._chunk_starts, document_offset) - 1
        if number >= 0:
            placed = self.chunks[number]
            if document_offset < placed.end or document_offset == placed.end == self.end:
                return placed
        return self.frame

    def to_python(self) -> JsonValue:
        """Return the document's value; see `conversion.to_python`."""
        value = to_python(self.frame.chunk.root)
        for path, items in self._items.items():
            value = _set(value, path, [to_python(placed.node) for placed in items])
        for placed in self.chunks:
            if isinstance(placed.path[-1], str):
                value = _set(value, placed.path, to_python(placed.node))
        return value

    def _home(self, path: Path) -> tuple[PlacedChunk, Located | None]:
        if self.chunks:
            for length in range(len(path), 0, -1):
                placed = self._by_path.get(path[:length])
                if placed is not None:
                    return placed, _chunk_value(placed, *self._key_of(placed))
        root = self.frame.chunk.root
        return self.frame, None if root is None else Located(self.frame, None, root, (), self.frame)

    def _key_of(self, placed: PlacedChunk) -> tuple[Node | None, PlacedChunk]:
        """Return the key, in the frame, of the entry whose value a chunk holds."""
        if isinstance(placed.path[-1], int):
            return None, placed
        node: Node | None = self.frame.chunk.root
        for name in placed.path[:-1]:
            node = node.get(str(name)) if isinstance(node, Mapping) else None
        entry = node.entry(placed.path[-1]) if isinstance(node, Mapping) else None
        return (None, placed) if entry is None else (entry.key, self.frame)

    def _step(self, parent: Located, name: str | int) -> Located | None:
        node = _followed(parent.node)
        path = (*parent.path, name)
        if isinstance(node, Mapping) and isinstance(name, str):
            entry = node.entry(name)
            return None if entry is None else Located(parent.placed, entry.key, entry.value, path, parent.placed)
        if isinstance(node, Sequence) and isinstance(name, int) and 0 <= name < len(node.items):
            return Located(parent.placed, None, node.items[name], path, parent.placed)
        return None

    def _children_of(self, parent: Located) -> Iterator[Located]:
        node = _followed(parent.node)
        if isinstance(node, Sequence):
            for number, item in enumerate(node.items):
                yield Located(parent.placed, None, item, (*parent.path, number), parent.placed)
        elif isinstance(node, Mapping):
            for name, entry in node.index.items():
                path = (*parent.path, name)
                if path in self._by_path or path in self._items:
                    found = self.child(path)
                    if found is not None:
                        yield found
                else:
                    yield Located(parent.placed, entry.key, entry.value, path, parent.placed)

    def _sequence_of_chunks(self, found: Located, items: list[PlacedChunk]) -> Located:
        nodes = tuple(node for placed in items if (node := placed.node) is not None)
        place = found.node.start
        return Located(found.placed, found.key, Sequence(place, place, nodes, flow=False), found.path, found.key_placed)


def _followed(node: Node) -> Node:
    return node.target if isinstance(node, Alias) and node.target is not None else node


def _chunk_value(placed: PlacedChunk, key: Node | None, key_placed: PlacedChunk) -> Located | None:
    node = placed.node
    return None if node is None else Located(placed, key, node, placed.path, key_placed)


def _no_item(placed: PlacedChunk) -> list[YamlError]:
    """Refuse a first item that has lost its dash: alone it reads well."""
    chunk = placed.chunk
    if chunk.errors or chunk.root is None or (isinstance(chunk.root, Sequence) and not chunk.root.flow):
        return []
    place = placed.document_span(Span(chunk.root.start, chunk.root.start + 1))
    message = "did not find expected '-' indicator: this line is not an item of the list"
    return [YamlError(place.start, place.end, message, YamlErrorCode.SYNTAX)]


def _placed_error(placed: PlacedChunk, error: YamlError) -> YamlError:
    place = placed.document_span(Span(error.start, error.end))
    related = placed.document_span(error.related) if error.related is not None else None
    return YamlError(place.start, place.end, error.message, error.code, related)


def _set(value: JsonValue, path: Path, part: JsonValue) -> JsonValue:
    """Put a part where its chunk was cut out; where the frame is damaged, make the mappings on the way."""
    if not path:
        return part
    mapping = value if isinstance(value, dict) else {}
    mapping[str(path[0])] = _set(mapping.get(str(path[0])), path[1:], part)
    return mapping
