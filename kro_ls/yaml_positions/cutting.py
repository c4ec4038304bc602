"""Finds where a document can be cut into chunks: by indentation alone, with expressions over the whole text."""

from __future__ import annotations

import re
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from kro_ls.yaml_positions.chunks import parse_chunk
from kro_ls.yaml_positions.errors import YamlErrorCode
from kro_ls.yaml_positions.nodes import Mapping

if TYPE_CHECKING:
    from collections.abc import Collection

Path: TypeAlias = tuple[str | int, ...]
Cuts: TypeAlias = tuple[tuple[str, ...], ...]
# The path of a part of a text, and where the part starts and ends; it is whole lines.
Cut: TypeAlias = tuple[Path, int, int]

# YAML breaks lines at these, too; the expressions below do not.
_RARE_LINE_BREAK = re.compile("[\x85\u2028\u2029]|\r(?!\n)")
_DOCUMENT_START = re.compile(r"---[ \t]*(?:#[^\r\n]*)?(?:\r?\n|\Z)")
_ITEM = r"-(?=[ \t\r\n]|\Z)"
_LONGEST_PROBE = 4000


class _CutTree(dict[str, "_CutTree"]):
    """Cut paths by their first name; empty where a path ends."""


@lru_cache(maxsize=64)
def _cut_tree(cuts: Cuts) -> _CutTree:
    tree = _CutTree()
    for path in cuts:
        branch = tree
        for name in path:
            branch = branch.setdefault(name, _CutTree())
    return tree


class _LinePattern:
    """Finds lines by how they start. Searching for the line ending before a line is much faster than trying `^`."""

    def __init__(self, line: str) -> None:
        self._here = re.compile(line)
        self._after_break = re.compile("\n" + line)

    def find(self, text: str, start: int, end: int) -> tuple[int, re.Match[str]] | None:
        """Return the start of the first line in `[start, end)` that matches; `start` is the start of a line."""
        match = self._here.match(text, start, end)
        if match is not None:
            return start, match
        match = self._after_break.search(text, start, end)
        return None if match is None else (match.start() + 1, match)

    def find_all(self, text: str, start: int, end: int) -> list[int]:
        """Return the starts of all lines that match."""
        first = [start] if self._here.match(text, start, end) is not None else []
        return first + [match.start() + 1 for match in self._after_break.finditer(text, start, end)]


_CONTENT_LINE = _LinePattern(rf"([ ]*)(?![ \t\r\n#])({_ITEM})?")


def find_cuts(text: str, start: int, end: int, cuts: Cuts) -> list[Cut]:
    """Return the parts of the document `[start, end)` that the cut paths name, in the order of the text.

    A path is a sequence of keys; `*` at its end stands for every item of a block sequence. What is not written in
    block style, or stands on the line of its key, is not cut out.
    """
    if not cuts or _has_rare_line_break(text, start, end):
        return []
    marker = _DOCUMENT_START.match(text, start, end)
    found: list[Cut] = []
    _find(text, marker.end() if marker is not None else start, end, -1, _cut_tree(cuts), (), found)
    found.sort(key=itemgetter(1))
    return found


def _has_rare_line_break(text: str, start: int, end: int) -> bool:
    if text.isascii() and text.find("\r", start, end) < 0:
        return False
    return _RARE_LINE_BREAK.search(text, start, end) is not None


def _find(text: str, start: int, end: int, parent_indent: int, tree: _CutTree, path: Path, found: list[Cut]) -> None:
    first = _first_line(text, start, end)
    if first is None:
        return
    indent, is_item = first
    if "*" in tree and is_item:
        _cut_items(text, start, end, indent, path, found)
    if is_item or indent <= parent_indent:
        return
    # Of a repeated key the last one counts.
    keys = {name: lines[-1] for name in tree if (lines := _key_line(name, indent).find_all(text, start, end))}
    for name, key in keys.items():
        line_end = text.find("\n", key, end)
        value_start = line_end + 1 if line_end >= 0 else end
        value_end = _block_end(text, value_start, end, indent, keys.values())
        if tree[name]:
            _find(text, value_start, value_end, indent, tree[name], (*path, name), found)
        elif _is_nested(text, value_start, value_end, indent):
            found.append(((*path, name), value_start, value_end))


def _first_line(text: str, start: int, end: int) -> tuple[int, bool] | None:
    """Return the indentation of the first line with content, and whether it is an item of a sequence."""
    line = _CONTENT_LINE.find(text, start, end)
    return None if line is None else (len(line[1][1]), line[1][2] is not None)


def _cut_items(text: str, start: int, end: int, indent: int, path: Path, found: list[Cut]) -> None:
    starts = _item_line(indent).find_all(text, start, end)
    if starts:
        starts[0] = start
        found.extend(zip(_item_paths(path, len(starts)), starts, [*starts[1:], end], strict=True))


@lru_cache(maxsize=64)
def _item_paths(path: Path, count: int) -> tuple[Path, ...]:
    return tuple((*path, number) for number in range(count))


def _is_nested(text: str, start: int, end: int, indent: int) -> bool:
    first = _first_line(text, start, end)
    return first is not None and (first[0] > indent or first[1])


@lru_cache(maxsize=256)
def _key_line(name: str, indent: int) -> _LinePattern:
    """Match a key with nothing behind it; a colon still to be typed does not change what the lines below belong to."""
    plain = re.escape(name)
    key = rf"(?:{plain}|\"{plain}\"|'{plain}')"
    return _LinePattern(rf"{' ' * indent}{key}[ \t]*:?[ \t]*(?:(?<=[ \t])#[^\r\n]*)?(?=\r?\n|\Z)")


@lru_cache(maxsize=64)
def _item_line(indent: int) -> _LinePattern:
    return _LinePattern(" " * indent + _ITEM)


@lru_cache(maxsize=64)
def _line_at_most(indent: int, with_items: bool) -> _LinePattern:
    """Match a line that is indented at most so far, unless it is blank, a comment, or starts with a closing bracket.

    `with_items` leaves out the items of a sequence at just this indentation.
    """
    content = r"[^\s#\]}]"
    if with_items:
        shallower = rf"[ ]{{0,{indent - 1}}}{content}|" if indent else ""
        return _LinePattern(rf"(?:{shallower}[ ]{{{indent}}}(?!{_ITEM}){content})")
    return _LinePattern(rf"[ ]{{0,{indent}}}{content}")


def _block_end(text: str, start: int, end: int, indent: int, keys: Collection[int]) -> int:
    """Return where the value of a key at an indentation ends; `keys` are the starts of known keys' lines.

    A line that is indented less but cannot be the next entry of a mapping (a stray character before the spaces, a key
    half typed) is damage inside the value and does not end it.
    """
    first = _first_line(text, start, end)
    boundary = _line_at_most(indent, with_items=first == (indent, True))
    position = start
    while (line := boundary.find(text, position, end)) is not None:
        if line[0] in keys or _starts_entry(text, line[0], end):
            return line[0]
        position = text.find("\n", line[0], end) + 1
        if position == 0:
            break
    return end


def _starts_entry(text: str, start: int, end: int) -> bool:
    """Tell whether a line, with the deeper lines below it, reads as an entry of a mapping."""
    first = _first_line(text, start, end)
    line_end = text.find("\n", start, end) + 1
    if first is None:
        return False
    following = _line_at_most(first[0], with_items=not first[1]).find(text, line_end, end) if line_end else None
    stop = following[0] if following is not None else end
    if stop - start > _LONGEST_PROBE:
        stop = text.rfind("\n", start, start + _LONGEST_PROBE) + 1 or start + _LONGEST_PROBE
    probe = parse_chunk(text[start:stop])
    if not isinstance(probe.root, Mapping):
        return False
    return probe.unfinished is not None or not any(
        error.code in (YamlErrorCode.SYNTAX, YamlErrorCode.TAB_INDENTATION) for error in probe.errors
    )
