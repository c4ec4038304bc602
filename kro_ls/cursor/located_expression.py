"""The expression at a place, and the parts of it that are there."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cel.syntax import ast
from kro_ls.cursor.types.typed_expression import TypedExpression, typed_expression

if TYPE_CHECKING:
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.yaml_positions.positions import Span


class LocatedExpression(Struct, frozen=True, dict=True):
    """An expression of a part, and an offset in its CEL text."""

    owner: PlacedPart
    expression: Expression
    offset: int

    @property
    def root(self) -> Node:
        """The tree of the whole expression."""
        return self.expression.inspection.parsed.root

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes at the offset, the innermost last."""
        return ast.path_at(self.root, self.offset)

    @property
    def selected(self) -> ast.Select | None:
        """The selection whose name is at the offset."""
        nodes = (node for node in reversed(self.nodes) if isinstance(node, ast.Select))
        return next((node for node in nodes if node.field_span[0] <= self.offset <= node.field_span[1]), None)

    @cached_property
    def typed(self) -> TypedExpression:
        """The expression with the types of its parts."""
        return typed_expression(self.owner, self.expression.place, self.expression.text)

    def span(self, start: int, end: int) -> Span:
        """Return where the CEL text from `start` to `end` was written, in document offsets."""
        return self.owner.span(self.expression.span(start, end))


def expression_at(owner: PlacedPart, offset: int) -> LocatedExpression | None:
    """Return the expression of a part at an offset of the part's text."""
    for expression in owner.part.expressions:
        if expression.scalar.start <= offset <= expression.scalar.end:
            cel_offset = expression.offset(offset)
            if cel_offset is not None:
                return LocatedExpression(owner, expression, cel_offset)
    return None
