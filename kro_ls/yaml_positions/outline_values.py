"""What an outline consists of, and what a single line says of a value."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import TypeAlias

from msgspec import Struct

from kro_ls.yaml_positions.open_tokens import is_flow_collection


class Opaque(Enum):
    """The one value that an outline does not tell: it is further down, or more than a plain name."""

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


# Plain scalars that YAML 1.1 takes for something else than a string, in lower case.
_WORDS = frozenset({b"y", b"n", b"yes", b"no", b"on", b"off", b"true", b"false", b"null"})
_NAME = re.compile(rb"[A-Za-z][A-Za-z0-9_./-]*")
_QUOTED = re.compile(rb"(?:\"([^\"\\]*)\"|'([^']*)'|\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*')(?:[ ]+#.*)?")
_NOT_PLAIN = frozenset(bytes((each,)) for each in b"&*!%@`,]}")
_BLOCK_HEADER = re.compile(rb"[|>][-+]?(?:[ ]+#.*)?")


def line_value(content: bytes) -> tuple[OutlineValue, Below]:
    """Return the value that follows a key or a dash in its line, and what may follow it. Raises UncertainError."""
    first = content[:1]
    if first in (b"", b"#"):
        return None, Below.VALUE
    if first in (b'"', b"'"):
        return _quoted_value(content)
    if first in (b"|", b">"):
        if _BLOCK_HEADER.fullmatch(content):
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
    match = _QUOTED.fullmatch(content)
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
