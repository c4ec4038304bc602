"""Strings as Go writes them in messages; the spelling is legal CEL, too."""

from __future__ import annotations

from kro_ls.golang.unicode.classes import is_printable

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


def go_quoted(text: str) -> str:
    """Return `text` as a double-quoted Go literal (`strconv.Quote`, the verb %q)."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    named = _NAMED.get(character)
    if named is not None:
        return named
    if is_printable(character):
        return character
    code_point = ord(character)
    if code_point < 0x80:
        return f"\\x{code_point:02x}"
    return f"\\u{code_point:04x}" if code_point < 0x10000 else f"\\U{code_point:08x}"
