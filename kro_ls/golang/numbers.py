"""Booleans and numbers in texts as Go's package strconv reads them, and white space as Go's package unicode has it."""

from __future__ import annotations

import re

from kro_ls.golang.quoting import go_quoted

MAX_UINT64 = 2**64 - 1
MIN_INT64, MAX_INT64 = -(2**63), 2**63 - 1

# Go's unicode.IsSpace. Python's str.isspace also counts U+001C to U+001F.
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))

_TRUE = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_FALSE = frozenset({"0", "f", "F", "FALSE", "false", "False"})

_DIGITS = r"[0-9]+(?:_[0-9]+)*"
_HEX_DIGITS = r"[0-9a-fA-F]+(?:_[0-9a-fA-F]+)*"
_DECIMAL_FLOAT = rf"[+-]?(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?"
_HEX_FLOAT = rf"[+-]?0[xX](?:_?{_HEX_DIGITS}(?:\.(?:{_HEX_DIGITS})?)?|\.{_HEX_DIGITS})[pP][+-]?{_DIGITS}"
_INFINITIES = frozenset(f"{sign}{name}" for sign in ("", "+", "-") for name in ("inf", "infinity"))


class NumberError(ValueError):
    """A text that Go refuses; the text is Go's own (`strconv.ParseInt: parsing "x": invalid syntax`)."""

    def __init__(self, function: str, text: str, reason: str) -> None:
        super().__init__(f"strconv.{function}: parsing {go_quoted(text)}: {reason}")
        self.out_of_range = reason == "value out of range"


def trim(text: str) -> str:
    """Return `text` without leading and trailing white space as Go counts it (`strings.TrimSpace`)."""
    return text.strip(WHITE_SPACE)


def parse_bool(text: str) -> bool:
    """Return the boolean that Go reads in `text` (`strconv.ParseBool`). Raises NumberError for any other spelling."""
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise NumberError("ParseBool", text, "invalid syntax")


def parse_uint(text: str) -> int:
    """Return the 64-bit number in `text`, decimal digits without a sign (`strconv.ParseUint`, base 10).

    Raises NumberError.
    """
    return _digits("ParseUint", text, text)


def parse_int(text: str) -> int:
    """Return the 64-bit integer in `text`, decimal digits with an optional sign (`strconv.ParseInt`, base 10).

    Raises NumberError.
    """
    value = _digits("ParseInt", text, text[1:] if text[:1] in ("+", "-") else text)
    signed = -value if text[0] == "-" else value
    if not MIN_INT64 <= signed <= MAX_INT64:
        raise NumberError("ParseInt", text, "value out of range")
    return signed


def _digits(function: str, text: str, digits: str) -> int:
    """Return the value of the digits of `text`.

    Go stops at the first problem from the left, so a number that is too long counts as out of range even if something
    else follows the digits.
    """
    if not digits:
        raise NumberError(function, text, "invalid syntax")
    value = 0
    for digit in digits:
        if not "0" <= digit <= "9":
            raise NumberError(function, text, "invalid syntax")
        value = value * 10 + int(digit)
        if value > MAX_UINT64:
            raise NumberError(function, text, "value out of range")
    return value


def parse_float(text: str) -> float:
    """Return the 64-bit float in `text` (`strconv.ParseFloat`). Raises NumberError.

    Takes decimal and hexadecimal numbers with `_` between digits, infinities with a sign, and NaN without one.
    """
    if text.lower() == "nan":
        return float("nan")
    if text.lower() in _INFINITIES:
        return float(text)
    digits = text.replace("_", "")
    if (text.isascii() and text.isdigit()) or re.fullmatch(_DECIMAL_FLOAT, text):
        value = float(digits)
    elif re.fullmatch(_HEX_FLOAT, text):
        try:
            value = float.fromhex(digits)
        except OverflowError:
            value = float("inf")
    else:
        raise NumberError("ParseFloat", text, "invalid syntax")
    if value in (float("inf"), float("-inf")):
        raise NumberError("ParseFloat", text, "value out of range")
    return value
