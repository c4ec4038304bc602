"""Streams of edits of a definition, one for each kind of edit that people make. No text of a stream occurs twice.

A stream replaces the content of one place again and again, each time with content that has the next number. Only an
undo returns to an earlier text, the one before the last edit, which is also different each time.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.definitions import READERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.definitions import Definition

Position = tuple[int, int]
"""Line and character, 0-based. The texts are ASCII, so all encodings of LSP agree."""


@dataclass(frozen=True, slots=True)
class Change:
    """New text for a range."""

    start: Position
    end: Position
    text: str

    def as_lsp(self) -> dict[str, object]:
        """The change as an item of `contentChanges`."""
        start, end = ({"line": line, "character": character} for line, character in (self.start, self.end))
        return {"range": {"start": start, "end": end}, "text": self.text}

    def apply(self, text: str) -> str:
        """The text after the change."""
        start, end = (_offset(text, position) for position in (self.start, self.end))
        return text[:start] + self.text + text[end:]


def _offset(text: str, position: Position) -> int:
    line, character = position
    offset = 0
    for _ in range(line):
        offset = text.index("\n", offset) + 1
    return offset + character


def position_of(text: str, offset: int) -> Position:
    """Return the line and character of an offset."""
    return text.count("\n", 0, offset), offset - (text.rfind("\n", 0, offset) + 1)


class Slot:
    """A place whose content is replaced repeatedly. Other edits must not move it."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._start = position_of(text, start)
        self.content = text[start:end]

    def replace(self, content: str) -> Change:
        """Return the change that puts this content there."""
        lines = self.content.split("\n")
        line, character = self._start
        last = len(lines[-1])
        end = (line, character + last) if len(lines) == 1 else (line + len(lines) - 1, last)
        self.content = content
        return Change(self._start, end, content)


@dataclass(frozen=True, slots=True)
class Step:
    """A change. One that only prepares the next is not measured."""

    change: Change
    is_measured: bool = True


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of edit. `faults` is the least number of diagnostics that the server must find after each edit."""

    name: str
    steps: Callable[[Definition], Iterator[Step]]
    faults: Callable[[Definition], int] = lambda _: 0


def _find(text: str, pattern: str, start: int = 0) -> tuple[int, int]:
    """Return the span of the pattern's group, which may be empty."""
    found = re.compile(pattern).search(text, start)
    if not found:
        raise ValueError(f"no place for an edit: {pattern}")
    return found.span(1)


# The places. The one group of a pattern is what is replaced.

_TEMPLATE = r"labels: {tier: (web)"
_EXPRESSION = r"\${(schema\.spec\.name)}"
_COMMENT = r"kind: \w+()\n"
_PASTE = r"()    - id: "


def _in_middle(definition: Definition, pattern: str) -> Slot:
    """Return the first such place in the middle resource or after it."""
    return Slot(definition.text, *_find(definition.text, pattern, definition.start_of(definition.middle)))


def _in_schema(definition: Definition, pattern: str) -> Slot:
    return Slot(definition.text, *_find(definition.text, pattern))


def _replace(slot: Slot, content: Callable[[int], str]) -> Iterator[Step]:
    for number in itertools.count(1):
        yield Step(slot.replace(content(number)))


# The edits.


def _paste(definition: Definition) -> Iterator[Step]:
    """Paste a resource before the middle one, over the previously pasted one."""

    def resource(number: int) -> str:
        name = f"${{{definition.used}.metadata.name + '-{number}'}}"
        return (
            f"    - id: pasted{number}\n      template:\n        apiVersion: v1\n        kind: ConfigMap\n"
            f'        metadata: {{name: "{name}", labels: {{all: "${{string(size(schema.spec.readByAll))}}"}}}}\n'
        )

    return _replace(_in_middle(definition, _PASTE), resource)


def _undo(definition: Definition) -> Iterator[Step]:
    """Make an edit, then another one, and undo that; the undo is measured."""
    kept, undone = _in_middle(definition, _COMMENT), _in_middle(definition, _TEMPLATE)
    before = undone.content
    for number in itertools.count(1):
        yield Step(kept.replace(f" # kept {number}"), is_measured=False)
        yield Step(undone.replace(f"web{number}"), is_measured=False)
        yield Step(undone.replace(before))


def _type(number: int) -> str:
    """Return a type that `size()` takes, a different one for each number: lists and maps within each other."""
    containers = "".join("map[string]" if bit == "1" else "[]" for bit in f"{number // 2 + 1:b}")
    return f"{containers}{('integer', 'boolean')[number % 2]}"


def _retype(field: str) -> Kind:
    """Change the type of a field: its readers stay correct, but the server has to check that."""
    return Kind(
        f"type of a field, {field}",
        lambda definition: _replace(_in_schema(definition, rf'{field}: "(\S+)'), _type),
    )


def _rename_field(field: str) -> Kind:
    """Rename a field, so that all its readers are wrong."""
    return Kind(
        f"name of a field, {field}",
        lambda definition: _replace(_in_schema(definition, f"({field}): "), lambda number: f"{field}{number}"),
        faults=lambda definition: definition.readers[field],
    )


KINDS = (
    Kind("template value", lambda one: _replace(_in_middle(one, _TEMPLATE), lambda number: f"web{number}")),
    Kind(
        "expression",
        lambda one: _replace(_in_middle(one, _EXPRESSION), lambda number: f"schema.spec.name + 'x{number}'"),
    ),
    Kind("comment", lambda one: _replace(_in_middle(one, _COMMENT), lambda number: f" # note {number}")),
    Kind(
        "comment in spec.schema",
        lambda one: _replace(_in_schema(one, r"minimum=1()\n"), lambda number: f" # note {number}"),
    ),
    Kind(
        "status expression",
        lambda one: _replace(
            _in_schema(one, r"address0: \"\${(.*?)}"), lambda number: f"{one.ids[0]}.metadata.name + '-{number}'"
        ),
    ),
    Kind(
        "id that others use",
        lambda one: _replace(_in_schema(one, rf"- id: ({one.used})\n"), lambda number: f"renamed{number}"),
        faults=lambda one: one.uses(one.used),
    ),
    Kind("paste of a resource", _paste),
    Kind("undo", _undo),
    Kind(
        "new schema field",
        lambda one: _replace(_in_schema(one, r"minimum=1\n()"), lambda number: f"      added{number}: string\n"),
    ),
    *(_retype(field) for field in READERS),
    *(_rename_field(field) for field in READERS),
)
