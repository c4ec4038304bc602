"""Strings as Go writes them in messages (package strconv)."""

from __future__ import annotations

from functools import lru_cache

_NAMED = {
    '"': '\\"',
    "\\": "\\\\",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
}
_PIECE = 10_000
"""How many characters are written at once: other threads have to wait for so long."""


def go_quoted(text: str) -> str:
    """Return `text` as a double-quoted Go literal (`strconv.Quote`, the verb %q).

    Bytes that are not UTF-8 stand in `text` as Python's `surrogateescape` has them.
    """
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    pieces = ["".join(map(_escaped, text[start : start + _PIECE])) for start in range(0, len(text), _PIECE)]
    return f'"{"".join(pieces)}"'


@lru_cache(maxsize=1024)  # most quoted texts use few characters
def _escaped(character: str) -> str:
    named = _NAMED.get(character)
    if named is not None:
        return named
    from kro_ls.golang.unicode import is_printable

    if is_printable(character):
        return character
    code_point = ord(character)
    if 0xD800 <= code_point < 0xE000:
        return "".join(f"\\x{byte:02x}" for byte in utf8(character))
    if code_point < 0x80:
        return f"\\x{code_point:02x}"
    return f"\\u{code_point:04x}" if code_point < 0x10000 else f"\\U{code_point:08x}"


def utf8(text: str) -> bytes:
    """Return the bytes of a text, whatever is in it.

    Bytes that are not UTF-8 stand in `text` as Python's `surrogateescape` has them; any other half of a character
    counts as the three bytes that it would have.
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        return b"".join(map(_bytes_of, text))


def _bytes_of(character: str) -> bytes:
    is_byte = "\udc80" <= character <= "\udcff"
    return character.encode(errors="surrogateescape" if is_byte else "surrogatepass")
