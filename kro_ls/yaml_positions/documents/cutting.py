"""Finds where a document can be cut into chunks, by indentation alone, with regular expressions over the whole text."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.yaml_positions.documents.chunks import parse_chunk
from kro_ls.yaml_positions.documents.runs import (
    CONTENT_LINE,
    ITEM,
    CutRun,
    LinePattern,
    has_rare_line_break,
    is_regular,
    item_line,
    line_at_most,
)
from kro_ls.yaml_positions.errors import YamlErrorCode
from kro_ls.yaml_positions.nodes import Mapping

if TYPE_CHECKING:
    from collections.abc import Collection

    from kro_ls.yaml_positions.documents.chunks import Chunk
    from kro_ls.yaml_positions.positions import Path

Cuts: TypeAlias = tuple[tuple[str, ...], ...]

_DOCUMENT_START = r"---[ \t]*(?:#[^\r\n]*)?(?:\r?\n|\Z)"
INSIDE: Final = "/"
_LONGEST_PROBE = 4000
_GRAVE = frozenset({YamlErrorCode.SYNTAX, YamlErrorCode.INDENTATION, YamlErrorCode.TAB_INDENTATION})
_LONGEST_FIRST_ITEM = 20_000
_DEEPEST_INDENT = 500  # each indentation has expressions of its own


class _CutTree(dict[str, "_CutTree"]):
    """Cut paths by their first name; empty where a path ends."""


@lru_cache(maxsize=64)  # few places are cut
def _cut_tree(cuts: Cuts) -> _CutTree:
    tree = _CutTree()
    for path in cuts:
        branch = tree
        for name in path:
            branch = branch.setdefault(name, _CutTree())
    return tree


_ANY_ITEM = LinePattern("[ ]*" + ITEM)


class FoundCuts(Struct, frozen=True):
    """The runs in the order of the text, and whether a key was found more than once, so that they may be wrong.

    `parsed` are chunks that had to be parsed for this; while they are alive, they are not parsed again.
    """

    runs: list[CutRun]
    is_key_repeated: bool
    parsed: tuple[Chunk, ...] = ()


class _Search:
    """The state of a search. `is_damaged` means that a line was out of place, so that its neighbours decided."""

    def __init__(self) -> None:
        self.runs: list[CutRun] = []
        self.parsed: list[Chunk] = []
        self.is_key_repeated = False
        self.is_damaged = False


def find_cuts(text: str, start: int, end: int, cuts: Cuts) -> FoundCuts:
    """Return the parts of the document `[start, end)` that the cut paths name, in the order of the text.

    A path is a sequence of keys; `*` at its end stands for every item of a block sequence. A key after `INSIDE` names
    a mapping in the value, which is cut out as a whole (`CutRun.inner`). A value that is not in block style, or
    starts on the line of its key, is not cut out.
    """
    if not cuts or has_rare_line_break(text, start, end):
        return FoundCuts([], is_key_repeated=False)
    end = _before_end_marker(text, start, end)
    marker = re.compile(_DOCUMENT_START).match(text, start, end)
    start = marker.end() if marker is not None else start
    search = _Search()
    _find(text, start, end, -1, _cut_tree(cuts), (), search)
    runs = sorted(search.runs, key=lambda run: run.starts[0])
    if any(before.end > after.starts[0] for before, after in pairwise(runs)):
        runs = []
    if search.is_damaged:
        runs = [replace(run, is_regular=False) for run in runs]
    return FoundCuts(runs, search.is_key_repeated, tuple(search.parsed))


def plain_first_item(text: str) -> Chunk | None:
    """Return the chunk of a sequence's first item; None if it does not show by itself how deep its dashes are."""
    chunk = parse_chunk(text) if len(text) < _LONGEST_FIRST_ITEM else None
    return chunk if chunk is not None and not chunk.errors else None


def _before_end_marker(text: str, start: int, end: int) -> int:
    marker = text.rfind("\n...", start, end)
    return marker + 1 if marker >= 0 and text.find("\n", marker + 1, end) in (-1, end - 1) else end


def _find(text: str, start: int, end: int, parent_indent: int, tree: _CutTree, path: Path, search: _Search) -> None:
    """Add the runs in the value of a key."""
    start = _skip_stray_dashes(text, start, end, parent_indent, search)
    first = _first_line_of_value(text, start, end, parent_indent, search)
    if first is None or text.startswith(("{", "["), first.end()) or len(first[1]) > _DEEPEST_INDENT:
        return
    indent, is_item = len(first[1]), first[2] is not None
    if "*" in tree:
        _cut_items(text, start, end, parent_indent, path, search)
    if is_item:
        return
    lines = {
        name: places for name in tree if (places := _find_key(text, start, end, name, parent_indent, indent, search))
    }
    search.is_key_repeated |= any(len(places) > 1 for places in lines.values())
    last_lines = [places[-1] for places in lines.values()]
    for name, line in zip(lines, last_lines, strict=True):
        content = CONTENT_LINE.find(text, line, end)
        key_indent = len(content[1][1]) if content is not None else indent
        value_start = text.find("\n", line, end) + 1 or end
        value_end = _block_end(text, value_start, end, key_indent, last_lines, search)
        if tree[name] and INSIDE not in tree[name]:
            _find(text, value_start, value_end, key_indent, tree[name], (*path, name), search)
            continue
        value_start = _skip_stray_dashes(text, value_start, value_end, key_indent, search)
        first_line = _first_line(text, value_start, value_end)
        if first_line is not None and (first_line[0] > key_indent or first_line == (key_indent, True)):
            regular = is_regular(text, value_start, value_end, key_indent, is_sequence=False)
            inner = tuple(tree[name].get(INSIDE, ()))
            search.runs.append(CutRun((*path, name), False, key_indent, regular, [value_start], value_end, inner))


def _first_line_of_value(text: str, start: int, end: int, parent_indent: int, search: _Search) -> re.Match[str] | None:
    """Return the first line with content that can belong to the value of a key; one that cannot is damaged.

    There is none after the header of a block scalar, whatever the lines below look like, nor after an anchor or a tag.
    None of these needs to be indented.
    """
    while (line := CONTENT_LINE.find(text, start, end)) is not None:
        if text.startswith(("|", ">", "&", "!"), line[1].end()):
            return None
        indent = len(line[1][1])
        if indent > parent_indent or (indent == parent_indent and line[1][2] is not None):
            return line[1]
        search.is_damaged = True
        start = text.find("\n", line[0], end) + 1 or end
    return None


def _skip_stray_dashes(text: str, start: int, end: int, parent_indent: int, search: _Search) -> int:
    """Return where the value of a key begins: a dash that is not indented enough is damage and stays with the key.

    (In the value's own chunk it would read well.)
    """
    while (line := CONTENT_LINE.find(text, start, end)) is not None:
        if line[1][2] is None or len(line[1][1]) >= parent_indent:
            break
        search.is_damaged = True
        start = text.find("\n", line[0], end) + 1 or end
    return start


def _find_key(
    text: str, start: int, end: int, name: str, parent_indent: int, indent: int, search: _Search
) -> list[int]:
    """Return the starts of the lines with a key; of a repeated key the last one counts.

    Where there is none, look for a damaged one: less indented than the first line, or with a stray character before it.
    """
    lines = _key_line(name, indent, indent).find_all(text, start, end)
    if not lines:
        lines = _key_line(name, parent_indent + 1, indent, stray=True).find_all(text, start, end)
        search.is_damaged |= bool(lines)
    return lines


def _first_line(text: str, start: int, end: int) -> tuple[int, bool] | None:
    """Return the indentation of the first line with content, and whether it is an item of a sequence."""
    line = CONTENT_LINE.find(text, start, end)
    return None if line is None else (len(line[1][1]), line[1][2] is not None)


def _cut_items(text: str, start: int, end: int, parent_indent: int, path: Path, search: _Search) -> None:
    indent = _item_indent(text, start, end, parent_indent, search)
    if indent is None:
        search.is_damaged = True
        return
    starts = item_line(indent).find_all(text, start, end)
    start = _skip_stray_dashes(text, start, end, indent, search)
    before = CONTENT_LINE.find(text, start, starts[0])
    if before is None:
        starts[0] = start
    else:
        starts.insert(0, start)  # a first item whose dash is damaged
    regular = is_regular(text, start, end, indent, is_sequence=True)
    search.runs.append(CutRun(path, True, indent, regular, starts, end))


def _item_indent(text: str, start: int, end: int, parent_indent: int, search: _Search) -> int | None:
    """Return the indentation of a sequence's dashes, None where the value is not a block sequence.

    If the first line is damaged, the other dashes decide: they can be less deep than the first line, or one column
    deeper; the most frequent indentation counts.
    """
    line = _first_line_of_value(text, start, end, parent_indent, search)
    if line is None:
        return None
    indent, is_item = len(line[1]), line[2] is not None
    line_end = text.find("\n", line.end(), end) + 1 or end
    if is_item:
        following = item_line(indent).find(text, line_end, end)
        stop = following[0] if following is not None else end
        first = plain_first_item(text[start:stop])
        if first is not None:
            search.parsed.append(first)
            return indent
    search.is_damaged = True
    dashes = Counter(text.index("-", place) - place for place in _ANY_ITEM.find_all(text, start, end))
    candidates = [dash for dash in sorted(dashes) if parent_indent <= dash < indent]
    if is_item:
        candidates = [indent, *candidates, *([indent + 1] if indent + 1 in dashes else [])]
    elif indent in dashes and not text[line.end() : line_end].rstrip().endswith(":"):
        candidates.append(indent)
    return max(candidates, key=lambda dash: dashes[dash], default=None)


@lru_cache(maxsize=256)  # compiled once
def _key_line(name: str, lowest: int, indent: int, stray: bool = False) -> LinePattern:
    """Match a key with nothing after it; a colon still to be typed does not change what the lines below belong to."""
    plain = re.escape(name)
    key = rf"(?:{plain}|\"{plain}\"|'{plain}')"
    blanks = " " * indent if lowest == indent else f"[ ]{{{lowest},{indent}}}"
    before, after = (r"[\t\"'\[\]{},|>%@`]?", r":[^ \t\r\n#:]|") if stray else ("", "")
    return LinePattern(rf"{blanks}{before}{key}(?:{after}[ \t]*:?)[ \t]*(?:(?<=[ \t])#[^\r\n]*)?(?=\r?\n|\Z)")


def _block_end(text: str, start: int, end: int, indent: int, keys: Collection[int], search: _Search) -> int:
    """Return where the value of a key at an indentation ends; `keys` are the line starts of the keys that were found.

    A line that is indented less but cannot be the next entry of a mapping (a stray character before the spaces, a key
    half typed) is damage inside the value and does not end it.
    """
    first = _first_line(text, start, end)
    boundary = line_at_most(indent, skips_items=first == (indent, True))
    position = start
    while (line := boundary.find(text, position, end)) is not None:
        if line[0] in keys or _starts_entry(text, line[0], end):
            return line[0]
        search.is_damaged = True
        position = text.find("\n", line[0], end) + 1
        if position == 0:
            break
    return end


def _starts_entry(text: str, start: int, end: int) -> bool:
    """Return whether a line, with the deeper lines below it, is an entry of a mapping."""
    first = _first_line(text, start, end)
    line_end = text.find("\n", start, end) + 1
    if first is None:
        return False
    following = line_at_most(first[0], skips_items=not first[1]).find(text, line_end, end) if line_end else None
    stop = following[0] if following is not None else end
    if stop - start > _LONGEST_PROBE:
        stop = text.rfind("\n", start, start + _LONGEST_PROBE) + 1 or start + _LONGEST_PROBE
    probe = parse_chunk(text[start:stop])
    if not isinstance(probe.root, Mapping):
        return False
    return probe.unfinished is not None or not any(error.code in _GRAVE for error in probe.errors)
