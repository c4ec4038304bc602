"""Tells of the parts of an expression: calls with the overload that fits, fields with their schema, values by type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.syntax import ast
from kro_ls.cel.types.overloads import Resolution
from kro_ls.cel.types.types import Kind
from kro_ls.cursor.schemas.expressions import schema_of
from kro_ls.cursor.types.type_names import type_name
from kro_ls.cursor.types.typed_expression import unwrapped
from kro_ls.features.documentation.functions import describe_function
from kro_ls.features.documentation.markdown import code, plain
from kro_ls.features.documentation.schemas import describe_schema
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.located_expression import LocatedExpression
    from kro_ls.yaml_positions.positions import Span

_MOST_CHARACTERS = 60


def hover_call(cursor: Cursor) -> tuple[str, Span] | None:
    """Return signatures and documentation of the function or macro whose name is at the cursor."""
    located = cursor.expression
    for node in reversed(located.nodes) if located else ():
        call = node.call if isinstance(node, ast.MacroCall) else node
        if located and isinstance(call, ast.Call) and call.name_span[0] <= located.offset <= call.name_span[1]:
            resolution = None if isinstance(node, ast.MacroCall) else located.typed.result.references.get(call)
            text = describe_function(call, resolution.overloads if isinstance(resolution, Resolution) else ())
            if text is None:
                return None
            type_ = located.typed.result.types.get(node)
            if type_ and type_.kind is not Kind.ERROR:
                text += f"\n\nHere it gives {code(type_name(type_, located.owner))}."
            return text, located.span(*call.name_span)
    return None


def hover_value(cursor: Cursor) -> tuple[str, Span] | None:
    """Return the type of the innermost part of an expression at the cursor; of a field its documentation too."""
    located = cursor.expression
    if located is None or not located.nodes:
        return None
    node = located.nodes[-1]
    type_ = located.typed.result.types.get(node)
    if type_ is None or type_.kind is Kind.ERROR:
        return None
    if isinstance(node, ast.Select) and node.field_span[0] <= located.offset <= node.field_span[1]:
        return _describe_field(located, node), located.span(*node.field_span)
    shown = shortened(" ".join(located.expression.text[node.start : node.end].split()), _MOST_CHARACTERS)
    return f"{code(shown)}: {code(type_name(type_, located.owner))}", located.span(node.start, node.end)


def _describe_field(located: LocatedExpression, node: ast.Select) -> str:
    typed = located.typed
    lines = [f"**{plain(node.field)}**: {code(type_name(typed.type_of(node), located.owner))}"]
    schema = schema_of(typed, node)
    documentation = describe_schema(schema) if schema else ""
    if documentation:
        lines.append(documentation)
    owner = unwrapped(typed.type_of(node.operand))
    if owner.kind is Kind.STRUCT:
        lines.append(f"Field of {code(type_name(owner, located.owner))}")
    return "\n\n".join(lines)
