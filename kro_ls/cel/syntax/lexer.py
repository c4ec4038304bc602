"""CEL tokens, the values of literals, and the characters that belong to no token (cel-go `parser/gen/CEL.g4`).

The longest match wins, then the first rule.
"""

from __future__ import annotations

import math
import re
from functools import cache
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.cel.syntax.ast import LiteralKind
from kro_ls.cel.syntax.identifiers import KEYWORDS

if TYPE_CHECKING:
    from collections.abc import Callable

EOF = "<EOF>"

TOKEN_KINDS = (
    EOF,
    *("==", "!=", "in", "<", "<=", ">=", ">", "&&", "||"),
    *("[", "]", "{", "}", "(", ")", ".", ",", "-", "!", "?", ":", "+", "*", "/", "%"),
    *("true", "false", "null"),
    *("NUM_FLOAT", "NUM_INT", "NUM_UINT", "STRING", "BYTES", "IDENTIFIER", "ESC_IDENTIFIER"),
)
"""All kinds in the order in which syntax errors list them. Symbols and keywords are their own kind."""


class LexicalError(Struct, frozen=True):
    """Characters `[start, end)` that are not tokens; `end` is after the character at which the lexer gave up."""

    start: int
    end: int


class Tokens(Struct, frozen=True, gc=False):
    """The tokens of `text` as parallel lists, closed by one of kind `EOF`; spans are code point offsets."""

    text: str
    kinds: list[str]
    starts: list[int]
    ends: list[int]
    errors: tuple[LexicalError, ...]

    def token_text(self, index: int) -> str:
        """Return the source of one token, empty at the end of the text."""
        return self.text[self.starts[index] : self.ends[index]]


_HEX = "[0-9a-fA-F]"
_ESCAPE = rf"""\\(?:[abfnrtv"'\\?`]|[xX]{_HEX}{{2}}|u{_HEX}{{4}}|U{_HEX}{{8}}|[0-3][0-7][0-7])"""
_UNFINISHED_ESCAPE = rf"\\(?:[xX]{_HEX}?|u{_HEX}{{0,3}}|U{_HEX}{{0,7}}|[0-3][0-7]?)?"
_STRING = "|".join(
    [
        rf'"""(?:[^\\]|{_ESCAPE})*?"""',
        rf"'''(?:[^\\]|{_ESCAPE})*?'''",
        rf'"(?:[^\\"\n\r]|{_ESCAPE})*+"',
        rf"'(?:[^\\'\n\r]|{_ESCAPE})*+'",
        r'[rR]"""[\s\S]*?"""',
        r"[rR]'''[\s\S]*?'''",
        r'[rR]"[^"\n\r]*+"',
        r"[rR]'[^'\n\r]*+'",
    ]
)


@cache  # compiled once
def _token() -> re.Pattern[str]:
    """Return the pattern of a token. It is compiled late: many definitions have no expression but plain reads."""
    return re.compile(
        r"(?:[ \t\r\n\f]|//[^\n]*+)*+(?:"
        + "|".join(
            [
                r"""((?![bBrR]{1,2}["'])[A-Za-z_][A-Za-z0-9_]*+)""",
                r"(==|!=|<=|>=|&&|\|\||\.(?![0-9])|[\[\](){},\-!?:+*/%<>])",
                r"([0-9]++\.[0-9]++(?:[eE][+-]?[0-9]++)?|[0-9]++[eE][+-]?[0-9]++|\.[0-9]++(?:[eE][+-]?[0-9]++)?)",
                rf"((?:[0-9]+|0x{_HEX}+)[uU])",
                rf"(0x{_HEX}++|[0-9]++)",
                rf"([bB]?(?:{_STRING}))",
                r"(`[A-Za-z0-9_.\-/ ]++`)",
                r"([A-Za-z_][A-Za-z0-9_]*+)",
                r"([\s\S])",
                r"\Z",
            ]
        )
        + ")"
    )


_WORD = 1
_SYMBOL = 2
_STRING_OR_BYTES = 6
_WORD_BEFORE_QUOTE = 8
_NO_TOKEN = 9
_KIND_OF_GROUP = {3: "NUM_FLOAT", 4: "NUM_UINT", 5: "NUM_INT", 7: "ESC_IDENTIFIER"}


@cache  # compiled once
def _begun_token() -> re.Pattern[str]:
    """Return the pattern of a token that is only begun. It is compiled late: most texts consist of tokens."""
    return re.compile(
        rf'"(?:[^\\"\n\r]|{_ESCAPE})*+(?:{_UNFINISHED_ESCAPE})?'
        rf"|'(?:[^\\'\n\r]|{_ESCAPE})*+(?:{_UNFINISHED_ESCAPE})?"
        r"|`[A-Za-z0-9_.\-/ ]*+"
        r"|[=&|]"
        r"|"
    )


def tokenize(text: str) -> Tokens:
    """Split `text` into tokens; whitespace, comments and characters that are not tokens are left out."""
    kinds: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    errors: list[LexicalError] = []
    resume: int | None = 0
    while resume is not None:
        offset, resume = resume, None
        for match in _token().finditer(text, offset):
            group = match.lastindex
            if group is None:
                break
            start, end = match.span(group)
            if group == _SYMBOL:
                kinds.append(match[_SYMBOL])
            elif group in (_WORD, _WORD_BEFORE_QUOTE):
                word = match[group]
                kinds.append(word if word in KEYWORDS else "IDENTIFIER")
            elif group == _STRING_OR_BYTES:
                kinds.append("BYTES" if text[start] in "bB" else "STRING")
            elif group == _NO_TOKEN:
                errors.append(_no_token(text, start))
                resume = errors[-1].end
                break
            else:
                kinds.append(_KIND_OF_GROUP[group])
            starts.append(start)
            ends.append(end)
    kinds.append(EOF)
    starts.append(len(text))
    ends.append(len(text))
    return Tokens(text, kinds, starts, ends, tuple(errors))


def _no_token(text: str, start: int) -> LexicalError:
    """Return what a lexer that matches as far as it can has read when it gives up."""
    begun = _begun_token().match(text, start)
    end = begun.end() if begun else start
    return LexicalError(start, min(end + 1, len(text)))


_INT64_LIMIT = 1 << 63
_UINT64_LIMIT = 1 << 64
_MOST_DIGITS = 20

_ESCAPED_CHARACTER: Final = (
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
    return content if is_raw or "\\" not in content else re.sub(_ESCAPED_CHARACTER, _unescape, content)


def decode_bytes(text: str) -> bytes:
    """Return the value of a BYTES token: the UTF-8 of its characters; `\\x` and octal escapes name bytes."""
    content, is_raw = _content(text[1:])
    if is_raw or "\\" not in content:
        return content.encode("utf-8", "surrogatepass")
    value = bytearray()
    copied = 0
    for match in re.finditer(_ESCAPED_CHARACTER, content):
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


LITERALS: Final[dict[str, tuple[LiteralKind, Callable[[str], bool | int | float | str | bytes | None]]]] = {
    "NUM_INT": (LiteralKind.INT, decode_int),
    "NUM_UINT": (LiteralKind.UINT, decode_uint),
    "NUM_FLOAT": (LiteralKind.DOUBLE, decode_double),
    "STRING": (LiteralKind.STRING, decode_string),
    "BYTES": (LiteralKind.BYTES, decode_bytes),
    "true": (LiteralKind.BOOL, "true".__eq__),
    "false": (LiteralKind.BOOL, "true".__eq__),
    "null": (LiteralKind.NULL, lambda _: None),
}
"""By the kind of a token: the kind of literal, and what reads its value. Raises LiteralError."""
