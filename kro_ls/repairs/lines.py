"""Fixes for lines that are not valid YAML, found from the line of the error and those near it."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Final

from kro_ls.rules.diagnostics import Fix
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.repairs.place import Place

_NO_BLANK: Final = re.compile(r"^(\s*(?:- )?[A-Za-z][\w.-]*):(?=[^\s/:])")
_NO_COLON: Final = re.compile(r"^(\s*(?:- )?[A-Za-z]\w*)(?=\s*$| [^:\s])")
_FIELD: Final = re.compile(r"^(\s*(?:- )?(?:[\w./-]+|\"[^\"]*\"): +|\s*- +)(\S.*?)\s*$")
_INDENT: Final = re.compile(r"[ \t]*")
_NEAR: Final = 4
_MOST_TOGETHER: Final = 40
_MOST_LINES_ABOVE: Final = 500


def mended_lines(place: Place) -> Iterator[Fix]:
    """Yield the changes that turn a line into valid YAML, the line of the error first."""
    text = place.document.text
    at = text.position(place.span.start).line
    numbers = [at, at - 1, at + 1, *(at - far for far in range(2, _NEAR))]
    known = [number for number in numbers if 0 <= number < text.line_count]
    for number in known:
        line = _line(place, number)
        for title, new in _of_line(line):
            yield _changed(title, text.line_span(number).start, line, new)
    for number in known[:3]:
        yield from _indented(place, number)


def moved_lines(place: Place) -> Iterator[Fix]:
    """Yield the line of a field moved to the columns of lines near it, unless the field is a misspelled name."""
    if not place.diagnostic.fixes:
        yield from _indented(place, place.document.text.position(place.span.start).line)


def glued_keys(place: Place) -> Iterator[Fix]:
    """Yield a blank after the colon for keys of the resource or the schema that lack it."""
    part = place.part
    start, end = (part.placed.start, part.placed.end) if part else (0, len(place.content))
    at = start
    for line in place.content[start:end].splitlines(keepends=True):
        written = line.rstrip("\r\n")
        for pattern, title, new in ((_NO_BLANK, "Add a blank after ':'", r"\1: "), (_NO_COLON, "Add ':'", r"\1:")):
            changed = pattern.sub(new, written)
            if changed != written:
                yield _changed(title, at, written, changed)
        at += len(line)


def _of_line(line: str) -> Iterator[tuple[str, str]]:
    if "\t" in line:
        yield "Indent with blanks", line.replace("\t", "  ")
    if _NO_BLANK.match(line):
        yield "Add a blank after ':'", _NO_BLANK.sub(r"\1: ", line)
    if _NO_COLON.match(line):
        yield "Add ':'", _NO_COLON.sub(r"\1:", line)
    found = _FIELD.match(line)
    if found and found[2][0] not in "\"'|>":
        yield "Quote the value", found[1] + quoted(found[2])
    if found and found[2][0] in "\"'":
        quote = found[2][0]
        yield f"Close the text with {quote}", line.rstrip() + quote
        yield f"Remove the {quote}", found[1] + found[2][1:]
        inner = found[2][1:].removesuffix(quote)
        yield "Quote the value anew", found[1] + quoted(inner)
    elif line.rstrip()[-1:] in ("'", '"') and found:
        quote = line.rstrip()[-1]
        yield f"Begin the text with {quote}", found[1] + quote + found[2]
        yield f"Remove the {quote}", line.rstrip()[:-1]
    for opening, closing in ("[]", "{}"):
        if line.count(opening) > line.count(closing):
            yield f"Close the '{opening}'", line.rstrip() + closing
    if re.search(r"\w=\S*$|: .*: ", line) and found:
        head, _, tail = found[2].partition(": ")
        yield "Write '=' for ':'", f"{found[1]}{head}={tail}"


def _indented(place: Place, number: int) -> Iterator[Fix]:
    """Yield a line, alone or with the lines in its column, moved to the columns of lines near it."""
    text = place.document.text
    line = _line(place, number)
    indent = _indent_of(line)
    around = [_line(place, each) for each in range(max(0, number - 6), number + 4)]
    columns = {len(_indent_of(each).expandtabs(2)) for each in around if each.strip()}
    columns |= {column + 2 for column in columns} | set(_open_columns(place, number))
    own = len(indent.expandtabs(2))
    for column in sorted(columns - {len(indent)}, key=lambda each: (abs(each - own), each)):
        if (abs(column - own) <= 4 or "\t" in indent) and line.strip():
            yield from _moved_together(place, number, column)
            yield _changed(f"Indent with {column} blanks", text.line_span(number).start, indent, " " * column)


def _open_columns(place: Place, number: int) -> Iterator[int]:
    """Yield the columns of the possible parents of a line: lines above it that begin left of all lines in between."""
    least = sys.maxsize
    for above in range(number - 1, max(-1, number - _MOST_LINES_ABOVE), -1):
        line = _line(place, above)
        column = len(_indent_of(line))
        if column < least and line.strip() and line[column] != "#":
            least = column
            yield column
        if not least:
            return


def lines_of_empty_field(place: Place) -> Iterator[Fix]:
    """Yield the lines below an empty field indented as its value, if they begin in its column."""
    number = place.document.text.position(place.span.start).line
    line, below = _line(place, number), _line(place, number + 1)
    column = len(_indent_of(line)) + 2
    if line.rstrip().endswith(":") and below.strip() and _indent_of(below) == _indent_of(line):
        yield from _moved_together(place, number + 1, column)
        start = place.document.text.line_span(number + 1).start
        yield _changed(f"Indent the next line with {column} blanks", start, _indent_of(below), " " * column)


def _moved_together(place: Place, number: int, column: int) -> Iterator[Fix]:
    """Yield a line and those after it that begin in its column, with what is below them, moved to another column."""
    text = place.document.text
    indent = _indent_of(_line(place, number))
    end = number
    while end < min(text.line_count, number + _MOST_TOGETHER) and _begins_within(_line(place, end), indent):
        end += 1
    lines = [(each, line) for each in range(number, end) if (line := _line(place, each)).strip()]
    count = sum(_indent_of(line) == indent for _, line in lines)
    if count < 2 or "\t" in indent or column == len(indent):
        return
    starts = [text.line_span(each).start for each, _ in lines]
    moved = tuple(Replacement(Span(start, start + len(indent)), " " * column) for start in starts)
    yield Fix(f"Indent these {count} fields with {column} blanks", moved)


def _begins_within(line: str, indent: str) -> bool:
    return not line.strip() or (line.startswith(indent) and line[len(indent)] != "-")


def _line(place: Place, number: int) -> str:
    text = place.document.text
    if number >= text.line_count:
        return ""
    span = text.line_span(number)
    return text.content[span.start : span.end].rstrip("\r\n")


def _indent_of(line: str) -> str:
    found = _INDENT.match(line)
    return found[0] if found else ""


def _changed(title: str, start: int, line: str, new: str) -> Fix:
    return Fix(title, (Replacement(Span(start, start + len(line)), new),))
