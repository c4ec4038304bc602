"""The upper levels of a block-style document, read from its indentation without parsing the levels below.

A text of megabytes is read in a few milliseconds, or not at all: if a line could mean something other than its
indentation says (an open quote or bracket, an anchor, a tab, a repeated key) there is no outline, and the caller has to
parse the text. Damage further down is not noticed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.yaml_positions.outline_values import (
    OPAQUE,
    Below,
    Item,
    OutlineValue,
    UncertainError,
    closes_brackets,
    closes_quotes,
    has_anchor,
    line_value,
)
from kro_ls.yaml_positions.text import holds

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Level(Struct):
    """An open collection. `key` is the last one of a mapping."""

    column: int
    value: dict[str, OutlineValue] | list[Item]
    key: str = ""

    def set(self, value: OutlineValue) -> None:
        if isinstance(self.value, list):
            self.value[-1].value = value
        else:
            self.value[self.key] = value


_KEY = re.compile(rb"(?:([A-Za-z0-9_./$-]+)|\"([^\"\\:]+)\"|'([^':]+)')[ ]*:(?=[ ]|\Z)")
_FLOW_INDICATOR = rb"[,\[\]{}]"
_BLANK = re.compile(rb"[ \r\n]*")
_DOCUMENT_START = re.compile(rb"\n---(?=[ \t\r\n]|\Z)")
_OTHER_MARKS = (b"%", b"...")
_DEEP_LINE = b"\n" + b" " * 150
"""A line so far to the right that the text may be nested more deeply than is read."""
_RARE_CHARACTERS = (b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9", b"\xef\xbb\xbf")
"""Line ends of YAML 1.1 that editors do not show, and the byte order mark."""


def outline(text: bytes, deepest: int) -> dict[str, OutlineValue] | None:
    """Return what the lines of one document in UTF-8 say that start in the columns 0 to `deepest`.

    None where that is not certain, and for a document that is not a block mapping. It may begin with its `---`.
    """
    if b"\t" in text or holds(text, _DEEP_LINE) or has_anchor(text):
        return None
    if _has_lone_return(text):
        return None
    if not text.isascii() and any(each in text for each in _RARE_CHARACTERS):
        return None
    try:
        return _Reader(text, max(0, min(deepest, len(_DEEP_LINE)))).read()
    except UncertainError:
        return None


def split_documents(content: bytes) -> Iterator[bytes] | None:
    """Cut a text in UTF-8 where documents begin; None where directives or other marks make that uncertain.

    One is cut off after the other, so that a text of megabytes is not held twice.
    """
    if content.startswith(_OTHER_MARKS) or any(holds(content, b"\n" + mark) for mark in _OTHER_MARKS):
        return None
    if _has_lone_return(content):
        return None
    starts = (match.start() + 1 for match in _DOCUMENT_START.finditer(content))
    return (content[start:end] for start, end in pairwise(chain((0,), starts, (len(content),))))


def _has_lone_return(text: bytes) -> bool:
    return b"\r" in text and text.count(b"\r") != text.count(b"\r\n")


@lru_cache(maxsize=64)  # compiled once for each depth
def _shallow_line(deepest: int) -> re.Pattern[bytes]:
    return re.compile(rb"\n([ ]{0,%d}+)([^ \n].*)" % deepest)


class _Reader:
    """Follows the shallow lines with a stack of the collections that are open."""

    def __init__(self, text: bytes, deepest: int) -> None:
        self._text = text
        self._deepest = deepest
        self._root: dict[str, OutlineValue] = {}
        self._levels = [_Level(0, self._root)]
        self._entry = self._levels[0]
        self._below = Below.NOTHING
        self._begun = b""
        """The start of a value that continues, or may continue, on the following lines."""

    def read(self) -> dict[str, OutlineValue]:
        text = self._text
        end = text.find(b"\n") + 1 or len(text)
        first = text[:end].rstrip(b" \r\n")
        if first:
            line = first.lstrip(b" ")
            self._line(len(first) - len(line), line, 0)
        # A match starts with the end of the line before.
        for match in _shallow_line(self._deepest).finditer(text, end - 1 if end else 0):
            start = match.start() + 1
            if end < start:
                self._deep_lines(end, start)
            line = match[2].rstrip(b" \r")
            if line:
                self._line(len(match[1]), line, start)
            end = match.end() + 1
        if end < len(text):
            self._deep_lines(end, len(text))
        if self._begun:
            self._end_value(0, 0)
        self._close(-1, len(text))
        if not self._root:
            raise UncertainError
        return self._root

    def _deep_lines(self, start: int, end: int) -> None:
        """Take the lines between two shallow ones, all of them further to the right."""
        if self._below is Below.BLOCK_SCALAR or _BLANK.fullmatch(self._text, start, end):
            return
        if self._below is Below.TEXT:
            self._more_text(self._text[start:end])
        elif self._below is Below.VALUE:
            self._end_value(start, end)
        else:
            raise UncertainError

    def _end_value(self, start: int, end: int) -> None:
        """Come to the end of a value that began in a line and went on in others, which may be none."""
        text = self._text
        if self._begun:
            text = self._begun + b"\n" + text[start:end]
            start, end = 0, len(text)
        if not (closes_quotes(text, start, end) and closes_brackets(text, start, end)):
            raise UncertainError
        self._entry.set(OPAQUE)
        self._below, self._begun = Below.NOTHING, b""

    def _more_text(self, lines: bytes) -> None:
        if b": " in lines or b" #" in lines or re.search(rb":[ \r]*(?:\n|\Z)", lines):
            raise UncertainError
        self._refuse_closing_brackets(lines)
        self._entry.set(OPAQUE)

    def _refuse_closing_brackets(self, text: bytes) -> None:
        """Refuse the text of an item that may be the end of a flow collection, in which a dash may be text.

        There, no bracket can open right after text: so `- ${a}` is an item of a block sequence.
        """
        first = re.search(_FLOW_INDICATOR, text) if isinstance(self._entry.value, list) else None
        if first is not None and first[0] not in (b"[", b"{") and (b"]" in text or b"}" in text):
            raise UncertainError

    def _line(self, column: int, line: bytes, start: int) -> None:
        if column > self._entry.column and self._below is Below.BLOCK_SCALAR:
            return
        if self._begun:
            if column > self._entry.column and not closes_quotes(self._begun, 0, len(self._begun)):
                self._begun += b"\n" + line
                return
            self._end_value(0, 0)
        if line.startswith(b"#"):
            if self._below is not Below.VALUE:
                self._below = Below.NOTHING
        elif column > self._entry.column and self._below is Below.TEXT:
            self._more_text(line)
        elif line.startswith(b"- "):
            self._item(column, line, start)
        elif line != b"---" or column or self._root:
            self._close(column, start, is_key=True)
            if self._levels[-1].column < column:
                self._open(_Level(column, {}))
            self._key(line)

    def _item(self, column: int, line: bytes, start: int) -> None:
        self._close(column, start)
        if not isinstance(self._levels[-1].value, list):
            self._open(_Level(column, []))
        level = self._levels[-1]
        if not isinstance(level.value, list) or level.column != column:
            raise UncertainError
        if level.value:
            level.value[-1].end = start
        level.value.append(Item(None, start))
        self._entry, self._below = level, Below.VALUE
        content = line[1:].lstrip(b" ")
        inner = column + len(line) - len(content)
        if not _KEY.match(content):
            self._value(content)
            self._refuse_closing_brackets(content)
        elif inner > self._deepest:
            level.set(OPAQUE)
            self._begun = content
        else:
            self._open(_Level(inner, {}))
            self._key(content)

    def _key(self, line: bytes) -> None:
        level = self._levels[-1]
        match = _KEY.match(line)
        if match is None or isinstance(level.value, list):
            raise UncertainError
        level.key = (match[1] or match[2] or match[3]).decode("utf-8", "surrogatepass")
        if level.key in level.value:
            raise UncertainError
        self._entry = level
        self._value(line[match.end() :].lstrip(b" "))

    def _value(self, content: bytes) -> None:
        """Take what follows a key or a dash in its line."""
        value, self._below = line_value(content)
        self._entry.set(value)
        if self._below is Below.QUOTED_TEXT:
            self._below, self._begun = Below.VALUE, content

    def _open(self, level: _Level) -> None:
        """Begin a collection as the value of the last entry."""
        if self._below is not Below.VALUE or self._entry is not self._levels[-1] or level.column < self._entry.column:
            raise UncertainError
        self._entry.set(level.value)
        self._levels.append(level)
        self._below = Below.NOTHING

    def _close(self, column: int, start: int, *, is_key: bool = False) -> None:
        """End the collections to the right of a column; a key also ends a list whose dashes are in that column."""
        while self._levels and (
            self._levels[-1].column > column
            or (is_key and self._levels[-1].column == column and isinstance(self._levels[-1].value, list))
        ):
            closed = self._levels.pop().value
            if isinstance(closed, list):
                closed[-1].end = start
