"""Hovers on parts of an expression: calls with the overload that fits, fields with their schema, values with types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.readiness import conditions_of
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.types import Kind
from kro_ls.cel.types.unification import Resolution
from kro_ls.cursor.schemas.expressions import schema_of
from kro_ls.cursor.typed_expression import type_name, unwrapped
from kro_ls.features.documentation.functions import describe_function
from kro_ls.features.documentation.markdown import code, plain
from kro_ls.features.documentation.schema_texts import describe_schema
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cel.types.types import Type
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.located import LocatedExpression
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
        return _describe_field(located, node, type_), located.span(*node.field_span)
    shown = shortened(" ".join(located.expression.text[node.start : node.end].split()), _MOST_CHARACTERS)
    return f"{code(shown)}: {code(type_name(type_, located.owner))}", located.span(node.start, node.end)


def _describe_field(located: LocatedExpression, node: ast.Select, type_: Type) -> str:
    typed = located.typed
    lines = [f"**{plain(node.field)}**: {code(type_name(type_, located.owner))}"]
    schema = schema_of(typed, node)
    documentation = describe_schema(schema) if schema else ""
    if documentation:
        lines.append(documentation)
    lines += _writer(located, node)
    owner = unwrapped(typed.type_of(node.operand))
    if owner.kind is Kind.STRUCT:
        lines.append(f"Field of {code(type_name(owner, located.owner))}")
    return "\n\n".join(lines)


def _writer(located: LocatedExpression, node: ast.Select) -> Iterator[str]:
    """Yield what sets a field of a resource's status, and the condition after which it is there."""
    steps = [node.field]
    root = node.operand
    while isinstance(root, ast.Select):
        steps.append(root.field)
        root = root.operand
    if steps[-1] != "status" or not isinstance(root, ast.Identifier):
        return
    rgd, name = located.owner.rgd, root.name
    placed = rgd.resources.get(name)
    part = located.owner.part if name == "each" else placed.resource if placed else None
    if not isinstance(part, Resource):
        return
    kind = rgd.kind(part)
    writer = "kro" if kind and kind.is_generated else "the controller"
    best = next((each for each in conditions_of(part, kind) if not each.is_guess), None)
    if best is None or len(steps) == 1 or f".status.{steps[-2]}" in best.expression:
        yield f"Set by {writer}."
    else:
        yield f"Set by {writer}; expect it once {plain(best.means)}."
