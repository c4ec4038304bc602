"""Indents a line that was just begun, by what the line above it leaves open."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.features.convert import to_range
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor

STEP = 2
"""The columns of a level, as in everything else that is written for people."""

_DASHES = re.compile(r"[ ]*(?:-[ ]+)*")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_KEY = re.compile(r"(?:[\w./$-]+|\"[^\"]*\"|'[^']*')[ ]*:(?=\s|$)")
_OPENS_BLOCK = re.compile(r"(?:^|[:\s])[|>][-+0-9]*$")
_OPENS_FLOW = re.compile(r"[\[{]$")


def indent_new_line(cursor: Cursor) -> list[types.TextEdit]:
    """Return the edit that indents the cursor's line, which is empty yet; none where it stands right already."""
    content, offset = cursor.document.text.content, cursor.offset
    start = content.rfind("\n", 0, offset) + 1
    end = content.find("\n", offset)
    written = content[start : end if end >= 0 else len(content)].rstrip("\r")
    if start == 0 or written.strip():
        return []
    wanted = " " * wanted_column(content[: start - 1].split("\n"))
    if written == wanted:
        return []
    return [types.TextEdit(to_range(cursor.document, Span(start, start + len(written))), wanted)]


def wanted_column(lines: list[str]) -> int:
    """Return the column at which a line after these goes on, counted from 0."""
    above = lines[-1].rstrip()
    if not above.strip():
        return len(lines[-1].rstrip("\r"))
    indentation = len(above) - len(above.lstrip(" "))
    if _is_in_block_scalar(lines):
        return indentation
    dashes = _DASHES.match(above)
    column = dashes.end() if dashes else indentation
    text = _COMMENT.sub("", above[column:]).rstrip()
    if text.endswith(":") or _OPENS_BLOCK.search(text) or _OPENS_FLOW.search(text):
        return column + STEP
    return column if _KEY.match(text) else indentation


def _is_in_block_scalar(lines: list[str]) -> bool:
    """Whether the last line is text of a block scalar that a line above begins."""
    indentation = len(lines[-1]) - len(lines[-1].lstrip(" "))
    for line in reversed(lines[:-1]):
        outer = len(line) - len(line.lstrip(" "))
        if line.strip() and outer < indentation:
            return _OPENS_BLOCK.search(_COMMENT.sub("", line).rstrip()) is not None
    return False
