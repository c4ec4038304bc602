"""Makes the quick fixes that several rules share, and writes text as YAML scalars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Fix, Replacement
from kro_ls.yaml_positions.nodes import ScalarStyle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.yaml_positions.nodes import Scalar
    from kro_ls.yaml_positions.positions import Span

_FLOW_QUOTES = {ScalarStyle.SINGLE_QUOTED: "'", ScalarStyle.DOUBLE_QUOTED: '"'}


def change_to(span: Span, text: str) -> Fix:
    """Return the fix that puts `text` in the place of a name or a word."""
    return Fix(f"Change to '{text}'", (Replacement(span, text),))


def rename(old: Span, new_name: str, uses: Iterable[Span]) -> Fix:
    """Return the fix that renames a declaration and its uses."""
    spans = dict.fromkeys((old, *uses))
    return Fix(f"Rename to '{new_name}'", tuple(Replacement(span, new_name) for span in spans))


def quoted(text: str) -> str:
    """Return `text` as a quoted YAML scalar on one line that reads as exactly this text."""
    printable = text.isprintable()
    if printable and '"' not in text and "\\" not in text:
        return f'"{text}"'
    if printable:
        return "'" + text.replace("'", "''") + "'"
    escaped = "".join(_double_quoted(character) for character in text)
    return f'"{escaped}"'


def _double_quoted(character: str) -> str:
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}.get(character)
    if short is not None:
        return short
    return character if character.isprintable() else f"\\U{ord(character):08x}"


def written_as_is(chunk_text: str, scalar: Scalar) -> int | None:
    """Return how many quote characters surround the scalar where its source is exactly its text, else None.

    Inside such a scalar an offset in the value is an offset in the source, and text can be added at either end.
    """
    quote = 1 if scalar.style in _FLOW_QUOTES else 0
    if not quote and scalar.style is not ScalarStyle.PLAIN:
        return None
    return quote if chunk_text[scalar.start + quote : scalar.end - quote] == scalar.text else None
