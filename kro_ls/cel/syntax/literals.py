"""The values of CEL literals, with cel-go's messages for those that have none."""

from __future__ import annotations

import math
import re

_INT64_LIMIT = 1 << 63
_UINT64_LIMIT = 1 << 64
_MOST_DIGITS = 20

_ESCAPE = re.compile(
    r"\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7][0-7])|([abfnrtv\"'\\?`]))"
)
_CHARACTER_OF_ESCAPE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class LiteralError(Exception):
    """A literal without a value; the text is cel-go's message."""


def decode_int(text: str) -> int:
    """Return the value of a NUM_INT token, with a `-` before it or not; raise LiteralError beyond 64 bits."""
    value = _whole_number(text.removeprefix("-"))
    if value is not None and text.startswith("-"):
        value = -value
    if value is None or not -_INT64_LIMIT <= value < _INT64_LIMIT:
        raise LiteralError("invalid int literal")
    return value


def decode_uint(text: str) -> int:
    """Return the value of a NUM_UINT token; raise LiteralError beyond 64 bits."""
    value = _whole_number(text[:-1])
    if value is None or value >= _UINT64_LIMIT:
        raise LiteralError("invalid uint literal")
    return value


def _whole_number(text: str) -> int | None:
    """Return the value of decimal or 0x digits, None when there are too many (also too many for Python's int())."""
    digits, base = (text[2:], 16) if text.startswith("0x") else (text, 10)
    if len(digits) > _MOST_DIGITS:
        digits = digits.lstrip("0") or "0"
    return int(digits, base) if len(digits) <= _MOST_DIGITS else None


def decode_double(text: str) -> float:
    """Return the value of a NUM_FLOAT token, with a `-` before it or not; raise LiteralError when it is infinite."""
    value = float(text)
    if math.isinf(value):
        raise LiteralError("invalid double literal")
    return value


def decode_string(text: str) -> str:
    """Return the characters of a STRING token; line breaks become LF. Escapes name code points."""
    content, is_raw = _content(text)
    return content if is_raw or "\\" not in content else _ESCAPE.sub(_unescape, content)


def decode_bytes(text: str) -> bytes:
    """Return the value of a BYTES token: the UTF-8 of its characters; `\\x` and octal escapes name bytes."""
    content, is_raw = _content(text[1:])
    if is_raw or "\\" not in content:
        return content.encode("utf-8", "surrogatepass")
    value = bytearray()
    copied = 0
    for match in _ESCAPE.finditer(content):
        value += content[copied : match.start()].encode("utf-8", "surrogatepass")
        copied = match.end()
        hexadecimal, short, long, octal, _ = match.groups()
        if short or long:
            raise LiteralError("unable to unescape string")
        if hexadecimal or octal:
            value.append(int(hexadecimal, 16) if hexadecimal else int(octal, 8))
        else:
            value += _unescape(match).encode()
    return bytes(value + content[copied:].encode("utf-8", "surrogatepass"))


def _content(text: str) -> tuple[str, bool]:
    """Return the text between the quotes, and whether the literal is raw."""
    is_raw = text[0] in "rR"
    if is_raw:
        text = text[1:]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    width = 3 if len(text) >= 6 and text[:3] in ('"""', "'''") else 1
    return text[width:-width], is_raw


def _unescape(match: re.Match[str]) -> str:
    hexadecimal, short, long, octal, character = match.groups()
    if character:
        return _CHARACTER_OF_ESCAPE.get(character, character)
    code_point = int(octal, 8) if octal else int(hexadecimal or short or long, 16)
    if code_point > 0x10FFFF or 0xD800 <= code_point < 0xE000:
        raise LiteralError("invalid unicode code point")
    return chr(code_point)
