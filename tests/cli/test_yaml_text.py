"""YAML that every reader takes for the value that was written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from kro_ls.render.yaml_text import to_yaml
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import JsonValue
from kro_ls.yaml_positions.text import Text
from tests.fixtures.examples import MANY

WORDS = [
    "yes",
    "y",
    "null",
    "~",
    "",
    "0o7",
    "1e3",
    "08:30",
    "a: b",
    "a #b",
    "#",
    "[]",
    "{}",
    " x ",
    "\t",
    "é",
    "x:",
    "<<",
]
SEVERAL_LINES = ["a\nb", "a\n\n b: c\n", "a\n\n", " a\nb", "a \nb", "a\n  \nb", "---\n...", "# a\n- b", "a\n::debug"]
TEXTS = st.text(max_size=12) | st.sampled_from([*WORDS, *SEVERAL_LINES])
SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, width=32) | TEXTS
VALUES = st.recursive(
    SCALARS.filter(lambda value: value not in (float("inf"), float("-inf"))),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def read(text: str) -> JsonValue:
    (document,) = parse_stream(Text(text), ()).documents
    assert document.errors == ()
    return document.to_python()


@given(VALUES)
@MANY
def test_what_is_written_is_what_is_read(value: JsonValue) -> None:
    assert read(to_yaml(value)) == value


def test_it_is_laid_out_as_by_kubectl() -> None:
    value: JsonValue = {"a": [{"b": 1, "c": [1, [2]]}, "x"], "d": {}, "e": [], "f": {"g": "yes"}, "h": 1.5, "i": 2.0}
    assert (
        to_yaml(value)
        == """\
a:
- b: 1
  c:
  - 1
  - - 2
- x
d: {}
e: []
f:
  g: "yes"
h: 1.5
i: 2
"""
    )


def test_a_text_of_several_lines_is_a_literal_block() -> None:
    value: JsonValue = {"a": '{\n  "b": "c"\n\n}\n', "d": ["e\nf", {"g": "h\ni\n"}]}
    assert (
        to_yaml(value)
        == """\
a: |
  {
    "b": "c"

  }
d:
- |-
  e
  f
- g: |
    h
    i
"""
    )


@pytest.mark.parametrize(
    "text", ["a\nb \nc", "a\n\n", "\na", " a\nb", "a\n::error::b", "a\n##[error]b", "a\n\x1bb", "a\r\nb"]
)
def test_a_text_whose_lines_would_not_be_seen_as_they_are_is_quoted(text: str) -> None:
    written = to_yaml({"a": text})
    assert written.startswith('a: "')
    assert written.count("\n") == 1
    assert read(written) == {"a": text}


@pytest.mark.parametrize("text", ["08:30", "on", "0x10", "1_000", "2001-01-01", "=", "<<", "!", "null", "Null"])
def test_other_readers_of_yaml_1_1_see_a_text_as_well(text: str) -> None:
    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 1)
    assert yaml.load(to_yaml({"a": text})) == {"a": text}
