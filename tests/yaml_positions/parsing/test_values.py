"""Values without trees."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.parsing.values import NeedsTreeError, simple_values
from kro_ls.yaml_positions.text import Text

TEXT = """\
a: [1, 0x10, 1.5, yes, ~, 2020-01-01, "1"]
b:
- c: |
    text
  d: 'it''s'
1: {x: , y: []}
---
e
"""


def test_the_values_are_those_of_the_trees() -> None:
    expected = [document.to_python() for document in parse_stream(Text(TEXT)).documents]
    assert simple_values(TEXT) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a: [",
        "a: &b c",
        "a: *b",
        "a: !!str b",
        "a: 1\na: 2",
        "? [a]\n: b",
        "~: b",
        "<<: {a: b}",
        "a: .nan",
        "a: \x01",
        "[" * 300 + "]" * 300,
    ],
)
def test_texts_that_need_a_tree(text: str) -> None:
    with pytest.raises(NeedsTreeError):
        simple_values(text)


@given(
    st.lists(st.sampled_from([*"ab1:-,[]{}'\"|>#&*!?~<% \n", ": ", "- ", "\n  ", "\n- ", "<<", "---\n"]), max_size=25)
)
def test_any_text_gives_the_values_of_its_trees_or_none(pieces: list[str]) -> None:
    text = "".join(pieces)
    with contextlib.suppress(NeedsTreeError):
        values = simple_values(text)
        documents = parse_stream(Text(text)).documents
        assert [error for document in documents for error in document.errors] == []
        expected = [document.to_python() for document in documents]
        # What stands between two `---` without a value is a document for the one, and none for the other.
        assert [value for value in values if value is not None] == [value for value in expected if value is not None]
