"""What messages tell about mistakes that people make often."""

import pytest

from kro_ls.yaml_positions.stream import parse_stream
from kro_ls.yaml_positions.text import Text


@pytest.mark.parametrize(
    ("value", "marked", "part"),
    [
        ("[]string", "string", "text follows `]`"),
        ("{}x", "x", "text follows `}`"),
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
