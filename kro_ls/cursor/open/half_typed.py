"""The key or value that is being typed in YAML, also where nothing is there yet.

A marker is put in the place of the word at the cursor and the one chunk around it is parsed again: where the marker
ends up in the tree is where the word will be.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.yaml_positions.documents.chunks import parse_chunk
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence, node_at
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.paths import Path
    from kro_ls.cursor.schemas.yaml import YamlSchema, YamlSchemas
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.yaml_positions.documents.chunks import Chunk
    from kro_ls.yaml_positions.documents.document import YamlDocument
    from kro_ls.yaml_positions.documents.runs import PlacedChunk
    from kro_ls.yaml_positions.nodes import Node

MARKER = "kroLsMarker"
"""What is put in the place of a word, so that it can be found in the tree."""
_COLON = re.compile(r"[ ]*:(?=\s|\Z)")
_LINE_START = re.compile(r"[ ]*(?:-[ ]+)*\Z")
_FLOW_START = re.compile(r"[{\[,][ ]*\Z")
_VALUE_START = re.compile(r"(?::[ ]+|-[ ]+)[\"']?\Z")
_WORD_BEFORE = re.compile(r"(?:(?<=[\s\"'{\[,])|\A)(?:\$|[A-Za-z0-9_][\w./-]*)?\Z", re.ASCII)
_WORD_AFTER = re.compile(r"[\w./-]*", re.ASCII)
_NEXT_LINE = re.compile(r"\n([ ]*)(?=[^\s#])")
_CONTENT_LINE = re.compile(r"^[ ]*[^\s#]", re.MULTILINE)
# More than any object that people write; a completion has to be there before the next key stroke.
_MOST_NODES = 100_000


class OpenYaml(Struct, frozen=True):
    """What is being typed.

    `path` leads to the mapping that a key is typed in (or to a place that has no value yet), or to the value that is
    typed. `word` is what there is of it so far, in document offsets.
    `parent` is the mapping with the key, or the one that the value belongs to; its entries are those beside the key.
    `indent` counts the columns between the line's own indentation and the word. `has_colon` is true for a key if its
    colon follows already, `quoted` that the word stands in quotes, `new_item` that a dash has to be typed before it.
    `chunk_root` is the tree of the chunk with the marker in it, and `chunk_path` the path of that tree. Its nodes have
    offsets in the text with the marker; `placed_span` gives them in the document.
    """

    described: YamlSchemas
    path: Path
    is_key: bool
    word: Span
    parent: Mapping | None
    indent: int
    has_colon: bool
    quoted: bool
    in_flow: bool
    new_item: bool
    chunk_root: Node
    chunk_path: Path
    _placed: PlacedChunk
    _marker: Span

    def placed_span(self, span: Span) -> Span:
        """Return the span in the document of a node of `chunk_root` that does not hold the word."""
        if span.start >= self._marker.end:
            span = span.shift(self.word.end - self.word.start - (self._marker.end - self._marker.start))
        return self._placed.document_span(span)

    @property
    def schemas(self) -> SchemaIndex:
        """The kinds that objects can be of."""
        return self.described.index

    @property
    def schema(self) -> YamlSchema | None:
        """The schema of the mapping that a key is typed in, or of the value that is typed."""
        return self.schema_at(self.path)

    def schema_at(self, path: Path) -> YamlSchema | None:
        """Return the schema at a path of the document."""
        return self.described.at(path, self.node_at)

    def field_schema(self, name: str) -> YamlSchema | None:
        """Return the schema of a field of the mapping that a key is typed in."""
        return self.described.field((*self.path, name), self.node_at)

    @property
    def siblings(self) -> dict[str, Node]:
        """The values of the keys beside the one that is typed, or of those around the value."""
        entries = self.parent.entries if self.parent else ()
        return {entry.name: entry.value for entry in entries if entry.name and entry.name != MARKER}

    def node_at(self, path: Path) -> Node | None:
        """Return the value at a path, None where it is outside of the chunk."""
        length = len(self.chunk_path)
        return node_at(self.chunk_root, path[length:]) if path[:length] == self.chunk_path else None


def open_yaml(document: YamlDocument, schemas: YamlSchemas, content: str, offset: int) -> OpenYaml | None:
    """Return what is typed at an offset of the whole text in a document; None in comments and in longer texts.

    `content` is the text of all documents.
    """
    before = _WORD_BEFORE.search(content, content.rfind("\n", 0, offset) + 1, offset)
    if before is None:
        return None
    after = _WORD_AFTER.match(content, offset)
    span = Span(before.start(), after.end() if after else offset)
    placed = document.chunk_at(offset)
    start = placed.to_chunk(span.start)
    if start is None:
        return None
    word = word_in(placed.chunk.text, start, start + span.end - span.start)
    if word.begins_line and not word.has_colon:
        following = _NEXT_LINE.search(content, offset)
        if following and len(following[1]) > len(word.before):
            return None  # a key here would take the deeper lines below it from where they belong
    if _is_outside(placed, word):
        return _find_in_frame(document, schemas, placed, word, span)
    return _find(schemas, placed, word, span)


def _is_outside(placed: PlacedChunk, word: Word) -> bool:
    """Whether a line stands in the text of a chunk but is not indented enough for the chunk's value."""
    root = placed.chunk.root
    if root is None or not placed.path:
        return False
    indentation = root.start - (placed.chunk.text.rfind("\n", 0, root.start) + 1)
    if word.column == indentation and isinstance(placed.path[-1], int):
        return not word.before.strip()
    return word.column < indentation


def _find_in_frame(
    document: YamlDocument, schemas: YamlSchemas, placed: PlacedChunk, word: Word, span: Span
) -> OpenYaml | None:
    """Look at a line after the value of a chunk as if it stood in the document's frame, after the chunk."""
    frame = document.frame
    rest = word.text[word.end + len(word.after) :]
    if word.before.strip() or _CONTENT_LINE.search(rest):
        return None
    length = sum(piece.end - piece.start for piece in frame.pieces if piece.end <= placed.start)
    head = frame.chunk.text[:length]
    head = head if not head or head.endswith("\n") else f"{head}\n"
    text = f"{head}{word.before}{MARKER}{word.after}\n{frame.chunk.text[length:]}"
    start = len(head) + len(word.before)
    return _find(schemas, frame, word_in(text, start, start + len(MARKER)), span)


def _find(schemas: YamlSchemas, placed: PlacedChunk, word: Word, span: Span) -> OpenYaml | None:
    for mark, new_item in word.marks():
        marker = Span(word.start, word.start + len(mark))
        chunk = parse_chunk(word.text[: word.start] + mark + word.text[word.end :])
        if chunk.root is None or _is_refused(chunk, word, marker):
            continue
        root = _root(placed, chunk.root)
        for path, parent, node in _walk(root, placed.path):
            if isinstance(node, Scalar) and node.text == MARKER:
                return OpenYaml(
                    described=schemas,
                    path=path[:-1] if new_item else path,
                    is_key=isinstance(parent, Mapping) and any(entry.key is node for entry in parent.entries),
                    word=span,
                    parent=parent if isinstance(parent, Mapping) and not new_item else None,
                    indent=len(word.before) - word.column,
                    has_colon=word.has_colon,
                    quoted=word.is_quoted,
                    in_flow=isinstance(parent, (Mapping, Sequence)) and parent.flow,
                    new_item=new_item,
                    chunk_root=root,
                    chunk_path=placed.path,
                    _placed=placed,
                    _marker=marker,
                )
    return None


def _is_refused(chunk: Chunk, word: Word, marker: Span) -> bool:
    """Whether YAML allows no key in the marker's line: one on a line of its own has no other fault there."""
    line_end = marker.end + len(word.after)
    return word.begins_line and any(marker.start <= error.start <= line_end for error in chunk.errors)


def _root(placed: PlacedChunk, root: Node) -> Node:
    """Return the value of a chunk; of an item's chunk, the item."""
    is_item = bool(placed.path) and isinstance(placed.path[-1], int)
    return root.items[0] if is_item and isinstance(root, Sequence) and root.items else root


def _walk(root: Node, path: Path) -> Iterator[tuple[Path, Node | None, Node]]:
    """Yield each scalar with its parent and its path: for a key, the path of the mapping that it is in."""
    pending: list[tuple[Path, Node | None, Node]] = [(path, None, root)]
    left = _MOST_NODES
    while pending and left > 0:
        left -= 1
        path, parent, node = pending.pop()
        if isinstance(node, Mapping):
            for entry in node.entries:
                yield path, node, entry.key
                if entry.name is not None:
                    pending.append(((*path, entry.name), node, entry.value))
        elif isinstance(node, Sequence):
            pending.extend(((*path, number), node, item) for number, item in enumerate(node.items))
        else:
            yield path, parent, node


class Word(Struct, frozen=True):
    """A word in a text that may be a chunk's.

    `before` and `after` are the rest of its line, and `column` is where the line's text begins.
    """

    text: str
    start: int
    end: int
    column: int
    before: str
    after: str

    @property
    def begins_line(self) -> bool:
        """Whether only spaces and dashes stand before the word."""
        return _LINE_START.match(self.before) is not None

    @property
    def has_colon(self) -> bool:
        """Whether a colon follows, which makes the word a key."""
        return _COLON.match(self.after) is not None

    @property
    def is_quoted(self) -> bool:
        """Whether the word stands right after a quote."""
        return self.before.endswith(("'", '"'))

    def marks(self) -> Iterator[tuple[str, bool]]:
        """Yield what to put in the word's place, the likeliest first, and whether it begins an item of a list."""
        key = MARKER if self.has_colon else f"{MARKER}: "
        if self.begins_line:
            yield key, False
            if "-" not in self.before:
                yield f"- {key}", True
        elif _FLOW_START.search(self.before):
            yield key, False
            yield MARKER, False
        elif _VALUE_START.search(self.before) or _FLOW_START.search(self.before.rstrip("\"'")):
            yield MARKER, False


def word_in(text: str, start: int, end: int) -> Word:
    """Return the word from `start` to `end` with its line."""
    line = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    before = text[line:start]
    column = len(before) - len(before.lstrip(" "))
    return Word(text, start, end, column, before, text[end : line_end if line_end >= 0 else len(text)])
