"""Writes text as YAML scalars, and changes a part of a scalar so that valid YAML is left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence, resolved
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle, resolve
from kro_ls.yaml_positions.scalars.source_map import source_map

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.yaml_positions.nodes import Node

_FLOW_QUOTES = {ScalarStyle.SINGLE_QUOTED: "'", ScalarStyle.DOUBLE_QUOTED: '"'}
_NOT_PLAIN_AT_START = tuple("-?:,[]{}#&*!|>'\"%@` ")
_ENDS_PLAIN = r":(?= |\t|$)|[ \t]#|[\r\n]"
_BLOCK_STYLES = (ScalarStyle.LITERAL, ScalarStyle.FOLDED)
_BLOCK_HEADER = r"([|>])[-+]?([0-9]?)[-+]?"
_FLOW_INDICATORS = r"[,\[\]{}:?]"
_LINE_ENDING = r"\r\n|\r|\n"


class Replacement(Struct, frozen=True, gc=False):
    """New text for a span of the same part."""

    span: Span
    text: str


def edited(content: str, replacements: Iterable[Replacement]) -> str:
    """Return a text after replacements that do not touch each other, with the text's own line endings."""
    for each in sorted(replacements, key=lambda each: each.span.start, reverse=True):
        content = content[: each.span.start] + with_line_endings_of(content, each.text) + content[each.span.end :]
    return content


def with_line_endings_of(content: str, new: str) -> str:
    """Return what is to be written into a text, its lines ending as the first line of the text does."""
    if "\n" not in new:
        return new
    ending = re.search(_LINE_ENDING, content)
    return re.sub(_LINE_ENDING, ending[0], new) if ending else new


def quoted(text: str) -> str:
    """Return `text` as a quoted YAML scalar on one line that reads as exactly this text."""
    printable = text.isprintable()
    if printable and '"' not in text and "\\" not in text:
        return f'"{text}"'
    if printable:
        return "'" + text.replace("'", "''") + "'"
    return double_quoted(text)


def double_quoted(text: str) -> str:
    """Return `text` as a YAML scalar in double quotes, on one line."""
    escaped = "".join(map(_escaped, text))
    return f'"{escaped}"'


def _escaped(character: str) -> str:
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}.get(character)
    if short is not None:
        return short
    return character if character.isprintable() else f"\\U{ord(character):08x}"


def replace_in_scalar(chunk_text: str, scalar: Scalar, span: Span, text: str, *, in_flow: bool) -> Replacement | None:
    """Return the edit that puts `text`, one line, in the place of a span of the scalar's decoded string.

    A plain scalar that could not hold the new text is put in quotes as a whole. `in_flow`: the scalar is
    inside `{...}` or `[...]`. None where the edit would have to join lines of a block scalar.
    """
    if scalar.style in _BLOCK_STYLES:
        return _replace_in_block(chunk_text, scalar, span, text)
    result = scalar.text[: span.start] + text + scalar.text[span.end :]
    source = source_map(chunk_text, scalar)
    if not source.exact or scalar.damaged:
        return Replacement(scalar.span, quoted(result))
    if scalar.style is ScalarStyle.SINGLE_QUOTED:
        return Replacement(source.source_span(span), text.replace("'", "''"))
    if scalar.style is ScalarStyle.DOUBLE_QUOTED:
        return Replacement(source.source_span(span), text.replace("\\", "\\\\").replace('"', '\\"'))
    if can_be_plain(result, in_flow=in_flow):
        return Replacement(source.source_span(span), text)
    return Replacement(scalar.span, quoted(result))


def _replace_in_block(chunk_text: str, scalar: Scalar, span: Span, text: str) -> Replacement | None:
    replaced = scalar.text[span.start : span.end]
    if "\n" not in replaced:
        return Replacement(source_map(chunk_text, scalar).source_span(span), text)
    header = re.compile(_BLOCK_HEADER).match(chunk_text, scalar.start)
    if header is None or text or span.end < len(scalar.text) or replaced.strip("\n"):
        return None
    return Replacement(Span(*header.span()), f"{header[1]}{header[2]}-")


def can_be_plain(text: str, *, in_flow: bool) -> bool:
    """Whether YAML reads `text`, written without quotes, as exactly this string."""
    if not text or text != text.strip() or text.startswith(_NOT_PLAIN_AT_START) or re.search(_ENDS_PLAIN, text):
        return False
    if in_flow and re.search(_FLOW_INDICATORS, text):
        return False
    return text.isprintable() and resolve(text, ScalarStyle.PLAIN, None).value == text


def is_in_flow(node: Node | None, scalar: Scalar) -> bool:
    """Whether a scalar below a node stands inside `{...}` or `[...]`."""
    while node is not None and node is not scalar:
        node = resolved(node)
        if isinstance(node, Mapping):
            below = [entry.value for entry in node.entries]
        elif isinstance(node, Sequence):
            below = list(node.items)
        else:
            return False
        if node.flow:
            return True
        node = next((each for each in below if each.start <= scalar.start and scalar.end <= each.end), None)
    return False


def written_as_is(chunk_text: str, scalar: Scalar) -> int | None:
    """Return how many quote characters surround the scalar where its source is exactly its text, else None.

    Inside such a scalar an offset in the value is an offset in the source, and text can be added at either end.
    """
    quote = 1 if scalar.style in _FLOW_QUOTES else 0
    if not quote and scalar.style is not ScalarStyle.PLAIN:
        return None
    return quote if chunk_text[scalar.start + quote : scalar.end - quote] == scalar.text else None
