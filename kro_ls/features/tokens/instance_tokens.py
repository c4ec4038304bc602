"""The meaningful tokens of an instance: the fields that its definition declares, and their values by type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.features.tokens.part_tokens import Modifier, Token, TokenType
from kro_ls.openapi.schema import Schema
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.source_map import source_map

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.workspace.described import Described
    from kro_ls.yaml_positions.nodes import Node
    from kro_ls.yaml_positions.runs import PlacedChunk


def instance_tokens(described: Described) -> list[Token]:
    """Return the tokens of an instance in document offsets, in the order of the text, each within one line.

    A key that the definition does not declare has none.
    """
    frame = described.document.frame
    found = (
        (token.type, frame.document_span(Span(token.start, token.end)))
        for token in _tokens(frame, frame.chunk.root, Schema(described.schema), is_root=True)
        if "\n" not in frame.chunk.text[token.start : token.end]
    )
    return sorted(Token(span.start, span.end, kind) for kind, span in found)


def _tokens(frame: PlacedChunk, node: Node | None, schema: Schema, *, is_root: bool = False) -> Iterator[Token]:
    if isinstance(node, Mapping):
        for entry in node.entries:
            below = schema.child(entry.name) if entry.name is not None else None
            if below is None or not isinstance(entry.key, Scalar):
                continue
            yield _token(frame, entry.key, TokenType.PROPERTY)
            if is_root and entry.name == "kind" and isinstance(entry.value, Scalar):
                yield _token(frame, entry.value, TokenType.CLASS)
            else:
                yield from _tokens(frame, entry.value, below)
    elif isinstance(node, Sequence):
        for item in node.items:
            below = schema.child(0)
            if below:
                yield from _tokens(frame, item, below)
    elif isinstance(node, Scalar) and node.text:
        yield _token(frame, node, _type_of(node, schema))


def _type_of(scalar: Scalar, schema: Schema) -> TokenType:
    if scalar.value in schema.enum:
        return TokenType.ENUM_MEMBER
    if scalar.value is None or isinstance(scalar.value, bool):
        return TokenType.KEYWORD
    return TokenType.STRING if isinstance(scalar.value, str) else TokenType.NUMBER


def _token(frame: PlacedChunk, scalar: Scalar, kind: TokenType) -> Token:
    span = source_map(frame.chunk.text, scalar).source_span(Span(0, len(scalar.text)))
    return Token(span.start, span.end, kind, Modifier.NONE)
