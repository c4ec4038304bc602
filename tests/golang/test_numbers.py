"""Go's literals, as kro reads them in marker values."""

import math

import pytest

from kro_ls.golang.numbers import NumberError, parse_bool, parse_float, parse_int, trim
from kro_ls.golang.quoting import go_quoted


@pytest.mark.parametrize("text", ["1", "t", "T", "TRUE", "true", "True"])
def test_true(text: str) -> None:
    assert parse_bool(text) is True


@pytest.mark.parametrize("text", ["0", "f", "F", "FALSE", "false", "False"])
def test_false(text: str) -> None:
    assert parse_bool(text) is False


@pytest.mark.parametrize("text", ["", "yes", "tRUE", " true", "on"])
def test_no_boolean(text: str) -> None:
    with pytest.raises(NumberError, match=r"strconv\.ParseBool: parsing .*: invalid syntax"):
        parse_bool(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("+5", 5),
        ("-5", -5),
        ("007", 7),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
    ],
)
def test_integer(text: str, value: int) -> None:
    assert parse_int(text) == value


@pytest.mark.parametrize("text", ["", "+", "-", "1.0", "0x10", "1_000", "٣", " 1", "1 "])
def test_no_integer(text: str) -> None:
    with pytest.raises(NumberError, match="invalid syntax"):
        parse_int(text)


@pytest.mark.parametrize("text", ["9223372036854775808", "-9223372036854775809", "99999999999999999999x"])
def test_integer_out_of_range(text: str) -> None:
    with pytest.raises(NumberError, match="value out of range"):
        parse_int(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("-1.5E+2", -150.0),
        ("0x1p-2", 0.25),
        ("0X_1.8P1", 3.0),
        ("1_000.5", 1000.5),
        ("-Inf", -math.inf),
        ("+infinity", math.inf),
    ],
)
def test_float(text: str, value: float) -> None:
    assert parse_float(text) == value


def test_not_a_number_is_a_float_without_sign_only() -> None:
    assert math.isnan(parse_float("NaN"))
    with pytest.raises(NumberError, match="invalid syntax"):
        parse_float("+nan")


@pytest.mark.parametrize("text", ["", ".", "1e", "0x1", "_1", "1__0", "1_", "1_.5", "infinit", "1f", "٣", "0x1p"])
def test_no_float(text: str) -> None:
    with pytest.raises(NumberError, match="invalid syntax"):
        parse_float(text)


@pytest.mark.parametrize("text", ["1e400", "-1e400", "0x1p5000"])
def test_float_out_of_range(text: str) -> None:
    with pytest.raises(NumberError, match="value out of range"):
        parse_float(text)


def test_quote_escapes_as_go_does() -> None:
    assert go_quoted('a"b\\c\n\t\x01\x7f\u200b\U000e0001é😀') == r'"a\"b\\c\n\t\x01\x7f\u200b\U000e0001é😀"'


def test_trim_knows_go_white_space() -> None:
    assert trim("\u00a0\u2003 a\x1c \x85") == "a\x1c"
