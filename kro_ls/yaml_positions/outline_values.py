"""What an outline consists of, and what single lines say about a value.

Whether a quote or bracket is still open at the end of some lines is decided cheaply: a function that says no more than
"closed" is true only where that is sure, and false for lines that merely look open.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import TypeAlias

from msgspec import Struct

_FLOW = rb"\"[^\"\\]*\"|'[^']*'|([\"'#])|([\[{])|([\]}])"
_AFTER_FLOW = rb"[ \r]*(?:[ ]#.*)?"
_ANCHOR_CHARACTER = rb"[A-Za-z0-9_-]"
_MOST_BRACKETS = 20
# Plain scalars that YAML 1.1 takes for something else than a string, in lower case.
_WORDS = frozenset({b"y", b"n", b"yes", b"no", b"on", b"off", b"true", b"false", b"null"})
_NAME = re.compile(rb"[A-Za-z][A-Za-z0-9_./-]*")
_QUOTED = rb"(?:\"([^\"\\]*)\"|'([^']*)'|\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*')(?:[ ]+#.*)?"
_NOT_PLAIN = frozenset(bytes((each,)) for each in b"&*!%@`,]}")
_BLOCK_HEADER = rb"[|>][-+]?(?:[ ]+#.*)?"


class Opaque(Enum):
    """A value that an outline does not show: it is further down, or more than a plain name."""

    OPAQUE = auto()


OPAQUE = Opaque.OPAQUE

OutlineValue: TypeAlias = "str | bool | Opaque | dict[str, OutlineValue] | list[Item] | None"


class Item(Struct):
    """An item of a block sequence; its lines are `[start, end)`, in bytes of the text."""

    value: OutlineValue
    start: int
    end: int = -1


class Below(Enum):
    """What further lines are that are indented more than an entry."""

    VALUE = auto()
    TEXT = auto()
    QUOTED_TEXT = auto()
    BLOCK_SCALAR = auto()
    NOTHING = auto()


class UncertainError(Exception):
    """The text may mean something else than it looks like."""


def line_value(content: bytes) -> tuple[OutlineValue, Below]:
    """Return the value that follows a key or a dash in its line, and what may follow it. Raises UncertainError."""
    first = content[:1]
    if first in (b"", b"#"):
        return None, Below.VALUE
    if first in (b'"', b"'"):
        return _quoted_value(content)
    if first in (b"|", b">"):
        if re.fullmatch(_BLOCK_HEADER, content):
            return OPAQUE, Below.BLOCK_SCALAR
    elif first in (b"[", b"{"):
        if is_flow_collection(content):
            return OPAQUE, Below.NOTHING
    elif first not in _NOT_PLAIN and content[:2] not in (b"- ", b"? ", b"-", b"?"):
        text, comment, _ = content.partition(b" #")
        if b": " not in text and not text.endswith(b":"):
            return _plain_value(text.rstrip()), Below.NOTHING if comment else Below.TEXT
    raise UncertainError


def _quoted_value(content: bytes) -> tuple[OutlineValue, Below]:
    match = re.fullmatch(_QUOTED, content)
    if match is None:
        return OPAQUE, Below.QUOTED_TEXT
    simple = match[1] if match[1] is not None else match[2]
    text = None if simple is None else simple.decode("utf-8", "surrogatepass")
    return OPAQUE if text is None or not text.isprintable() else text, Below.NOTHING


def _plain_value(text: bytes) -> OutlineValue:
    if text in (b"true", b"false"):
        return text == b"true"
    if _NAME.fullmatch(text) and text.lower() not in _WORDS:
        return text.decode()
    return OPAQUE


def closes_quotes(text: bytes, start: int, end: int) -> bool:
    """Whether no quoted scalar that starts in the lines `[start, end)` is open at their end.

    Inside an open one every quote is escaped. So if the last quote is neither escaped nor able to start a scalar, none
    is open; an empty scalar proves nothing, and the quote before it counts. `"` cannot start a scalar right
    after another `"`, and `''` may be an escaped quote.
    """
    for quote, escape in ((b'"', b"\\"), (b"'", b"'")):
        place = text.rfind(quote, start, end)
        while place > start + 1 and text[place - 2 : place] == b" " + quote:
            place = text.rfind(quote, start, place - 1)
        before = text[place - 1 : place] if place > start else b"\n"
        if place >= 0 and (before in (b" ", b"\n", b"[", b"{", b",", b":", escape)):
            return False
    return True


def closes_brackets(text: bytes, start: int, end: int) -> bool:
    """Whether a key or a dash after the lines `[start, end)` cannot be in a flow collection that starts in them.

    There it would follow a comma, a colon or a bracket; after anything else the text would have an error.
    """
    if text.find(b"[", start, end) < 0 and text.find(b"{", start, end) < 0:
        return True
    while end > start and text[end - 1] in b" \r\n":
        end -= 1
    last = text[max(text.rfind(b"\n", start, end), start) : end].strip()
    return b"#" not in last and not last.endswith((b",", b":", b"?", b"[", b"{"))


def is_flow_collection(line: bytes) -> bool:
    """Whether the rest of a line, from a bracket on, is one flow collection with nothing but a comment after it."""
    depth = brackets = 0
    for token in re.finditer(_FLOW, line):
        if token[1]:
            return False
        if token[2]:
            depth += 1
            brackets += 1
        elif token[3]:
            depth -= 1
        if brackets > _MOST_BRACKETS:
            return False
        if depth == 0:
            return re.compile(_AFTER_FLOW).fullmatch(line, token.end()) is not None
    return False


def has_anchor(text: bytes) -> bool:
    """Whether something in a text may be an anchor: `&` and a name where a token can start."""
    place = text.find(b"&")
    while place >= 0:
        before = text[place - 1 : place] if place else b"\n"
        if before in (b" ", b"\n", b"[", b"{", b",", b":") and re.compile(_ANCHOR_CHARACTER).match(text, place + 1):
            return True
        place = text.find(b"&", place + 1)
    return False
