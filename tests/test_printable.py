"""Texts that are printed command neither a terminal nor the CI system that reads the log."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.printable import printable, printable_lines, printable_literals

COMMAND = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)
TEXTS = st.text(st.sampled_from(':#[] \n\r\t\x1b\x9b\x7f\u2028\u202e\xa0\udc80äa\\"') | st.characters(), max_size=12)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain ä [::] # text", "plain ä [::] # text"),
        ("a\n::error::b", r"a\n::error::b"),
        ("::error::b", r"\x3a:error::b"),
        (" \t::error::b", r" \t::error::b"),
        ("  ::error::b", r"  \x3a:error::b"),
        ("a ##[error]b ##vso[c] ##", r"a ##\x5berror]b ##vso\x5bc] ##"),
        ("\x1b[31m\x9b\u202e\r", r"\x1b[31m\x9b\u202e\r"),
    ],
)
def test_a_text_is_printable_on_one_line(text: str, expected: str) -> None:
    assert printable(text) == expected


@given(TEXTS)
def test_any_text_is_printable(text: str) -> None:
    assert printable(text).isprintable()
    assert printable(printable(text)) == printable(text)
    lines = printable_lines(text)
    assert lines.count("\n") == text.count("\n")
    assert lines.replace("\n", "").replace("\t", "").isprintable()
    for shown in (printable(text), lines):
        assert not COMMAND.search(shown)


@given(st.dictionaries(TEXTS, TEXTS | st.lists(TEXTS)), st.sampled_from([None, 2]))
def test_data_is_the_same_and_printable(value: object, indent: int | None) -> None:
    shown = printable_literals(json.dumps(value, indent=indent, ensure_ascii=False))
    assert json.loads(shown) == value
    assert shown.replace("\n", "").isprintable()
    assert not COMMAND.search(shown)
