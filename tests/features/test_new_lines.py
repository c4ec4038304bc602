"""The indentation of a line that was just begun, after each form of line that people write."""

from __future__ import annotations

import pytest
from lsprotocol import types

from kro_ls.features.convert import to_offset
from kro_ls.features.indentation import indent_new_line
from tests.fixtures.language import fixture


def indentation_after(source: str, kept: str = "") -> int:
    """Return the column at which a new line begins; `kept` is the client's own indentation of it."""
    found = fixture(f"{source}\n{kept}$0\nlast: line\n")
    edits = indent_new_line(found.cursor)
    content = found.content
    for edit in edits:
        start, end = (to_offset(found.document, place) for place in (edit.range.start, edit.range.end))
        content = content[:start] + edit.new_text + content[end:]
    line = content.split("\n")[found.position.line]
    assert not line.strip()
    return len(line)


@pytest.mark.parametrize(
    ("source", "column"),
    [
        ("metadata:", 2),
        ("  metadata:  # of the object", 4),
        ("metadata: {", 2),
        ("  - id: web", 4),
        ("  - template:", 6),
        ("  - ${schema.spec.ready}", 2),
        ("  - nginx", 2),
        ("  name: web", 2),
        ("script: |", 2),
        ("script: >-", 2),
        ("  - script: |", 6),
        ("  - |", 6),
        ("script: |\n  if true; then:", 2),
        ("script: |\n  first\n    second", 4),
        ("a:\n  b: 'c:'", 2),
        ("a:\n  b: c # d:", 2),
        ("a:\n  b: http://c:80/", 2),
        ("a:\n\n", 0),
        ("# a comment:", 0),
    ],
)
@pytest.mark.parametrize("kept", ["", "  "])
def test_a_new_line_goes_on_where_people_expect(source: str, column: int, kept: str) -> None:
    assert indentation_after(source, kept) == column


def test_a_line_with_text_stays() -> None:
    assert indent_new_line(fixture("metadata:\n$0name: web\n").cursor) == []
    assert indent_new_line(fixture("$0").cursor) == []


def test_the_line_ends_of_windows() -> None:
    found = fixture("metadata:\r\n$0\r\n")
    assert indent_new_line(found.cursor) == [
        types.TextEdit(types.Range(types.Position(1, 0), types.Position(1, 0)), "  ")
    ]
