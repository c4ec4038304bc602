"""What may have been meant by lines that are not the YAML they should be: by the line at fault and those near it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kro_ls.rules.diagnostics import Fix
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.writing import Replacement, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.repairs.place import Place

_NO_BLANK: Final = re.compile(r"^(\s*(?:- )?[A-Za-z][\w.-]*):(?=[^\s/:])")
_NO_COLON: Final = re.compile(r"^(\s*(?:- )?[A-Za-z]\w*)(?=\s*$| [^:\s])")
_FIELD: Final = re.compile(r"^(\s*(?:- )?(?:[\w./-]+|\"[^\"]*\"): +|\s*- +)(\S.*?)\s*$")
_INDENT: Final = re.compile(r"[ \t]*")
_NEAR: Final = 4


def mended_lines(place: Place) -> Iterator[Fix]:
    """Yield the changes of a line that make YAML of it, the line of the error first."""
    text = place.document.text
    at = text.position(place.span.start).line
    numbers = [at, at - 1, at + 1, *(at - far for far in range(2, _NEAR))]
    known = [number for number in numbers if 0 <= number < text.line_count]
    for number in known:
        span = text.line_span(number)
        line = text.content[span.start : span.end].rstrip("\r\n")
        for title, new in _of_line(line):
            yield _changed(title, span.start, line, new)
    for number in known[:3]:
        yield from _indented(place, number)


def glued_keys(place: Place) -> Iterator[Fix]:
    """Yield a blank after the colon for the keys of the resource, or the schema, that have none."""
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
    """Yield the line, or it and all below it, moved to the columns in which its neighbours begin."""
    text = place.document.text
    span = text.line_span(number)
    line = text.content[span.start : span.end].rstrip("\r\n")
    indent = _indent_of(line)
    around = [text.content[slice(*_ends(place, each))] for each in range(max(0, number - 6), number + 4)]
    columns = {len(_INDENT.match(each)[0].expandtabs(2)) for each in around if each.strip()}  # type: ignore[index]
    columns |= {column + 2 for column in columns}
    own = len(indent.expandtabs(2))
    for column in sorted(columns - {len(indent)}, key=lambda each: (abs(each - own), each)):
        if (abs(column - own) <= 4 or "\t" in indent) and line.strip():
            yield _changed(f"Indent by {column} blanks", span.start, indent, " " * column)


def _ends(place: Place, number: int) -> tuple[int, int]:
    if number >= place.document.text.line_count:
        return 0, 0
    span = place.document.text.line_span(number)
    return span.start, span.end


def _indent_of(line: str) -> str:
    found = _INDENT.match(line)
    return found[0] if found else ""


def _changed(title: str, start: int, line: str, new: str) -> Fix:
    return Fix(title, (Replacement(Span(start, start + len(line)), new),))
