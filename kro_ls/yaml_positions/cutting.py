"""Finds where a document can be cut into chunks: by indentation alone, with expressions over the whole text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from kro_ls.yaml_positions.chunks import parse_chunk
from kro_ls.yaml_positions.errors import YamlErrorCode
from kro_ls.yaml_positions.nodes import Mapping

Path: TypeAlias = tuple[str | int, ...]
Cuts: TypeAlias = tuple[tuple[str, ...], ...]

# YAML breaks lines at these, too; the expressions below do not.
_RARE_LINE_BREAK = re.compile("[\x85\u2028\u2029]|\r(?!\n)")
_CONTENT_LINE = re.compile(r"^([ ]*)(?![ \t\r\n#])(-(?=[ \t\r\n]|\Z))?", re.MULTILINE)
_DOCUMENT_START = re.compile(r"---[ \t]*(?:#[^\r\n]*)?(?:\r?\n|\Z)")
_LONGEST_PROBE = 4000


@dataclass(frozen=True, slots=True)
class Cut:
    """A part of a text, whole lines, that holds the value at a path."""

    path: Path
    start: int
    end: int


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


def find_cuts(text: str, start: int, end: int, cuts: Cuts) -> list[Cut]:
    """Return the parts of the document `[start, end)` that the cut paths name, in the order of the text.

    A path is a sequence of keys; `*` at its end stands for every item of a block sequence. What is not written in
    block style, or stands on the line of its key, is not cut out.
    """
    if not cuts or _RARE_LINE_BREAK.search(text, start, end):
        return []
    marker = _DOCUMENT_START.match(text, start, end)
    found: list[Cut] = []
    _find(text, marker.end() if marker is not None else start, end, -1, _cut_tree(cuts), (), found)
    found.sort(key=lambda cut: cut.start)
    return found


def _find(text: str, start: int, end: int, parent_indent: int, tree: _CutTree, path: Path, found: list[Cut]) -> None:
    first = _CONTENT_LINE.search(text, start, end)
    if first is None:
        return
    indent = len(first[1])
    if "*" in tree and first[2]:
        _cut_items(text, start, end, indent, path, found)
    if first[2] or indent <= parent_indent:
        return
    for name, branch in tree.items():
        keys = list(_key_line(name, indent).finditer(text, start, end))
        if not keys:
            continue
        key = keys[-1]  # of a repeated key the last one counts
        value_end = _block_end(text, key.end(), end, indent)
        if branch:
            _find(text, key.end(), value_end, indent, branch, (*path, name), found)
        elif _is_nested(text, key.end(), value_end, indent):
            found.append(Cut((*path, name), key.end(), value_end))


def _cut_items(text: str, start: int, end: int, indent: int, path: Path, found: list[Cut]) -> None:
    starts = [match.start() for match in _item_line(indent).finditer(text, start, end)]
    if starts:
        starts[0] = start
        ends = [*starts[1:], end]
        found.extend(Cut((*path, number), *bounds) for number, bounds in enumerate(zip(starts, ends, strict=True)))


def _is_nested(text: str, start: int, end: int, indent: int) -> bool:
    first = _CONTENT_LINE.search(text, start, end)
    return first is not None and (len(first[1]) > indent or first[2] is not None)


@lru_cache(maxsize=256)
def _key_line(name: str, indent: int) -> re.Pattern[str]:
    """Match a key with nothing behind it; a colon still to be typed does not change what the lines below belong to."""
    quoted = re.escape(name)
    return re.compile(
        rf"^[ ]{{{indent}}}(?:{quoted}|\"{quoted}\"|'{quoted}')[ \t]*:?[ \t]*(?:(?<=[ \t])#[^\r\n]*)?(?:\r?\n|\Z)",
        re.MULTILINE,
    )


@lru_cache(maxsize=64)
def _item_line(indent: int) -> re.Pattern[str]:
    return re.compile(rf"^[ ]{{{indent}}}-(?=[ \t\r\n]|\Z)", re.MULTILINE)


@lru_cache(maxsize=64)
def _line_at_most(indent: int, with_items: bool) -> re.Pattern[str]:
    """Match a line that is indented at most so far, unless it is blank, a comment, or starts with a closing bracket.

    `with_items` leaves out the items of a sequence at just this indentation.
    """
    content = r"[^\s#\]}]"
    if with_items:
        shallower = rf"[ ]{{0,{indent - 1}}}{content}|" if indent else ""
        return re.compile(rf"^(?:{shallower}[ ]{{{indent}}}(?!-(?:[ \t\r\n]|\Z)){content})", re.MULTILINE)
    return re.compile(rf"^[ ]{{0,{indent}}}{content}", re.MULTILINE)


def _block_end(text: str, start: int, end: int, indent: int) -> int:
    """Return where the value of a key at an indentation ends.

    A line that is indented less but cannot be the next entry of a mapping (a stray character before the spaces, a key
    half typed) is damage inside the value and does not end it.
    """
    first = _CONTENT_LINE.search(text, start, end)
    is_sequence_at_key = first is not None and first[2] is not None and len(first[1]) == indent
    boundary = _line_at_most(indent, is_sequence_at_key)
    position = start
    while (match := boundary.search(text, position, end)) is not None:
        if _starts_entry(text, match.start(), end):
            return match.start()
        position = match.end()
    return end


def _starts_entry(text: str, start: int, end: int) -> bool:
    """Tell whether a line, with the deeper lines below it, reads as an entry of a mapping."""
    line = _CONTENT_LINE.match(text, start, end)
    if line is None:
        return False
    following = _line_at_most(len(line[1]), with_items=line[2] is None).search(text, line.end() + 1, end)
    stop = following.start() if following is not None else end
    if stop - start > _LONGEST_PROBE:
        stop = text.rfind("\n", start, start + _LONGEST_PROBE) + 1 or start + _LONGEST_PROBE
    probe = parse_chunk(text[start:stop])
    if not isinstance(probe.root, Mapping):
        return False
    return probe.unfinished is not None or not any(
        error.code in (YamlErrorCode.SYNTAX, YamlErrorCode.TAB_INDENTATION) for error in probe.errors
    )
