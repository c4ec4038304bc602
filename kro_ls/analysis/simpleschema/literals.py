"""Go's text rules where kro lets Go read a marker: booleans, numbers and white space (Go package strconv)."""

import re

from kro_ls.golang.quoting import go_quoted

_TRUE = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_FALSE = frozenset({"0", "f", "F", "FALSE", "false", "False"})

# Go's unicode.IsSpace. Python's str.isspace also counts U+001C to U+001F.
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))

_MAX_UINT64 = 2**64 - 1
_MIN_INT64, _MAX_INT64 = -(2**63), 2**63 - 1

_DIGITS = r"[0-9](?:_?[0-9])*"
_HEX_DIGITS = r"[0-9a-fA-F](?:_?[0-9a-fA-F])*"
_DECIMAL_FLOAT = re.compile(rf"[+-]?(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?")
_HEX_FLOAT = re.compile(
    rf"[+-]?0[xX](?:_?{_HEX_DIGITS}(?:\.(?:{_HEX_DIGITS})?)?|\.{_HEX_DIGITS})[pP][+-]?{_DIGITS}",
)
_INFINITY = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)


class LiteralError(ValueError):
    """A literal that Go refuses; the text is Go's own (`strconv.ParseInt: parsing "x": invalid syntax`)."""

    def __init__(self, function: str, text: str, reason: str) -> None:
        super().__init__(f"strconv.{function}: parsing {go_quoted(text)}: {reason}")
        self.out_of_range = reason == "value out of range"


def trim(text: str) -> str:
    """Return `text` without leading and trailing white space as Go counts it (strings.TrimSpace)."""
    return text.strip(WHITE_SPACE)


def shortened(text: str) -> str:
    """Return `text`, cut to a length that suits a message."""
    return text if len(text) <= 80 else f"{text[:77]}..."


def parse_bool(text: str) -> bool:
    """Return the boolean that Go reads in `text`; raise LiteralError for any other spelling (strconv.ParseBool)."""
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise LiteralError("ParseBool", text, "invalid syntax")


def parse_int(text: str) -> int:
    """Return the 64-bit integer in `text`, decimal digits with an optional sign (strconv.ParseInt, base 10).

    Raises LiteralError. Go stops at the first problem from the left, so a number that is too long counts as out of
    range even if something else follows the digits.
    """
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits:
        raise LiteralError("ParseInt", text, "invalid syntax")
    value = 0
    for digit in digits:
        if not "0" <= digit <= "9":
            raise LiteralError("ParseInt", text, "invalid syntax")
        value = value * 10 + int(digit)
        if value > _MAX_UINT64:
            raise LiteralError("ParseInt", text, "value out of range")
    signed = -value if text[0] == "-" else value
    if not _MIN_INT64 <= signed <= _MAX_INT64:
        raise LiteralError("ParseInt", text, "value out of range")
    return signed


def parse_float(text: str) -> float:
    """Return the 64-bit float in `text` (strconv.ParseFloat); raise LiteralError.

    Takes decimal and hexadecimal numbers with `_` between digits, infinities with a sign, and NaN without one.
    """
    if text.lower() == "nan":
        return float("nan")
    if _INFINITY.fullmatch(text):
        return float(text)
    digits = text.replace("_", "")
    if _DECIMAL_FLOAT.fullmatch(text):
        value = float(digits)
    elif _HEX_FLOAT.fullmatch(text):
        try:
            value = float.fromhex(digits)
        except OverflowError:
            value = float("inf")
    else:
        raise LiteralError("ParseFloat", text, "invalid syntax")
    if value in (float("inf"), float("-inf")):
        raise LiteralError("ParseFloat", text, "value out of range")
    return value
