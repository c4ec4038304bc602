from __future__ import annotations

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.cli.formats.source_frame import source_frame
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.text import Text


def frame(content: str, start: int, end: int) -> str:
    return click.unstyle("\n".join(source_frame(Text(content), Span(start, end), "^", "red", 1)))


@pytest.mark.parametrize(
    ("content", "start", "end", "shown", "marks"),
    [
        ("ab cd\n", 3, 5, "ab cd", "   ^^"),
        ("ab\n", 2, 2, "ab", "  ^"),
        ("", 0, 0, "", "^"),
        ("a: |\n  b\n  c\n", 0, 12, "a: |", "^^^^"),
        ("\tx\n", 1, 2, "    x", "    ^"),
        ("日本 x\n", 3, 4, "日本 x", "     ^"),
        ("日本\n", 0, 1, "日本", "^^"),
        ("e\u0301x\n", 2, 3, "e\u0301x", " ^"),
        ("\ufeffab\n", 1, 2, "ab", "^"),
        ("a\x1b[31mb\n", 6, 7, "a\\x1b[31mb", "         ^"),
        ("a\r\nb\r\n", 3, 4, "b", "^"),
    ],
)
def test_the_marks_stand_under_the_span(content: str, start: int, end: int, shown: str, marks: str) -> None:
    lines = frame(content, start, end).split("\n")
    assert lines[1][4:] == shown
    assert lines[2][4:] == marks


def test_the_neighbourhood_of_a_long_line() -> None:
    content = "a" * 500 + "wrong" + "b" * 500
    source, marks = frame(content, 500, 505).split("\n")[1:]
    assert len(source) < 180
    assert source[4:].startswith("...aaa")
    assert source.endswith("bbb...")
    position = marks.index("^")
    assert source[position : position + marks.count("^")] == "wrong"


def test_a_long_span_is_cut() -> None:
    assert max(map(len, frame("x" * 10_000, 0, 10_000).split("\n"))) < 180


@pytest.mark.parametrize(("start", "length"), [(0, 0), (0, 1), (1, 1), (2, 1), (2, 3), (0, 9)])
def test_a_command_to_a_ci_system_is_none_however_it_is_marked(start: int, length: int) -> None:
    assert r"##\x5berror]" in frame("##[error] x", start, start + length)


@given(st.text(max_size=300), st.integers(0, 300), st.integers(0, 300))
def test_any_text_has_a_frame_of_three_printable_lines(content: str, start: int, length: int) -> None:
    lines = frame(content, start, start + length).split("\n")
    assert len(lines) == 3
    assert all(line.isprintable() for line in lines)
    assert "^" in lines[2]
