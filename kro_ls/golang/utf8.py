"""Texts as the bytes that Go has for them."""

from __future__ import annotations


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
