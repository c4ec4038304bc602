"""Describes the parts of an expression: calls with the overload that fits, fields with their schema, values by type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kro_ls.cel.syntax import ast
from kro_ls.cel.types.overloads import Resolution
from kro_ls.cel.types.types import Kind
from kro_ls.cursor.locate import PlacedPart, expression_at, part_at, rgd_at
from kro_ls.cursor.type_names import type_name
from kro_ls.cursor.typed_text import typed_text
from kro_ls.cursor.value_schemas import schema_of, unwrapped
from kro_ls.features.documentation import describe_function, describe_schema

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import Analysis
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.cursor.typed_text import TypedText
    from kro_ls.yaml_positions.positions import Span

_MOST_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class _Cursor:
    """An offset in the CEL text of an expression, with the nodes there, the innermost first."""

    owner: PlacedPart
    expression: Expression
    offset: int
    nodes: tuple[ast.Node, ...]

    def typed(self) -> TypedText:
        return typed_text(self.owner, self.expression.place, self.expression.text)

    def span(self, start: int, end: int) -> Span:
        return self.owner.span(self.expression.span(start, end))


def _cursor(analysis: Analysis, offset: int) -> _Cursor | None:
    rgd = rgd_at(analysis, offset)
    found = part_at(rgd, offset) if rgd else None
    located = expression_at(found[0].part, found[1]) if found else None
    if found is None or located is None:
        return None
    expression, cel_offset = located
    nodes = ast.path_at(expression.inspection.parsed.root, cel_offset)
    return _Cursor(found[0], expression, cel_offset, nodes[::-1])


def describe_call_at(analysis: Analysis, offset: int) -> tuple[str, Span] | None:
    """Return signatures and documentation of the function or macro whose name is at a document offset."""
    cursor = _cursor(analysis, offset)
    for node in cursor.nodes if cursor else ():
        call = node.call if isinstance(node, ast.MacroCall) else node
        if cursor and isinstance(call, ast.Call) and call.name_span[0] <= cursor.offset <= call.name_span[1]:
            typed = cursor.typed()
            resolution = None if isinstance(node, ast.MacroCall) else typed.result.references.get(call)
            text = describe_function(call, resolution.overloads if isinstance(resolution, Resolution) else ())
            if text is None:
                return None
            type_ = typed.result.types.get(node)
            if type_ and type_.kind is not Kind.ERROR:
                text += f"\n\nHere it gives `{type_name(type_, cursor.owner)}`."
            return text, cursor.span(*call.name_span)
    return None


def describe_value_at(analysis: Analysis, offset: int) -> tuple[str, Span] | None:
    """Return the type of the innermost part of an expression at a document offset; of a field its documentation too."""
    cursor = _cursor(analysis, offset)
    if cursor is None or not cursor.nodes:
        return None
    typed, node = cursor.typed(), cursor.nodes[0]
    type_ = typed.result.types.get(node)
    if type_ is None or type_.kind is Kind.ERROR:
        return None
    if isinstance(node, ast.Select) and node.field_span[0] <= cursor.offset <= node.field_span[1]:
        return _describe_field(cursor, typed, node), cursor.span(*node.field_span)
    text = " ".join(cursor.expression.text[node.start : node.end].split())
    shown = text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 3]}..."
    return f"{_code(shown)}: `{type_name(type_, cursor.owner)}`", cursor.span(node.start, node.end)


def _describe_field(cursor: _Cursor, typed: TypedText, node: ast.Select) -> str:
    lines = [f"**{node.field}**: `{type_name(typed.type_of(node), cursor.owner)}`"]
    schema = schema_of(typed, node)
    documentation = describe_schema(schema) if schema else ""
    if documentation:
        lines.append(documentation)
    owner = unwrapped(typed.type_of(node.operand))
    if owner.kind is Kind.STRUCT:
        lines.append(f"Field of `{type_name(owner, cursor.owner)}`")
    return "\n\n".join(lines)


def _code(text: str) -> str:
    """Return Markdown that shows a text as code, whatever backticks it holds."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"
