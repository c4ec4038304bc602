"""What messages tell about mistakes that people make often."""

import pytest

from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import Sequence, field, text_of
from kro_ls.yaml_positions.text import Text


@pytest.mark.parametrize(
    ("value", "marked", "part"),
    [
        ("[]string", "string", "text follows ']'"),
        ("{}x", "x", "text follows '}'"),
        ('"quoted" more', "more", "put the whole value in quotes"),
        ('${a ? "b": "c"}', ":", "quote the value"),
        ("@name", "@", "quote the value"),
    ],
)
def test_a_value_that_needs_quotes(value: str, marked: str, part: str) -> None:
    text = f"first: 1\nsecond: {value}\nthird: 3\n"
    (error,) = parse_stream(Text(text)).errors
    assert part in error.message
    assert text[error.start : error.end].startswith(marked)


def test_an_item_left_of_its_list_is_wrongly_indented() -> None:
    text = "spec:\n    - id: a\n   - id: b\n"
    (error,) = parse_stream(Text(text)).errors
    assert error.message == "the indentation does not fit the lines above"


@pytest.mark.parametrize("dash", ["- ", "-    ", "-   "])
def test_a_new_item_typed_before_another_is_one_error_and_the_other_is_read(dash: str) -> None:
    text = f"items:\n  - id: a\n    kind: A\n  {dash}- id: b\n    kind: B\n    more: [1]\n  - id: c\n"
    stream = parse_stream(Text(text))
    (error,) = stream.errors
    assert text[error.start : error.end + 1].strip() == "-"
    assert text[: error.start].count("\n") == 3
    items = field(stream.documents[0].frame.chunk.root, "items")
    assert isinstance(items, Sequence)
    assert [text_of(field(item, "id")) for item in items.items] == ["a", "b", "c"]
    assert text_of(field(items.items[1], "kind")) == "B"


def test_a_sequence_in_a_sequence_stays_one() -> None:
    assert not parse_stream(Text("items:\n  - - id: a\n      kind: A\n    - id: b\n")).errors
