"""The meaningful tokens of a part of an RGD, which depend on the part alone, and of an instance."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, NamedTuple

from kro_ls.analysis.model.model import Resource, SchemaSection
from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.lexer import tokenize
from kro_ls.openapi.schema import Schema
from kro_ls.queries.cells import cached
from kro_ls.yaml_positions.nodes import Mapping, Node, Scalar, Sequence, entries, field
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.source_map import text_span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.simpleschema.results import Marker
    from kro_ls.workspace.documents import Described
    from kro_ls.yaml_positions.documents.runs import PlacedChunk

_OWN_NAMES = frozenset({"schema", "each", "runtime", "self"})
_NUMBERS = frozenset({"NUM_FLOAT", "NUM_INT", "NUM_UINT"})
_WORDS = frozenset({"in", "true", "false", "null"})
_OPERATORS = frozenset("== != < <= >= > && || - ! ? : + * / %".split())
_LONGEST_EXPRESSION = 10_000
"""Nobody reads a longer one, and its colours would delay others."""


class TokenType(IntEnum):
    """What a token is; the numbers are those of the legend."""

    VARIABLE = 0
    PARAMETER = 1
    PROPERTY = 2
    FUNCTION = 3
    METHOD = 4
    MACRO = 5
    KEYWORD = 6
    NUMBER = 7
    STRING = 8
    OPERATOR = 9
    TYPE = 10
    CLASS = 11
    DECORATOR = 12
    ENUM_MEMBER = 13


class Modifier(IntFlag):
    """What else a token is; the bits are those of the legend."""

    NONE = 0
    DECLARATION = 1
    DEFAULT_LIBRARY = 2


class Token(NamedTuple):
    """A stretch of the part's text, within one line."""

    start: int
    end: int
    type: TokenType
    modifiers: Modifier = Modifier.NONE


@cached
def part_tokens(part: Resource | SchemaSection) -> tuple[Token, ...]:
    """Return the tokens of a part, in the order of its text, none of which overlap."""
    found = sorted(_tokens(part))
    chosen: list[Token] = []
    for token in found:
        is_free = not chosen or chosen[-1].end <= token.start
        if is_free and token.start < token.end and "\n" not in part.chunk_text[token.start : token.end]:
            chosen.append(token)
    return tuple(chosen)


def _tokens(part: Resource | SchemaSection) -> Iterator[Token]:
    for expression in part.expressions:
        yield from _expression_tokens(expression, part)
    if isinstance(part, Resource):
        if part.id_node:
            yield _scalar_token(part.chunk_text, part.id_node, TokenType.VARIABLE)
        for dimension in part.dimensions:
            yield _scalar_token(part.chunk_text, dimension.key, TokenType.PARAMETER)
    else:
        yield from _schema_tokens(part)


def _scalar_token(text: str, scalar: Scalar, kind: TokenType, modifiers: Modifier = Modifier.DECLARATION) -> Token:
    span = text_span(text, scalar)
    return Token(span.start, span.end, kind, modifiers)


def _expression_tokens(expression: Expression, part: Resource | SchemaSection) -> Iterator[Token]:
    if len(expression.text) > _LONGEST_EXPRESSION:
        return
    names: dict[int, tuple[TokenType, Modifier]] = {}
    for offset, what in _named(expression, part):
        names.setdefault(offset, what)
    tokens = tokenize(expression.text)
    pieces = [piece.compiled for piece in expression.compiled.pieces if piece.exact]
    for kind, start, end in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True):
        if not any(piece.start <= start and end <= piece.end for piece in pieces):
            continue  # quoted text around `${...}`, which is not CEL where it is written
        meaning = names.get(start) or _literal(kind)
        if meaning:
            span = expression.span(start, end)
            yield Token(span.start, span.end, *meaning)


def _literal(kind: str) -> tuple[TokenType, Modifier] | None:
    if kind in _NUMBERS:
        return TokenType.NUMBER, Modifier.NONE
    if kind in ("STRING", "BYTES"):
        return TokenType.STRING, Modifier.NONE
    if kind in _WORDS:
        return TokenType.KEYWORD, Modifier.NONE
    return (TokenType.OPERATOR, Modifier.NONE) if kind in _OPERATORS else None


def _named(expression: Expression, part: Resource | SchemaSection) -> Iterator[tuple[int, tuple[TokenType, Modifier]]]:
    """Yield what the names of an expression are, by where they start in its text; what comes first counts."""
    for variable in expression.inspection.variables:
        yield variable.span[0], (TokenType.PARAMETER, Modifier.DECLARATION)
        for use in variable.uses:
            yield use.end - len(variable.name), (TokenType.PARAMETER, Modifier.NONE)
    iterators = part.iterators if isinstance(part, Resource) else frozenset()
    for node in ast.walk(expression.inspection.parsed.root):
        match node:
            case ast.Identifier():
                own = Modifier.DEFAULT_LIBRARY if node.name in _OWN_NAMES else Modifier.NONE
                kind = TokenType.PARAMETER if node.name in iterators else TokenType.VARIABLE
                yield node.end - len(node.name), (kind, own)
            case ast.Select():
                yield node.field_span[0], (TokenType.PROPERTY, Modifier.NONE)
            case ast.MacroCall():
                yield node.call.name_span[0], (TokenType.MACRO, Modifier.DEFAULT_LIBRARY)
            case ast.Call() if node.function[:1].isalpha():
                kind = TokenType.METHOD if node.target else TokenType.FUNCTION
                yield node.name_span[0], (kind, Modifier.DEFAULT_LIBRARY)


def _schema_tokens(section: SchemaSection) -> Iterator[Token]:
    kind = field(section.node, "kind")
    if isinstance(kind, Scalar):
        yield _scalar_token(section.chunk_text, kind, TokenType.CLASS)
    yield from _status_keys(section, section.status)
    for (root, path), definition in simple_schema(section).definitions.items():
        written = written_field(section, root, path)
        if written is None:
            continue
        if isinstance(written.entry.key, Scalar):
            is_type = root == "types" and len(path) == 1
            what = TokenType.CLASS if is_type else TokenType.PROPERTY
            yield _scalar_token(section.chunk_text, written.entry.key, what)
        if definition.syntax and written.text:
            span = written.span_in_text(definition.syntax.type.innermost.span)
            yield Token(span.start, span.end, TokenType.TYPE)
            for marker in definition.syntax.markers:
                key = written.span_in_text(marker.key_span)
                yield Token(key.start, key.end, TokenType.DECORATOR)
                value: Span = written.span_in_text(marker.value_span)
                yield Token(value.start, value.end, _value_type(marker))


def _value_type(marker: Marker) -> TokenType:
    if marker.quoted:
        return TokenType.STRING
    if marker.value in ("true", "false", "null"):
        return TokenType.KEYWORD
    return TokenType.NUMBER if marker.value.lstrip("-").replace(".", "", 1).isdigit() else TokenType.STRING


def _status_keys(section: SchemaSection, node: Node | None) -> Iterator[Token]:
    for entry in entries(node):
        if isinstance(entry.key, Scalar) and entry.value is not None:
            yield _scalar_token(section.chunk_text, entry.key, TokenType.PROPERTY)
            yield from _status_keys(section, entry.value)


def instance_tokens(described: Described) -> list[Token]:
    """Return the tokens of an instance in document offsets, in the order of the text, each within one line.

    A key that the definition does not declare has none.
    """
    frame = described.document.frame
    found = (
        (token.type, frame.document_span(Span(token.start, token.end)))
        for token in _object_tokens(frame, frame.chunk.root, Schema(described.schema), is_root=True)
        if "\n" not in frame.chunk.text[token.start : token.end]
    )
    return sorted(Token(span.start, span.end, kind) for kind, span in found)


def _object_tokens(frame: PlacedChunk, node: Node | None, schema: Schema, *, is_root: bool = False) -> Iterator[Token]:
    if isinstance(node, Mapping):
        for entry in node.entries:
            below = schema.child(entry.name) if entry.name is not None else None
            if below is None or not isinstance(entry.key, Scalar):
                continue
            yield _scalar_token(frame.chunk.text, entry.key, TokenType.PROPERTY, Modifier.NONE)
            if is_root and entry.name == "kind" and isinstance(entry.value, Scalar):
                yield _scalar_token(frame.chunk.text, entry.value, TokenType.CLASS, Modifier.NONE)
            else:
                yield from _object_tokens(frame, entry.value, below)
    elif isinstance(node, Sequence):
        for item in node.items:
            below = schema.child(0)
            if below:
                yield from _object_tokens(frame, item, below)
    elif isinstance(node, Scalar) and node.text:
        yield _scalar_token(frame.chunk.text, node, _type_of(node, schema), Modifier.NONE)


def _type_of(scalar: Scalar, schema: Schema) -> TokenType:
    if scalar.value in schema.enum:
        return TokenType.ENUM_MEMBER
    if scalar.value is None or isinstance(scalar.value, bool):
        return TokenType.KEYWORD
    return TokenType.STRING if isinstance(scalar.value, str) else TokenType.NUMBER
