"""One YAML document, made of the chunks of a text, and how a node is found in it by its path or at a cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.queries.cells import cached_attribute
from kro_ls.yaml_positions.documents.runs import PlacedChunk, PlacedChunks, Run, item_of
from kro_ls.yaml_positions.errors import ExcessiveAliasingError, YamlError, YamlErrorCode
from kro_ls.yaml_positions.nodes import Entry, JsonValue, Mapping, Node, Sequence, resolved, to_python
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.yaml_positions.positions import Path


class Located(Struct, frozen=True):
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


class YamlDocument(Struct, frozen=True, dict=True):
    """A document: the span of the whole text it takes up, its frame, and the runs of chunks that are cut out of it.

    `is_key_repeated`: a key on the path of a run was found more than once, so the cuts may be wrong. `is_entangled`:
    some chunk may depend on others; see `chunks.Chunk`.
    """

    start: int
    end: int
    frame: PlacedChunk
    runs: tuple[Run, ...] = ()
    is_key_repeated: bool = False
    is_entangled: bool = False

    @property
    def chunks(self) -> PlacedChunks:
        """The chunks that are cut out of the frame, in the order of the text."""
        return PlacedChunks(self.runs)

    @cached_attribute
    def damaged(self) -> tuple[PlacedChunk, ...]:
        """The frame and the chunks that hold errors, in this order."""
        found = [self.frame] if self.frame.chunk.errors else []
        for run in self.runs:
            found += [run.placed(number) for number in run.flawed if run.chunks[number].errors]
        return tuple(found)

    @cached_attribute
    def errors(self) -> tuple[YamlError, ...]:
        """The errors of all chunks, by their place in the whole text."""
        found = [_placed_error(placed, error) for placed in self.damaged for error in placed.chunk.errors]
        found += [_placed_error(*each) for each in self.wrong_first_items]
        return tuple(sorted(found, key=lambda error: (error.start, error.end)))

    @property
    def wrong_first_items(self) -> Iterator[tuple[PlacedChunk, YamlError]]:
        """The first items that are valid alone but do not fit the other items, each with the error in its text."""
        for run in self.runs:
            error = _error_of_first_item(run) if run.is_sequence else None
            if error:
                yield run.placed(0), error

    def run_at(self, path: Path) -> Run | None:
        """Return the run of the value, or of the items of the sequence, at a path."""
        return next((run for run in self.runs if run.path == path), None)

    def key_span(self, run: Run) -> Span | None:
        """Return the span of the key under which a run was cut out."""
        key, placed = self._key_of(run.placed(0))
        return placed.span(key) if key is not None else None

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
        run = self.run_at(path)
        return found if run is None or not run.is_sequence else self._sequence_of_chunks(found, run)

    def children(self, path: Path) -> tuple[Located, ...]:
        """Return the values of the mapping or the items of the sequence at a path, `()` for anything else.

        Of a repeated key only the last entry is found, and no entry whose key is not a scalar.
        """
        run = self.run_at(path)
        if run is not None and run.is_sequence:
            values = (_chunk_value(placed, None, placed) for placed in run.all_placed())
            return tuple(located for located in values if located is not None)
        parent = self.child(path)
        return () if parent is None else tuple(self._children_of(parent))

    def path_at(self, document_offset: int) -> tuple[Path, Located, bool] | None:
        """Return the path and the innermost node at an offset of the whole text, and whether it is on the node's key.

        Between nodes the indentation decides, as it would for text typed there. None in an empty document.
        """
        placed = self.chunk_at(document_offset)
        text, offset, node = placed.chunk.text, placed.to_chunk(document_offset), placed.node
        if offset is None or node is None:
            located = self.child(placed.path)
            return None if located is None else (located.path, located, False)
        steps, in_key = _descend(text, node, offset)
        path = (*placed.path, *steps)
        if not steps and _is_outside(text, node, offset):
            path = _climb(self, placed, _column(text, offset))
        located = self.child(path)
        return None if located is None else (path, located, in_key)

    def chunk_at(self, document_offset: int) -> PlacedChunk:
        """Return the chunk an offset of the whole text is in."""
        for run in self.runs:
            if run.start <= document_offset < run.end or document_offset == run.end == self.end:
                return run.placed(run.number_at(document_offset))
        return self.frame

    @property
    def is_read_whole(self) -> bool:
        """Whether all its aliases have their targets: not too many values are repeated by reference."""
        frame = self.frame.chunk
        return not frame.cut and all(error.code is not YamlErrorCode.EXCESSIVE_ALIASING for error in frame.errors)

    def to_python(self) -> JsonValue:
        """Return the document's value; see `nodes.to_python`. Raises ExcessiveAliasingError."""
        if not self.is_read_whole:
            raise ExcessiveAliasingError
        value = to_python(self.frame.chunk.root)
        for run in self.runs:
            items = [to_python(item_of(chunk) if run.is_sequence else chunk.root) for chunk in run.chunks]
            value = _set(value, run.path, items if run.is_sequence else items[0])
        return value

    def _home(self, path: Path) -> tuple[PlacedChunk, Located | None]:
        for run in self.runs:
            length = len(run.path)
            if path[:length] != run.path:
                continue
            if not run.is_sequence:
                placed = run.placed(0)
                return placed, _chunk_value(placed, *self._key_of(placed))
            number = path[length] if len(path) > length else None
            if isinstance(number, int) and 0 <= number < len(run.chunks):
                placed = run.placed(number)
                return placed, _chunk_value(placed, None, placed)
        root = self.frame.chunk.root
        return self.frame, None if root is None else Located(self.frame, None, root, (), self.frame)

    def _key_of(self, placed: PlacedChunk) -> tuple[Node | None, PlacedChunk]:
        """Return the key, in the frame, of the entry whose value a chunk holds."""
        node: Node | None = self.frame.chunk.root
        for name in placed.path[:-1]:
            node = node.get(str(name)) if isinstance(node, Mapping) else None
        entry = node.entry(str(placed.path[-1])) if isinstance(node, Mapping) else None
        return (None, placed) if entry is None else (entry.key, self.frame)

    def _step(self, parent: Located, name: str | int) -> Located | None:
        node = resolved(parent.node)
        path = (*parent.path, name)
        if isinstance(node, Mapping) and isinstance(name, str):
            entry = node.entry(name)
            return None if entry is None else Located(parent.placed, entry.key, entry.value, path, parent.placed)
        if isinstance(node, Sequence) and isinstance(name, int) and 0 <= name < len(node.items):
            return Located(parent.placed, None, node.items[name], path, parent.placed)
        return None

    def _children_of(self, parent: Located) -> Iterator[Located]:
        node = resolved(parent.node)
        if isinstance(node, Sequence):
            for number, item in enumerate(node.items):
                yield Located(parent.placed, None, item, (*parent.path, number), parent.placed)
        elif isinstance(node, Mapping):
            for name, entry in node.index.items():
                path = (*parent.path, name)
                if self.run_at(path) is not None:
                    found = self.child(path)
                    if found is not None:
                        yield found
                else:
                    yield Located(parent.placed, entry.key, entry.value, path, parent.placed)

    def _sequence_of_chunks(self, found: Located, run: Run) -> Located:
        nodes = tuple(node for chunk in run.chunks if (node := item_of(chunk)) is not None)
        place = found.node.start
        return Located(found.placed, found.key, Sequence(place, place, nodes, flow=False), found.path, found.key_placed)


def _chunk_value(placed: PlacedChunk, key: Node | None, key_placed: PlacedChunk) -> Located | None:
    node = placed.node
    return None if node is None else Located(placed, key, node, placed.path, key_placed)


def _error_of_first_item(run: Run) -> YamlError | None:
    """Return the error of a first item that lacks its dash, or has it deeper than the others."""
    chunk = run.chunks[0]
    root = chunk.root
    if chunk.errors or root is None:
        return None
    if not isinstance(root, Sequence) or root.flow:
        message, printed = "expected '- '; this line is not an item of the list", "did not find expected '-' indicator"
    elif _column_of(chunk.text, root.start) > run.indent:
        message = "the next dash is less indented; give all items the same indentation"
        printed = "did not find expected key"
    else:
        return None
    return YamlError(root.start, root.start + 1, message, YamlErrorCode.SYNTAX, printed=printed)


def _placed_error(placed: PlacedChunk, error: YamlError) -> YamlError:
    place = placed.document_span(Span(error.start, error.end))
    related = placed.document_span(error.related) if error.related is not None else None
    return replace(error, start=place.start, end=place.end, related=related)


def _set(value: JsonValue, path: Path, part: JsonValue) -> JsonValue:
    """Put a part where its chunk was cut out; if the frame is damaged, create the mappings on its path."""
    if not path:
        return part
    mapping = value if isinstance(value, dict) else {}
    mapping[str(path[0])] = _set(mapping.get(str(path[0])), path[1:], part)
    return mapping


def _is_outside(text: str, node: Node, offset: int) -> bool:
    """Return whether an offset is in a line above or below all lines of a node."""
    return not _line_start(text, node.start) <= offset <= node.end and _line_start(text, node.end) != _line_start(
        text, offset
    )


def _climb(document: YamlDocument, placed: PlacedChunk, column: int) -> Path:
    """Return the path to which text typed in a column after a chunk would belong."""
    path = placed.path
    while path:
        if isinstance(path[-1], int):
            root = placed.chunk.root
            start = _column_of(placed.chunk.text, root.start) if root is not None else 0
        else:
            located = document.child(path)
            key = None if located is None else located.key
            start = -1 if located is None or key is None else _column_of(located.key_placed.chunk.text, key.start)
        if column > start:
            break
        path = path[:-1]
    return path


def _descend(text: str, node: Node, offset: int) -> tuple[Path, bool]:
    """Return the keys and indices from a node to the innermost one at an offset, and whether the last key is at it."""
    column = _column(text, offset)
    line = _line_start(text, offset)
    steps: list[str | int] = []
    while True:
        if isinstance(node, Mapping):
            entry = _entry_at(text, node, offset, line, column)
            if entry is None or entry.name is None:
                return tuple(steps), False
            steps.append(entry.name)
            if entry.key.start <= offset <= entry.key.end:
                return tuple(steps), True
            node = entry.value
        elif isinstance(node, Sequence):
            number = _item_at(text, node, offset, line, column)
            if number is None:
                return tuple(steps), False
            steps.append(number)
            node = node.items[number]
        else:
            return tuple(steps), False


def _entry_at(text: str, mapping: Mapping, offset: int, line: int, column: int) -> Entry | None:
    found = None
    for entry in mapping.entries:
        if entry.start > offset:
            break
        found = entry
    if found is None or mapping.index.get(found.name or "") is not found:
        return None
    if mapping.flow:
        return found if offset <= found.end or text[found.end : offset].strip() == ":" else None
    is_same_line = _line_start(text, found.value.end) == line or _line_start(text, found.key.end) == line
    if offset <= found.end or (is_same_line and not _is_finished(found.value)):
        return found
    return found if not is_same_line and column > _column_of(text, found.key.start) else None


def _item_at(text: str, sequence: Sequence, offset: int, line: int, column: int) -> int | None:
    found = None
    for number, item in enumerate(sequence.items):
        if item.start > offset:
            break
        found = number
    if found is None:
        return None
    item = sequence.items[found]
    if sequence.flow or offset <= item.end:
        return found if offset <= item.end else None
    if _line_start(text, item.end) == line:
        return found
    return found if column > _column_of(text, sequence.start) else None


def _is_finished(value: Node) -> bool:
    """Return whether nothing more can be typed after a value on its line."""
    return isinstance(value, (Mapping, Sequence)) and value.flow


def _line_start(text: str, offset: int) -> int:
    before = text.rfind("\n", 0, offset) + 1
    return max(text.rfind("\r", before, offset) + 1, before)


def _column_of(text: str, offset: int) -> int:
    return offset - _line_start(text, offset)


def _column(text: str, offset: int) -> int:
    """Return the column of the first character of a line, of the cursor in a blank line or before that character."""
    start = _line_start(text, offset)
    before = text[start:offset]
    return len(before) - len(before.lstrip(" "))
