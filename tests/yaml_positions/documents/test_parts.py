"""How kubectl cuts a file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.yaml_positions.documents.parts import is_plain, json_objects, separator_lines, yaml_parts, yaml_start
from kro_ls.yaml_positions.text import Text


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("", []),
        ("a: 1", ["a: 1"]),
        ("a: 1\n---\nb: 1\n", ["a: 1\n", "b: 1\n"]),
        ("---\na: 1\n---\n", ["---\na: 1\n"]),
        ("a: 1\n---\n---\n---\nb: 1\n", ["a: 1\n", "---\n", "b: 1\n"]),
        ("# c\n--- x\n...\n---", ["# c\n", "...\n"]),
        ("a: |\n ---\n x\n----\n", ["a: |\n ---\n x\n"]),
        ('{"a": 1}--- \nb: 1\n---\nc: 1\n', ["--- \nb: 1\n", "c: 1\n"]),
    ],
)
def test_parts(content: str, parts: list[str]) -> None:
    assert [content[start:end] for start, end in yaml_parts(Text(content))] == parts


@pytest.mark.parametrize(
    ("content", "objects", "start"),
    [
        ("a: 1\n{}", [], 0),
        ('{"a": 1}\n', [0], 9),
        (' \n{"a": {}}{"b": 1} \n\nx', [2, 11], 21),
        ("\t\n{a: 1}\n", [], 2),
        ("\n\n{a: 1}\n", [], 1),
        ("\ufeff{}", [], 0),
    ],
)
def test_json_comes_first(content: str, objects: list[int], start: int) -> None:
    assert json_objects(content) == objects
    assert yaml_start(content) == start


PIECES = ["a: 1", "{", "}", "---", "...", "%A", "# b", "\n", "\r", "\t", " ", "\ufeff"]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_a_plain_text_is_one_part(content: str) -> None:
    text = Text(content)
    if is_plain(text):
        assert (list(separator_lines(text)), json_objects(content), yaml_start(content)) == ([], [], 0)
        assert list(yaml_parts(text)) == [(0, len(content))][: len(content)]
