"""The place of a diagnostic, the syntax there, and the fixes that can be written there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cursor.cursor import Cursor
from kro_ls.cursor.parts import parts
from kro_ls.cursor.typed_expression import TypedExpression, typed_expression
from kro_ls.queries.cells import cached_attribute
from kro_ls.rules.diagnostics import Fix
from kro_ls.yaml_positions.nodes import Scalar
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle
from kro_ls.yaml_positions.scalars.writing import Replacement, replace_in_scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cel.types.check_result import CheckError
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.workspace.documents import Document


class Place(Struct, frozen=True, dict=True):
    """A diagnostic in its document. All spans are offsets in the document, except those of CEL nodes."""

    document: Document
    diagnostic: Diagnostic

    @property
    def content(self) -> str:
        """The text of the document."""
        return self.document.text.content

    @property
    def span(self) -> Span:
        """The span that the diagnostic marks."""
        return self.diagnostic.span

    @property
    def marked(self) -> str:
        """The marked text."""
        return self.content[self.span.start : self.span.end]

    @cached_attribute
    def cursor(self) -> Cursor:
        """The syntax at the start of the marked text."""
        return Cursor(self.document, self.span.start)

    @property
    def rgd(self) -> RgdAnalysis | None:
        """The RGD around it."""
        return self.cursor.rgd

    @property
    def part(self) -> PlacedPart | None:
        """The resource or the schema section around it."""
        return self.cursor.part

    @cached_attribute
    def parts(self) -> tuple[PlacedPart, ...]:
        """All parts of the RGD."""
        return tuple(parts(self.rgd)) if self.rgd else ()

    @cached_attribute
    def expression(self) -> Expression | None:
        """The expression in which the diagnostic stands."""
        for each in self.part.part.expressions if self.part else ():
            written = each.span(0, len(each.text)) if each.compiled.is_part else each.whole
            whole = self.part.span(written) if self.part else self.span
            if whole.start <= self.span.start < max(whole.end, whole.start + 1):
                return each
        return None

    @cached_attribute
    def scalar(self) -> Scalar | None:
        """The scalar at the marked text, with offsets in its chunk."""
        node = self.cursor.yaml.located.node if self.cursor.yaml else None
        return node if isinstance(node, Scalar) else None

    def in_scalar(self, title: str, start: int, end: int, text: str) -> Iterator[Fix]:
        """Yield the fix that replaces a span of the scalar's value by a text."""
        if self.cursor.yaml and self.scalar:
            placed = self.cursor.yaml.located.placed
            edit = replace_in_scalar(placed.chunk.text, self.scalar, Span(start, end), text, in_flow=self.in_flow)
            if edit:
                yield Fix(title, (Replacement(placed.document_span(edit.span), edit.text),))

    @property
    def in_flow(self) -> bool:
        """Whether the scalar is in `{...}` or `[...]`, judging by its line."""
        line = self.content[self.content.rfind("\n", 0, self.span.start) + 1 : self.span.start]
        return line.count("{") - line.count("${") > line.count("}") or "[" in line

    @cached_attribute
    def typed(self) -> TypedExpression | None:
        """The types in the expression."""
        if self.part is None or self.expression is None:
            return None
        return typed_expression(self.part, self.expression.place, self.expression.text)

    @cached_attribute
    def error(self) -> CheckError | None:
        """The checker's error that the diagnostic reports."""
        for each in self.typed.result.errors if self.typed else ():
            if self.source(each.start, each.end) == self.span:
                return each
        return next(iter(self.typed.result.errors), None) if self.typed else None

    def source(self, start: int, end: int) -> Span:
        """Return where the expression's text from `start` to `end` stands."""
        if self.part is None or self.expression is None:
            return self.span
        return self.part.span(self.expression.span(start, end))

    def text_of(self, node: Node) -> str:
        """Return the source of a node of the expression."""
        return self.expression.text[node.start : node.end] if self.expression else ""

    def rewritten(self, title: str, start: int, end: int, text: str) -> Iterator[Fix]:
        """Yield the fix that replaces the expression's text from `start` to `end` by CEL."""
        span = self.source(start, end)
        yield Fix(title, (Replacement(span, self.escaped(text)),))

    def around(self, title: str, node: Node, before: str, after: str) -> Iterator[Fix]:
        """Yield the fix that writes CEL before and after a node."""
        span = self.source(node.start, node.end)
        edits = (
            Replacement(Span(span.start, span.start), self.escaped(before)),
            Replacement(Span(span.end, span.end), self.escaped(after)),
        )
        yield Fix(title, tuple(each for each in edits if each.text))

    def escaped(self, text: str) -> str:
        """Return CEL as it is written in the scalar of the expression."""
        style = self.expression.scalar.style if self.expression else None
        if style is ScalarStyle.DOUBLE_QUOTED:
            return text.replace("\\", "\\\\").replace('"', '\\"')
        return text.replace("'", "''") if style is ScalarStyle.SINGLE_QUOTED else text

    def replaced(self, title: str, text: str, span: Span | None = None) -> Iterator[Fix]:
        """Yield the fix that replaces a span, or the marked text, by YAML."""
        yield Fix(title, (Replacement(span or self.span, text),))
