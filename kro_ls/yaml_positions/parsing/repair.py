"""Repairs broken YAML, one failure at a time, so that what is not damaged still gives a tree.

A repair closes a quote or a bracket at the end of its line or block, adds a missing colon, corrects an indentation,
takes a value that YAML cannot read as text, or sets the line aside. It never aims to guess what the author meant
beyond the damaged line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.yaml_positions.scalars.resolution import ScalarStyle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.yaml_positions.errors import ParseFailure
    from kro_ls.yaml_positions.parsing.builder import TreeBuilder

_LINE_END = re.compile(r"\r\n|\r|\n|\Z")
_KEY_LINE = re.compile(
    r"[ ]*((?:-[ ]+)*)"
    r"(?:(?:\"(?:[^\"\\\r\n]|\\.)*\"|'[^'\r\n]*')[ \t]*|[^\s#\"'\[\]{},&*!|>%@`-][^\r\n]*?):(?=[ \t\r\n]|\Z)"
)
_COMMENT = re.compile(r"(?<![ \t])[ \t]+#")  # from the first blank on: each other one would be tried to the last
_DASHES = re.compile(r"[ ]*(?:-(?:[ ]+|(?=[\r\n]|\Z)))*")
_FLOW_TOKEN = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|[\[\]{}]")
_QUOTED = (ScalarStyle.DOUBLE_QUOTED, ScalarStyle.SINGLE_QUOTED)
_MOST_LINES_LOOKED_BACK = 200


class WorkingText:
    """The author's text with repairs in it; knows for every offset where it is in the author's text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.damage: dict[int, str | None] = {}
        self._origin = list(range(len(text) + 1))

    def locate(self, offset: int) -> int:
        """Return the offset in the author's text."""
        return self._origin[min(max(offset, 0), len(self.text))]

    def find(self, original: int) -> int:
        """Return the first offset here that is at an offset of the author's text or after it."""
        return min(bisect_left(self._origin, original), len(self.text))

    def replace(self, start: int, end: int, new: str) -> None:
        """Put `new` in the place of `[start, end)`."""
        self.text = self.text[:start] + new + self.text[end:]
        self._origin[start:end] = [self._origin[start]] * len(new)

    def reindent(self, start: int, indents: Sequence[int]) -> None:
        """Give the line that starts at an offset and those after it these indentations."""
        text: list[str] = []
        origin: list[int] = []
        line = start
        for indent in indents:
            end = self.next_line(line)
            content = line + len(self.text[line:end]) - len(self.text[line:end].lstrip(" \t"))
            text += (" " * indent, self.text[content:end])
            origin += [self._origin[line]] * indent
            origin += self._origin[content:end]
            line = end
        self._origin[start:line] = origin
        self.text = self.text[:start] + "".join(text) + self.text[line:]

    def blank(self, start: int, end: int) -> None:
        """Put spaces in the place of `[start, end)`; line endings stay."""
        self.text = self.text[:start] + re.sub(r"[^\r\n]", " ", self.text[start:end]) + self.text[end:]

    def take_as_text(self, start: int, end: int) -> None:
        """Turn `[start, end)` into one damaged scalar with the same text."""
        place = self.locate(start)
        self.damage[place] = self.text[start:end]
        self.replace(start, end, "''")

    def line_start(self, offset: int) -> int:
        """Return the start of the line an offset is in."""
        before = self.text.rfind("\n", 0, offset) + 1
        return max(self.text.rfind("\r", before, offset) + 1, before)

    def line_end(self, offset: int) -> int:
        """Return the end of the line an offset is in, without its ending."""
        match = _LINE_END.search(self.text, offset)
        return match.start() if match is not None else len(self.text)

    def next_line(self, offset: int) -> int:
        """Return the start of the next line, or the text's length."""
        match = _LINE_END.search(self.text, offset)
        return match.end() if match is not None else len(self.text)

    def value_end(self, offset: int) -> int:
        """Return where the text of a line ends, without blanks and a comment at its end."""
        end = self.line_end(offset)
        line = self.text[offset:end]
        comment = _COMMENT.search(line)
        return offset + len(line[: comment.start()] if comment is not None else line.rstrip())

    def column(self, offset: int) -> int:
        """Return the column of an offset."""
        return offset - self.line_start(offset)

    def indent(self, offset: int) -> int:
        """Return how many spaces start the line of an offset."""
        start = self.line_start(offset)
        return len(self.text[start : self.line_end(start)]) - len(self.text[start : self.line_end(start)].lstrip(" "))

    def is_first_in_line(self, offset: int) -> bool:
        """Return whether only blanks precede an offset in its line."""
        return not self.text[self.line_start(offset) : offset].strip()

    def next_content_line(self, offset: int) -> int | None:
        """Return the start of the next line that is neither blank nor a comment."""
        start = self.next_line(offset)
        while start < len(self.text):
            line = self.text[start : self.line_end(start)].lstrip()
            if line and line[0] != "#":
                return start
            start = self.next_line(start)
        return None


class Repair(Struct, frozen=True):
    """Where the error is, in offsets of the author's text, and the message where it is not the parser's own."""

    start: int
    end: int
    message: str | None = None


_VALUE_BEFORE_MAPPING = "the key has this value and a mapping below it; remove the value, or move the mapping"
_TWO_ITEMS = "two items begin in this line; put the second on a line of its own"
_NO_COLON = "expected ':' after the key"
_UNCLOSED_QUOTE = "the quote is never closed; add the closing quote"


def repair(working: WorkingText, failure: ParseFailure, builder: TreeBuilder) -> Repair:
    """Change the working text so that this failure disappears, and return where the damage is."""
    offset = _damaged_offset(working, failure.problem_offset)
    quote = _open_quote(working, failure, builder, offset)
    if quote is not None:
        return _close_quote(working, quote)
    if failure.context.endswith("quoted scalar"):
        return _double_backslash(working, failure, offset)
    flow = next((collection.start for collection in builder.open if collection.flow), None)
    if flow is not None:
        return _repair_flow(working, working.find(flow), offset)
    problem = failure.problem
    if "mapping values are not allowed" in problem:
        return _repair_colon(working, builder, offset)
    if "could not find expected ':'" in problem:
        return _repair_missing_colon(working, failure.context_offset)
    if working.text[offset : offset + 1] == "\t" and working.is_first_in_line(offset):
        return _replace_tabs(working, offset)
    nested = _nested_item(working, builder, offset) if "'-' indicator" in problem else None
    if nested is not None:
        return _remove_dash(working, *nested)
    if "expected key" in problem or "'-' indicator" in problem or "<document start>" in problem:
        return _repair_indentation(working, builder, offset)
    if "block scalar" in failure.context:
        return _set_aside(working, offset, working.line_end(offset))
    start = (
        failure.context_offset
        if failure.context_offset >= 0 and failure.context.startswith("while scanning")
        else offset
    )
    if working.is_first_in_line(start):
        return _set_aside(working, start, working.line_end(start))
    return _take_value(working, start)


def set_line_aside(working: WorkingText, offset: int, to_end: bool) -> None:
    """Blank the line of an offset in the author's text, or all from that line on."""
    start = working.line_start(_damaged_offset(working, working.find(offset)))
    working.blank(start, len(working.text) if to_end else working.line_end(start))


def _damaged_offset(working: WorkingText, offset: int) -> int:
    """Return the offset, or the end of the last content before it if there is none at the offset."""
    offset = min(max(offset, 0), len(working.text))
    if working.text[offset : working.line_end(offset)].strip():
        return offset
    return len(working.text[:offset].rstrip())


def _open_quote(working: WorkingText, failure: ParseFailure, builder: TreeBuilder, offset: int) -> int | None:
    """Return the offset of a quote that was not closed in its line and made the parser fail further down."""
    if failure.context == "while scanning a quoted scalar":
        return failure.context_offset
    last = builder.last
    if last is None or last.style not in _QUOTED or last.damaged:
        return None
    start, end = working.find(last.start), working.find(last.end)
    ends_in_line = working.line_start(end) == working.line_start(offset) and offset >= end
    return start if ends_in_line and working.line_start(start) != working.line_start(end) else None


def _close_quote(working: WorkingText, quote: int) -> Repair:
    line_end = working.line_end(quote)
    end = quote + len(working.text[quote:line_end].rstrip())
    mark = working.text[quote : quote + 1]
    place, last = working.locate(quote), working.locate(end)
    if place in working.damage or mark not in ('"', "'"):
        return _take_value(working, quote)
    inside = working.text[quote + 1 : end]
    backslashes = len(inside) - len(inside.rstrip("\\"))
    closing = "\\" * (backslashes % 2) + mark if mark == '"' else mark
    working.damage[place] = None
    working.replace(end, end, closing)
    return Repair(place, last, _UNCLOSED_QUOTE)


def _double_backslash(working: WorkingText, failure: ParseFailure, offset: int) -> Repair:
    backslash = working.text.rfind("\\", max(failure.context_offset, 0), offset + 1)
    if backslash < 0:
        return _take_value(working, max(failure.context_offset, 0))
    place = working.locate(backslash)
    working.replace(backslash, backslash, "\\")
    working.damage[working.locate(failure.context_offset)] = None
    return Repair(place, place + 2)


def _repair_flow(working: WorkingText, start: int, offset: int) -> Repair:
    """Close an open bracket at the end of its block; a flow collection that fails again is taken as text."""
    end, closing = _flow_region(working, start)
    place, last = working.locate(start), working.locate(offset)
    if closing and place not in working.damage:
        working.damage[place] = None
        working.replace(end, end, closing)
        bracket, wanted = working.text[start], closing[-1]
        return Repair(place, place + 1, f"expected ',' or '{wanted}'; the '{bracket}' is never closed")
    is_first_try = place not in working.damage
    region = (
        Repair(last, max(working.locate(min(offset + 1, len(working.text))), last))
        if is_first_try
        else Repair(place, last)
    )
    working.take_as_text(start, end)
    return region


def _flow_region(working: WorkingText, start: int) -> tuple[int, str]:
    """Return where a flow collection ends, by its brackets or else with its block, and the brackets it lacks."""
    block_end = working.value_end(start)
    indent = working.indent(start)
    line = working.next_content_line(start)
    while line is not None and (working.indent(line) > indent or working.text[line:].lstrip(" ")[:1] in ("]", "}")):
        block_end = working.value_end(line)
        line = working.next_content_line(line)
    expected: list[str] = []
    for match in _FLOW_TOKEN.finditer(working.text, start, block_end):
        bracket = match[0]
        if bracket in "[{":
            expected.append("]" if bracket == "[" else "}")
        elif bracket in "]}":
            if expected and expected[-1] == bracket:
                expected.pop()
            if not expected:
                return working.value_end(match.start()), ""
    return block_end, "".join(reversed(expected))


def _repair_colon(working: WorkingText, builder: TreeBuilder, colon: int) -> Repair:
    """Repair `key: a: b` and a mapping below a key that has a value already."""
    place = working.locate(colon)
    last = builder.last
    start = working.find(last.start) if last is not None else colon
    line, first_line = working.line_start(colon), working.line_start(start)
    if line == first_line:
        if not working.is_first_in_line(start):
            _take_value(working, start)
        else:
            working.blank(start, working.line_end(start))
        return Repair(place, place + 1)
    following = working.next_content_line(colon)
    has_sibling = following is not None and working.indent(following) == working.indent(colon)
    key = _KEY_LINE.match(working.text, first_line, working.line_end(first_line))
    value = working.locate(start), working.locate(working.value_end(start))
    if key is None:
        if working.indent(colon) > working.column(start):
            end = working.value_end(start)
            working.replace(end, end, ":")
        else:
            working.blank(start, working.line_end(start))
        return Repair(*value, _NO_COLON)
    if has_sibling:
        working.blank(start, working.line_end(start))
        return Repair(*value, _VALUE_BEFORE_MAPPING)
    _reindent(working, line, key.end(1) - first_line if key[1] else working.indent(first_line))
    return Repair(place, place + 1)


def _repair_missing_colon(working: WorkingText, key: int) -> Repair:
    """Add the colon where the lines below belong to the key, else set the line aside."""
    end = working.value_end(key)
    found = Repair(working.locate(key), working.locate(end))
    following = working.next_content_line(key)
    is_parent = following is not None and (
        working.indent(following) > working.column(key)
        or (working.indent(following) == working.column(key) and working.text[following:].lstrip(" ").startswith("- "))
    )
    if is_parent and working.text[key] not in "\"'":
        working.replace(end, end, ":")
    else:
        working.blank(key, working.line_end(key))
    return found


def _replace_tabs(working: WorkingText, offset: int) -> Repair:
    """Indent the line, and the tab-indented lines that follow, as the line before asks for."""
    start = line = working.line_start(offset)
    found = Repair(working.locate(start), working.locate(offset) + 1)
    before = working.text[:start].rstrip()
    previous = before[max(before.rfind("\n"), before.rfind("\r")) + 1 :]
    indents: list[int] = []
    # Lines with equal indentation keep it; else each would be deeper than the previous one.
    known: dict[tuple[str, bool], int] = {}
    while line < len(working.text):
        written = working.text[line : working.line_end(line)]
        blanks = written[: len(written) - len(written.lstrip())]
        if "\t" not in blanks:
            break
        text = written.strip()
        indent = known.setdefault((blanks, text.startswith("-")), _indent_after(previous)) if text else 0
        indents.append(indent)
        if text:
            previous = " " * indent + text
        line = working.next_line(line)
    working.reindent(start, indents)
    return found


def _indent_after(previous: str) -> int:
    """Return the indentation that a line, without blanks at its end, asks of the next one."""
    indent = _key_column(previous)
    return indent + 2 if previous.endswith(":") else indent


def _key_column(line: str) -> int:
    match = _DASHES.match(line)
    return match.end() if match is not None else 0


def _repair_indentation(working: WorkingText, builder: TreeBuilder, offset: int) -> Repair:
    if not working.is_first_in_line(offset):
        last = working.find(builder.last.start) if builder.last is not None else offset
        if working.line_start(last) != working.line_start(offset) or working.is_first_in_line(last):
            return _set_aside(working, offset, working.line_end(offset))
        place = working.locate(offset)
        found = Repair(place, working.locate(working.value_end(offset)))
        _take_value(working, last)
        return found
    line = working.line_start(offset)
    found = Repair(working.locate(offset), working.locate(working.value_end(offset)))
    columns = _columns_before(working, line, working.text.startswith(("- ", "-\n", "-\r"), offset))
    here = working.column(offset)
    is_entry = _KEY_LINE.match(working.text, line, working.line_end(line)) or working.text.startswith("-", offset)
    target = min(columns, key=lambda column: (abs(column - here), -column), default=here)
    if target == here or not is_entry:
        working.blank(line, working.line_end(line))
    else:
        _reindent(working, line, target)
    return found


def _nested_item(working: WorkingText, builder: TreeBuilder, offset: int) -> tuple[int, int] | None:
    """Return the offsets of two dashes in one line of which only the second fits the lines below, as in `- - id: a`.

    This happens while a new item is typed before another one.
    """
    if not builder.open or not working.is_first_in_line(offset):
        return None
    for item in (builder.open[-1], *builder.open[-1].children[-1:]):
        inner = working.find(item.start)
        line = working.line_start(inner)
        outer, content = working.text.find("-", line, inner), _DASHES.match(working.text, inner)
        if outer < 0 or content is None or not _DASHES.fullmatch(working.text, line, inner):
            continue
        if content.end() - inner == working.column(offset) - working.column(outer):
            return outer, inner
    return None


def _remove_dash(working: WorkingText, outer: int, inner: int) -> Repair:
    place = working.locate(outer)
    working.replace(outer, inner, "")
    return Repair(place, place + 1, _TWO_ITEMS)


def _columns_before(working: WorkingText, line: int, dashes: bool) -> list[int]:
    """Return the columns in which the lines above a line have their items (dashes) or keys."""
    columns: list[int] = []
    lowest = len(working.text)
    for _ in range(_MOST_LINES_LOOKED_BACK):
        if line == 0:
            break
        line = working.line_start(line - (2 if working.text[:line].endswith("\r\n") else 1))
        content = working.text[line : working.line_end(line)]
        if not content.strip() or content.lstrip().startswith("#") or "\t" in content[: working.indent(line) + 1]:
            continue
        indent, key = len(content) - len(content.lstrip(" ")), _key_column(content)
        if indent < lowest:
            columns += [indent] if dashes == (key != indent) else []
            columns += [key] if key != indent and not dashes else []
            lowest = indent
        if indent == 0:
            break
    return columns


def _reindent(working: WorkingText, line: int, indent: int) -> None:
    content = working.text[line : working.line_end(line)]
    working.replace(line, line + len(content) - len(content.lstrip()), " " * indent)


def _set_aside(working: WorkingText, start: int, end: int) -> Repair:
    found = Repair(working.locate(start), working.locate(min(working.value_end(start), end)))
    working.blank(start, end)
    return found


def _take_value(working: WorkingText, start: int) -> Repair:
    """Take the rest of a line, up to a comment, as text."""
    end = max(working.value_end(start), start)
    found = Repair(working.locate(start), working.locate(end))
    if end == start or working.locate(start) in working.damage:
        working.blank(start, working.line_end(start))
    else:
        working.take_as_text(start, end)
    return found
