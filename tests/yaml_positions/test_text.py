import tracemalloc
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from kro_ls.yaml_positions.positions import Position, PositionEncoding, Span
from kro_ls.yaml_positions.text import Text

TEXTS = st.text(alphabet=st.sampled_from("ab \t\n\ré😀\ufeff\u0301\ud83d"), max_size=40)
ENCODINGS = st.sampled_from(PositionEncoding)


def test_lines_end_at_newline_carriage_return_and_both() -> None:
    text = Text("a\nbc\r\n\rd")
    assert text.line_count == 4
    assert [text.line_span(line) for line in range(4)] == [Span(0, 1), Span(2, 4), Span(6, 6), Span(7, 8)]
    assert text.line_start(99) == len(text.content)


def test_lines_take_little_memory() -> None:
    text = Text("a line\n" * 20_000)
    tracemalloc.start()
    try:
        assert text.line_count == 20_001
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3 * len(text.content)


def test_columns_count_in_the_agreed_encoding() -> None:
    text = Text("x\né😀b")
    assert text.position(4) == Position(1, 2)
    assert text.encoded_position(4, PositionEncoding.UTF16) == Position(1, 3)
    assert text.encoded_position(4, PositionEncoding.UTF8) == Position(1, 6)
    assert text.encoded_position(4, PositionEncoding.UTF32) == Position(1, 2)


def test_a_position_inside_a_code_point_is_its_start() -> None:
    text = Text("😀b")
    assert text.encoded_offset(0, 1, PositionEncoding.UTF16) == 0
    assert [text.encoded_offset(0, units, PositionEncoding.UTF8) for units in range(6)] == [0, 0, 0, 0, 1, 2]


def test_positions_outside_are_clamped() -> None:
    text = Text("ab\ncd")
    assert text.encoded_offset(0, 99, PositionEncoding.UTF16) == 2
    assert text.encoded_offset(9, 0, PositionEncoding.UTF16) == 5
    assert text.encoded_offset(-1, 0, PositionEncoding.UTF16) == 0
    assert text.encoded_offset(1, -5, PositionEncoding.UTF16) == 3
    assert text.position(99) == Position(1, 2)
    assert text.position(-3) == Position(0, 0)


def test_replace_gives_a_new_text() -> None:
    text = Text("a\nb")
    assert text.replace(1, 2, "\n\n").line_count == 3
    assert text.line_count == 2


@given(TEXTS, ENCODINGS)
def test_every_offset_survives_a_round_trip(content: str, encoding: PositionEncoding) -> None:
    text = Text(content)
    for offset in range(len(content) + 1):
        position = text.encoded_position(offset, encoding)
        back = text.encoded_offset(position.line, position.column, encoding)
        inside_line_ending = content[offset - 1 : offset + 1] == "\r\n"
        assert back == (offset - 1 if inside_line_ending else offset)


@given(TEXTS, ENCODINGS, st.integers(-2, 12), st.integers(-2, 60))
def test_any_position_gives_an_offset_in_its_line(
    content: str, encoding: PositionEncoding, line: int, column: int
) -> None:
    text = Text(content)
    offset = text.encoded_offset(line, column, encoding)
    assert 0 <= offset <= len(content)
    if 0 <= line < text.line_count:
        assert text.line_span(line).contains(offset)
        assert text.encoded_position(offset, encoding).column <= max(column, 0)


@given(
    st.text(st.sampled_from("a\r\n\u2028é"), max_size=12),
    st.integers(0, 12),
    st.integers(0, 12),
    st.text(st.sampled_from("b\r\n"), max_size=4),
)
def test_an_edited_text_has_the_lines_of_a_new_one(content: str, start: int, length: int, new: str) -> None:
    text = Text(content)
    start = min(start, len(content))
    end = min(start + length, len(content))
    assert text.line_count  # the lines are known before the edit
    edited = text.replace(start, end, new)
    fresh = Text(edited.content)
    assert [edited.line_start(line) for line in range(fresh.line_count + 1)] == [
        fresh.line_start(line) for line in range(fresh.line_count + 1)
    ]
    assert edited.line_count == fresh.line_count


LONG = "a: 1\r\n" * 300 + "\r" * 300 + "b\n" * 300


@given(st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 700), st.sampled_from(["", "x", "\n", "\r", "\r\n\n"]))))
def test_the_lines_of_an_edited_text_are_those_of_the_same_text(edits: list[tuple[int, int, str]]) -> None:
    text = Text(LONG)
    for place, length, new in edits:
        assert text.line_count
        start = place % (len(text.content) + 1)
        text = text.replace(start, min(start + length, len(text.content)), new)
    fresh = Text(text.content)
    assert [text.line_start(line) for line in range(text.line_count)] == [
        fresh.line_start(line) for line in range(fresh.line_count)
    ]
    assert [text.position(offset) for offset in range(0, len(text.content), 7)] == [
        fresh.position(offset) for offset in range(0, len(text.content), 7)
    ]


@given(st.lists(st.tuples(st.integers(0, 600), st.integers(0, 90), st.text("xyz\n", max_size=60)), max_size=12))
def test_a_long_text_is_edited_in_pieces(edits: list[tuple[int, int, str]]) -> None:
    with patch("kro_ls.yaml_positions.text._LONG", 100), patch("kro_ls.yaml_positions.text._PIECE", 16):
        content = "".join(map(str, range(120)))
        text = Text(content)
        for place, length, new in edits:
            start = place % (len(content) + 1)
            end = min(start + length, len(content))
            content = content[:start] + new + content[end:]
            text = text.replace(start, end, new)
            assert text.content == content
            assert "".join(text._pieces) == content
            assert max(map(len, text._pieces), default=0) <= 100
