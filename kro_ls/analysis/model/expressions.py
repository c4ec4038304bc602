"""An expression of a ResourceGraphDefinition: the CEL text that kro compiles, and where each part of it was written.

`extract` finds each `${...}` in a scalar's text as kro does; its offsets count code points of the decoded scalar.

A string with text around its `${...}` is rewritten to one CEL concatenation, as kro does: `a-${x}` becomes
`"a-" + (x)`. Before 0.9.0 each `${...}` in it is an expression. Source: kro `pkg/graph/parser/cel.go`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from kro_ls.analysis.names.inspection import inspect
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.places import Place
from kro_ls.kro.versions.dialect import NEWEST_DIALECT
from kro_ls.openapi.json_values import Unknown
from kro_ls.queries.cells import cached
from kro_ls.yaml_positions.nodes import Mapping, Scalar, Sequence, entries_by_name
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.source_map import SourceMap, source_map

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.kro.versions.dialect import Dialect
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.queries.cells import Cells
    from kro_ls.yaml_positions.nodes import Node


# What the scan inside an expression looks at. Up to kro 0.9 only a double quote opens a string.
_SIGNIFICANT = re.compile(r"""["'{}]|\$\{""")
_STRING_ENDS = {quote: rf"(?s)[^{quote}\\]*(?:\\.[^{quote}\\]*)*{quote}" for quote in "\"'"}

# Each unterminated `${` costs a scan to the end of the text; this many are no accident.
_MOST_UNTERMINATED = 1000


class Extraction(Struct, frozen=True, gc=False):
    """The expressions of one scalar.

    `expressions` are the spans from `$` to after `}`, in order. `nested` is the `${` that makes kro refuse the whole
    scalar (then `expressions` is empty). `unterminated` are the offsets of each `${` that never closes, which kro
    before 0.10 silently takes as plain text.
    """

    expressions: tuple[Span, ...] = ()
    nested: Span | None = None
    unterminated: tuple[int, ...] = ()


_NOTHING = Extraction()


def extract(text: str, dialect: Dialect = NEWEST_DIALECT) -> Extraction:
    """Return the expressions of `text` that a dialect sees; a scalar without `${` costs one search."""
    return _scan(text, dialect.string_quotes) if "${" in text else _NOTHING


def _scan(text: str, quotes: str) -> Extraction:
    expressions: list[Span] = []
    unterminated: list[int] = []
    start = text.find("${")
    while start >= 0 and len(unterminated) < _MOST_UNTERMINATED:
        end = _expression_end(text, start + 2, quotes)
        if isinstance(end, Span):
            return Extraction(nested=end, unterminated=tuple(unterminated))
        if end is None:
            unterminated.append(start)
            start = text.find("${", start + 1)
        else:
            expressions.append(Span(start, end))
            start = text.find("${", end)
    return Extraction(tuple(expressions), None, tuple(unterminated))


def _expression_end(text: str, start: int, quotes: str) -> int | Span | None:
    """Return the offset after the closing brace, the span of a refused nested `${`, or None where nothing closes."""
    depth = 1
    position = start
    while match := _SIGNIFICANT.search(text, position):
        position = match.end()
        found = match.group()
        if found in _STRING_ENDS:
            if found not in quotes:
                continue
            string = re.compile(_STRING_ENDS[found]).match(text, position)
            if string is None:
                return None
            position = string.end()
        elif found == "${":
            if text[match.start() - 1] not in quotes:
                return Span(match.start(), match.end())
            depth += 1
        elif found == "{":
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                return position
    return None


def is_standalone(text: str, extraction: Extraction) -> bool:
    """Whether the scalar is exactly one `${...}` with nothing around it."""
    return extraction.expressions == (Span(0, len(text)),)


def value_of(node: Node | None) -> JsonValue:
    """Return the value of a tree in which each text with expressions is unknown, without fields so named."""
    if isinstance(node, Scalar):
        value = node.value
        return Unknown(value) if isinstance(value, str) and "${" in value else value  # type: ignore[return-value]
    if isinstance(node, Mapping):
        return {name: value_of(entry.value) for name, entry in entries_by_name(node).items() if "${" not in name}
    if isinstance(node, Sequence):
        return [value_of(item) for item in node.items]
    return None if node is None else value_of(node.target)


def why_unterminated(text: str, dialect: Dialect = NEWEST_DIALECT) -> str:
    """Return why the first unclosed `${` of a value is not closed, as a dialect sees it."""
    start = next(iter(extract(text, dialect).unterminated), 0)
    tail = text[start + 2 :]
    if "'" in dialect.string_quotes:
        return _why_with_quotes(tail)
    unescaped = tail.replace("\\\\", "").replace('\\"', "")
    if unescaped.count('"') % 2:
        if "'" in tail:
            return 'a lone double quote opens a string for kro, even in single quotes; write \'"\\""\' for it'
        return "a double quote opens a string that never ends"
    if "{" in tail and "'" in tail:
        return "a '{' counts as open even inside single quotes; put that string in double quotes"
    return "the '}' is missing"


def _why_with_quotes(tail: str) -> str:
    position = 0
    while match := re.compile("[\"']").search(tail, position):
        string = re.compile(_STRING_ENDS[match.group()]).match(tail, match.end())
        if string is None:
            kind = "double" if match.group() == '"' else "single"
            return f"a {kind} quote opens a string that never ends"
        position = string.end()
    return "the '}' is missing"


class Piece(Struct, frozen=True, gc=False):
    """A stretch of the compiled CEL text and the stretch of the scalar's value that it came from.

    `exact` pieces correspond code point by code point; the others (quoted literal text, brackets, `+`) as a whole.
    """

    compiled: Span
    value: Span
    exact: bool


class Compiled(Struct, frozen=True, gc=False):
    """What kro compiles for one scalar: the CEL text, the text it quotes in messages, and the way back.

    Where the parts of a text are expressions of their own, it is the part `number`, from 1, of `count`.
    """

    text: str
    user_text: str
    standalone: bool
    pieces: tuple[Piece, ...]
    number: int = 0
    count: int = 0

    @property
    def is_part(self) -> bool:
        """Whether it is one of the expressions in a text."""
        return self.number > 0


class Expression(Struct, frozen=True, eq=False, gc=False):
    """One expression of a resource or of the schema section.

    `path` leads to the scalar inside the template, the external reference or the status; for the lists of conditions
    and iterators it is the position in the list and, for iterators, the name. `scalar` has offsets in `chunk_text`.
    `inspection` is what the CEL text refers to.
    """

    place: Place
    path: tuple[str | int, ...]
    scalar: Scalar
    chunk_text: str
    compiled: Compiled
    inspection: Inspection
    cells: Cells = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The CEL text that kro compiles."""
        return self.compiled.text

    @property
    def in_field_of_conditions(self) -> bool:
        """Whether it stands in `status.conditions` where this is a status field as any other."""
        return self.place is Place.STATUS and self.path[0] == "conditions"

    @cached  # because its finding is computed again whenever a dependency changes
    def span(self, start: int, end: int) -> Span:
        """Return where the CEL text from `start` to `end` was written, as offsets in the part's text."""
        return self._source_map.source_span(self.value_span(start, end))

    def value_span(self, start: int, end: int) -> Span:
        """Return what the CEL text from `start` to `end` is of the scalar's value."""
        pieces = self.compiled.pieces
        return Span(_value_start(pieces, start), _value_end(pieces, end))

    def offset(self, source_offset: int) -> int | None:
        """Return the CEL offset of a source offset, or None where it is not inside an expression."""
        value_offset = self._source_map.to_value(source_offset)
        if value_offset is None:
            return None
        for piece in self.compiled.pieces:
            if piece.exact and piece.value.start <= value_offset <= piece.value.end:
                return piece.compiled.start + value_offset - piece.value.start
        return None

    @property
    def whole(self) -> Span:
        """The whole scalar, as offsets in the part's text."""
        return Span(self.scalar.start, self.scalar.end)

    @property
    def _source_map(self) -> SourceMap:
        found: SourceMap | None = self.cells.get(source_map)
        if found is None:
            found = self.cells[source_map] = source_map(self.chunk_text, self.scalar)
        return found


def _value_start(pieces: tuple[Piece, ...], offset: int) -> int:
    for piece in pieces:
        if offset < piece.compiled.end or (piece.exact and offset == piece.compiled.end):
            return piece.value.start + (offset - piece.compiled.start if piece.exact else 0)
    return pieces[-1].value.end


def _value_end(pieces: tuple[Piece, ...], offset: int) -> int:
    for piece in pieces:
        if offset <= piece.compiled.end:
            return piece.value.start + offset - piece.compiled.start if piece.exact else piece.value.end
    return pieces[-1].value.end


def compile_scalar(text: str, extraction: Extraction) -> Compiled | None:
    """Return the text that kro compiles for a scalar, or None if the scalar has no expression."""
    if not extraction.expressions:
        return None
    if is_standalone(text, extraction):
        inner = text[2:-1]
        return Compiled(inner, inner, True, (Piece(Span(0, len(inner)), Span(2, len(text) - 1), True),))
    builder = _Builder()
    position = 0
    for span in extraction.expressions:
        builder.literal(text, Span(position, span.start))
        builder.expression(text, span)
        position = span.end
    builder.literal(text, Span(position, len(text)))
    return Compiled("".join(builder.texts), text, False, tuple(builder.pieces))


def compile_parts(text: str, extraction: Extraction) -> Iterator[Compiled]:
    """Yield what kro before 0.9.0 compiles for a text around expressions: each of them."""
    count = len(extraction.expressions)
    for number, span in enumerate(extraction.expressions, 1):
        inner = text[span.start + 2 : span.end - 1]
        piece = Piece(Span(0, len(inner)), Span(span.start + 2, span.end - 1), True)
        yield Compiled(inner, inner, False, (piece,), number, count)


def joined(expressions: Iterable[Expression]) -> Iterator[Expression]:
    """Yield the expressions of a part, those in one text as one."""
    for expression in expressions:
        if not expression.compiled.is_part:
            yield expression
        elif expression.compiled.number == 1:
            text = expression.scalar.text
            if whole := compile_scalar(text, extract(text)):
                yield replace(expression, compiled=whole, inspection=inspect(whole.text), cells={})


class _Builder:
    """Collects the texts and pieces of a string template."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.pieces: list[Piece] = []
        self._length = 0

    def literal(self, text: str, span: Span) -> None:
        if span.start == span.end:
            return
        self._join(span.start)
        self._add(go_quoted(text[span.start : span.end]), span, exact=False)

    def expression(self, text: str, span: Span) -> None:
        self._join(span.start)
        self._add("(", Span(span.start, span.start + 2), exact=False)
        self._add(text[span.start + 2 : span.end - 1], Span(span.start + 2, span.end - 1), exact=True)
        self._add(")", Span(span.end - 1, span.end), exact=False)

    def _join(self, value_offset: int) -> None:
        if self.texts:
            self._add(" + ", Span(value_offset, value_offset), exact=False)

    def _add(self, text: str, value: Span, *, exact: bool) -> None:
        self.texts.append(text)
        self.pieces.append(Piece(Span(self._length, self._length + len(text)), value, exact))
        self._length += len(text)
