"""Tells cheaply that nothing which a piece of YAML opens is still open where it ends: no quote and no bracket.

Each function is true only where it is sure; it errs towards false, for texts that look as if.
"""

from __future__ import annotations

import re

_FLOW = re.compile(rb"\"[^\"\\]*\"|'[^']*'|([\"'#])|([\[{])|([\]}])")
_AFTER_FLOW = re.compile(rb"[ \r]*(?:[ ]#.*)?")
_ANCHOR_CHARACTER = re.compile(rb"[A-Za-z0-9_-]")
_MOST_BRACKETS = 20


def closes_quotes(text: bytes, start: int, end: int) -> bool:
    """Whether no quoted scalar that starts in the lines `[start, end)` is open at their end.

    Inside an open one every quote is escaped. So a last quote which neither is escaped nor can start a scalar tells
    that none is open; an empty scalar tells nothing and the quote before it counts. `"` cannot start a scalar right
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
    for token in _FLOW.finditer(line):
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
            return _AFTER_FLOW.fullmatch(line, token.end()) is not None
    return False


def has_anchor(text: bytes) -> bool:
    """Whether something in a text may be an anchor: `&` and a name where a token can start."""
    place = text.find(b"&")
    while place >= 0:
        before = text[place - 1 : place] if place else b"\n"
        if before in (b" ", b"\n", b"[", b"{", b",", b":") and _ANCHOR_CHARACTER.match(text, place + 1):
            return True
        place = text.find(b"&", place + 1)
    return False
