"""What is too large for any cluster is not read, and nothing else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.yaml_positions.documents.chunks import parse_chunk
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.errors import YamlErrorCode
from kro_ls.yaml_positions.nodes import to_python
from kro_ls.yaml_positions.parsing import values
from kro_ls.yaml_positions.parsing.values import MOST_BYTES, is_storable
from kro_ls.yaml_positions.text import Text
from tests.yaml_positions.dump import CUTS

PIECES = [
    "a",
    "1",
    "true",
    "~",
    "'b c'",
    '"d\\x41"',
    "[",
    "]",
    "{",
    "}",
    ",",
    ": ",
    "- ",
    "\n",
    "\n  ",
    " #x",
    "<<",
    "é",
]


@given(st.lists(st.sampled_from(PIECES), max_size=16).map("".join))
def test_what_is_found_too_large_is_larger_as_json(text: str) -> None:
    chunk = parse_chunk(text)
    if chunk.errors:
        return
    size = len(json.dumps(to_python(chunk.root), separators=(",", ":"), ensure_ascii=False).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(values, "MOST_BYTES", size)
        assert is_storable(text)


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "x" * MOST_BYTES,
        "a: '" + "x" * MOST_BYTES + "'",
        "a: |\n" + "  some text\n" * (MOST_BYTES // 9),
        "[" + "a, " * (MOST_BYTES // 4) + "a]",
        "".join(f"k{number}: a value\n" for number in range(MOST_BYTES // 16)),
    ],
)
def test_too_large_a_text_has_no_nodes_and_says_so(text: str) -> None:
    chunk = parse_chunk("\n" + text)
    assert chunk.root is None
    assert [(error.code, error.start) for error in chunk.errors] == [(YamlErrorCode.TOO_LARGE, 1)]


@pytest.mark.parametrize(
    "text",
    [
        "a: b # " + "x" * MOST_BYTES,
        "a: b\n" + "# a comment\n" * (MOST_BYTES // 5),
        "a: b" + " " * MOST_BYTES + "\n",
        "a: b" + "\n" * MOST_BYTES,
        "[" + "1, " * (MOST_BYTES // 4) + "1]",
        "items:\n" + f"- {'x' * (MOST_BYTES // 2)}\n" * 3,
    ],
    ids=["comment", "comments", "blanks", "blank lines", "numbers", "list"],
)
def test_what_may_be_stored_is_read(text: str) -> None:
    chunk = parse_chunk(text)
    assert chunk.root is not None
    assert not chunk.errors


@pytest.mark.parametrize("name", ["plain", "&anchor plain"])
def test_only_the_part_that_is_too_large_is_not_read(name: str) -> None:
    resource = "    - id: a\n      template: {b: " + "x" * (MOST_BYTES // 2) + "}\n"
    text = f"kind: {name}\nspec:\n  resources:\n" + resource * 3
    (document,) = parse_stream(Text(text), CUTS).documents
    assert not document.errors
    (document,) = parse_stream(Text(text + resource.replace("xx", "xxxx", MOST_BYTES // 2)), CUTS).documents
    assert [error.code for error in document.errors] == [YamlErrorCode.TOO_LARGE]
    assert len(document.children(("spec", "resources"))) == 3
