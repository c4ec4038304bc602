"""Finds the node at a cursor, even between nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.yaml_positions.nodes import Entry, Mapping, Node, Sequence

if TYPE_CHECKING:
    from kro_ls.yaml_positions.cutting import Path
    from kro_ls.yaml_positions.document import Located, YamlDocument
    from kro_ls.yaml_positions.runs import PlacedChunk


def locate_cursor(document: YamlDocument, document_offset: int) -> tuple[Path, Located, bool] | None:
    """See `YamlDocument.path_at`."""
    placed = document.chunk_at(document_offset)
    offset = placed.to_chunk(document_offset)
    node = placed.node
    if offset is None or node is None:
        located = document.child(placed.path)
        return None if located is None else (located.path, located, False)
    steps, in_key = _descend(placed.chunk.text, node, offset)
    path = (*placed.path, *steps)
    if not steps and _is_outside(placed.chunk.text, node, offset):
        path = _climb(document, placed, _column(placed.chunk.text, offset))
    located = document.child(path)
    return None if located is None else (path, located, in_key)


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
        return found if offset <= found.end or _separator_between(text, found.end, offset, ":") else None
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


def _separator_between(text: str, start: int, end: int, separator: str) -> bool:
    return text[start:end].strip() == separator


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
