"""Tokens of CEL, and text that is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.cel.syntax.lexer import EOF, TOKEN_KINDS, tokenize
from tests.fixtures.examples import MANY


def kinds(text: str) -> list[str]:
    tokens = tokenize(text)
    assert tokens.kinds[-1] == EOF
    return tokens.kinds[:-1]


def texts(text: str) -> list[str]:
    tokens = tokenize(text)
    return [tokens.token_text(index) for index in range(len(tokens.kinds) - 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \t\r\n\f", []),
        ("// nothing here", []),
        ("a // comment\n+ b", ["IDENTIFIER", "+", "IDENTIFIER"]),
        ("in inn true null", ["in", "IDENTIFIER", "true", "null"]),
        ("_a9 A", ["IDENTIFIER", "IDENTIFIER"]),
        ("1 0x1F 08", ["NUM_INT", "NUM_INT", "NUM_INT"]),
        ("1u 0xfU", ["NUM_UINT", "NUM_UINT"]),
        ("1.5 1e3 .5 1.5E-3", ["NUM_FLOAT"] * 4),
        ("1.", ["NUM_INT", "."]),
        ("1.2.3", ["NUM_FLOAT", "NUM_FLOAT"]),
        ("0X1", ["NUM_INT", "IDENTIFIER"]),
        ("1e", ["NUM_INT", "IDENTIFIER"]),
        ("a.5", ["IDENTIFIER", "NUM_FLOAT"]),
        ("'a' \"b\" r'\\' R\"x\"", ["STRING"] * 4),
        ("b'a' BR\"\\q\" br'''x'''", ["BYTES"] * 3),
        ("rb'a'", ["IDENTIFIER", "STRING"]),
        ("'''a\n'b''' \"\"\"c\"d\"\"\"", ["STRING", "STRING"]),
        ("'\\x41\\u0041\\U00000041\\101\\`\\?'", ["STRING"]),
        ("`a-b/c d.e`", ["ESC_IDENTIFIER"]),
        ("a<=b>=c==d!=e&&f||g", [*("IDENTIFIER <= IDENTIFIER >= IDENTIFIER == IDENTIFIER".split()), "!=", "IDENTIFIER",
                                 "&&", "IDENTIFIER", "||", "IDENTIFIER"]),
        ("[]{}().,-!?:+*/%<>", list("[]{}().,-!?:+*/%<>")),
    ],
)  # fmt: skip
def test_kinds(text: str, expected: list[str]) -> None:
    tokens = tokenize(text)
    assert kinds(text) == expected
    assert not tokens.errors


def test_tokens_have_their_spans() -> None:
    tokens = tokenize("a  + 'ü'")
    assert list(zip(tokens.starts, tokens.ends, strict=True)) == [(0, 1), (3, 4), (5, 8), (8, 8)]


@pytest.mark.parametrize(
    ("text", "errors", "rest"),
    [
        ("a = b", ["= "], ["a", "b"]),
        ("a=", ["="], ["a"]),
        ("a & b", ["& "], ["a", "b"]),
        ("a; b", [";"], ["a", "b"]),
        ("'abc", ["'abc"], []),
        ("'abc\nd", ["'abc\n"], ["d"]),
        ('"\\q"', ['"\\q', '"'], []),
        ('"\\x4"', ['"\\x4"'], []),
        ('"\\400"', ['"\\4', '"'], ["00"]),
        ('"""abc', ['"abc'], ['""']),
        ("b'é", ["'é"], ["b"]),
        ("`a$b`", ["`a$", "`"], ["b"]),
        ("$@€", ["$", "@", "€"], []),
        ("a\u00a0b", ["\u00a0"], ["a", "b"]),
    ],
)
def test_text_that_is_not_a_token(text: str, errors: list[str], rest: list[str]) -> None:
    assert [text[error.start : error.end] for error in tokenize(text).errors] == errors
    assert texts(text) == rest


@MANY
@given(st.text(alphabet="ab1.'\"\\`r/ \n=$é", max_size=30))
def test_every_character_is_in_one_place(text: str) -> None:
    tokens = tokenize(text)
    assert set(tokens.kinds) <= set(TOKEN_KINDS)
    spans = sorted(
        [
            *zip(tokens.starts[:-1], tokens.ends[:-1], strict=True),
            *((error.start, error.end) for error in tokens.errors),
        ]
    )
    end = 0
    for start, following in spans:
        between = text[end:start]
        assert not between.strip(" \t\r\n\f") or "//" in between
        assert end <= start < following
        end = following
    assert end <= len(text)
