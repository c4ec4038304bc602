"""Indents a manifest that was pasted below `template:` but does not stand in it, as most editors leave it.

The text alone is looked at: with a manifest at the margin, the document is none that kro knows any more.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lsprotocol import types
from msgspec import Struct

from kro_ls.features.convert import to_range
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.workspace.documents import Document

STEP = 2
"""The columns of a level, as in everything else that is written for people."""
_DASHES = re.compile(r"[ ]*(?:-[ ]+)*")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_KEY = re.compile(r"(?:[\w./$-]+|\"[^\"]*\"|'[^']*')[ ]*:(?=\s|$)")
_OPENS_BLOCK = re.compile(r"(?:^|[:\s])[|>][-+0-9]*$")
_OPENS_FLOW = re.compile(r"[\[{]$")
_OPENING = re.compile(r"(?P<column> *(?:- +)?)(?:template|externalRef):\s*(?:#.*)?$")
_OBJECT = re.compile(r" *(?:apiVersion|kind|metadata):")
# A resource that has one `template:` has no second one: that is a field of the manifest.
_OF_RESOURCE = re.compile(
    r"(?P<column> *- +)(?:id|template|externalRef|forEach|includeWhen|readyWhen):"
    r"|(?P<own> *)(?:id|forEach|includeWhen|readyWhen):"
)
_SEPARATOR = re.compile(r"(?:---|\.\.\.)(?:\s|$)")
_HEAD = ("apiVersion:", "kind:")
_DEFINITION = "ResourceGraphDefinition"


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


class _Manifest(Struct, frozen=True):
    """The 0-based numbers of the first and the last line of a manifest, and the column that its keys should have.

    The first line may stand at another column than those after it, whose least indentation is `base`. Up to the line
    `end` nothing else follows: there the cursor is after pasting.
    """

    first: int
    last: int
    end: int
    base: int
    column: int


def indent_pasted(document: Document, selected: types.Range) -> list[types.TextEdit]:
    """Return the edits that indent the misplaced manifest that touches a range; none where there is none."""
    text = document.text
    lines = text.content.replace("\r\n", "\n").replace("\r", "\n").split("\n")  # quicker than the span of each
    found = _misplaced(lines, selected.start.line, selected.end.line)
    if found is None:
        return []
    head = _first_written(lines, found.first)
    edits: list[types.TextEdit] = []
    for number in range(found.first, found.last + 1):
        line, span = lines[number], text.line_span(number)
        if _SEPARATOR.match(line):
            edits.append(types.TextEdit(to_range(document, Span(span.start, text.line_start(number + 1))), ""))
        elif line.strip():
            own = _indentation(line)
            shift = 0 if number == head else own - found.base
            wanted = " " * (found.column + shift)
            edits.append(types.TextEdit(to_range(document, Span(span.start, span.start + own)), wanted))
    return edits


def pasted_action(document: Document, selected: types.Range) -> list[types.CodeAction]:
    """Return the action that indents the misplaced manifest that touches a range, if there is one."""
    edits = indent_pasted(document, selected)
    if not edits:
        return []
    return [
        types.CodeAction(
            title="Indent the manifest below 'template:'",
            kind=types.CodeActionKind.QuickFix,
            is_preferred=True,
            edit=types.WorkspaceEdit(changes={document.uri: edits}),
        )
    ]


def _misplaced(lines: list[str], first: int, last: int) -> _Manifest | None:
    for number in range(min(last, len(lines) - 1), -1, -1):
        opening = _OPENING.match(lines[number])
        found = _below(lines, number, opening.end("column")) if opening else None
        if found and found.end >= first:
            return found
    return None


def _below(lines: list[str], opening: int, column: int) -> _Manifest | None:
    """Return the manifest below the line of a key at a column, if it stands outside of that key's value."""
    head = opening + 1
    at = _first_written(lines, head)
    following = next((number for number in range(at + 1, len(lines)) if lines[number].strip()), at)
    if at >= len(lines) or not _OBJECT.match(lines[at]):
        return None
    is_outside = any(_OBJECT.match(lines[each]) and _indentation(lines[each]) <= column for each in (at, following))
    if not is_outside:
        return None
    end = at + 1
    rest: list[str] = []
    while end < len(lines) and not _ends(lines[end], column, rest):
        rest += [lines[end]] if lines[end].strip() else []
        end += 1
    base = min(map(_indentation, rest), default=_indentation(lines[at]))
    keys = [lines[at].lstrip(), *(each[base:] for each in rest if _indentation(each) == base)]
    is_object = all(any(each.startswith(name) for each in keys) for name in _HEAD)
    if not is_object or any(_DEFINITION in each for each in keys):
        return None
    last = max(number for number in range(at, end) if lines[number].strip())
    return _Manifest(head, last, end - 1, base, column + STEP)


def _ends(line: str, column: int, rest: list[str]) -> bool:
    """Whether a line is none of a manifest below a key at a column, `rest` being its lines after the first."""
    if not line.strip():
        return False
    of_resource = _OF_RESOURCE.match(line)
    return (
        _SEPARATOR.match(line) is not None
        or (bool(rest) and _indentation(line) < _indentation(rest[0]))
        or (of_resource is not None and of_resource.end(of_resource.lastgroup or 0) == column)
    )


def _first_written(lines: list[str], number: int) -> int:
    """Return the first line from a number on that is neither empty nor a separator."""
    while number < len(lines) and (not lines[number].strip() or _SEPARATOR.match(lines[number])):
        number += 1
    return number


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
