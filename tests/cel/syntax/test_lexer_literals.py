"""The values of literals."""

from collections.abc import Callable

import pytest

from kro_ls.cel.syntax.lexer import LiteralError, decode_bytes, decode_double, decode_int, decode_string, decode_uint


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("08", 8),
        ("-1", -1),
        ("0x1F", 31),
        ("-0x10", -16),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ("-0x8000000000000000", -(2**63)),
        ("0" * 5000 + "7", 7),
    ],
)
def test_int(text: str, value: int) -> None:
    assert decode_int(text) == value


def test_uint() -> None:
    assert decode_uint("18446744073709551615u") == 2**64 - 1
    assert decode_uint("0xFfU") == 255


def test_double() -> None:
    assert decode_double("1.5e3") == 1500.0
    assert decode_double("-.5") == -0.5
    assert decode_double("1e-999") == 0.0


@pytest.mark.parametrize(
    ("decode", "text", "message"),
    [
        (decode_int, "9223372036854775808", "invalid int literal"),
        (decode_int, "-9223372036854775809", "invalid int literal"),
        (decode_int, "9" * 5000, "invalid int literal"),
        (decode_int, "0x" + "f" * 20, "invalid int literal"),
        (decode_uint, "18446744073709551616u", "invalid uint literal"),
        (decode_double, "1e999", "invalid double literal"),
        (decode_string, r'"\ud800"', "invalid unicode code point"),
        (decode_string, r'"\U00110000"', "invalid unicode code point"),
        (decode_bytes, r'b"\u0041"', "unable to unescape string"),
        (decode_bytes, r'b"\U00000041"', "unable to unescape string"),
    ],
)
def test_literals_without_a_value(decode: Callable[[str], object], text: str, message: str) -> None:
    with pytest.raises(LiteralError, match=message):
        decode(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('""', ""),
        ("'a\"b'", 'a"b'),
        (r'"\a\b\f\n\r\t\v\\\'\"\?\`"', "\a\b\f\n\r\t\v\\'\"?`"),
        (r'"\xff\XfF\377"', "ÿÿÿ"),
        (r'"\u00e9\U0001F600"', "é😀"),
        ("'''a\r\nb\rc'''", "a\nb\nc"),
        ('""""quoted" text"""', '"quoted" text'),
        (r'r"\n"', r"\n"),
        ("R'''\\d'''", r"\d"),
        ('r""', ""),
    ],
)
def test_string(text: str, value: str) -> None:
    assert decode_string(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('b"é"', "é".encode()),
        (r'b"\xff\377\000a"', b"\xff\xff\x00a"),
        (r'b"ü\n"', "ü\n".encode()),
        (r'br"\xff"', rb"\xff"),
        ("B'''x'''", b"x"),
    ],
)
def test_bytes(text: str, value: bytes) -> None:
    assert decode_bytes(text) == value
