"""Tells the value of the expression under the cursor in a preview."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeGuard

from kro_ls.cel.syntax import ast
from kro_ls.features.documentation.markdown import code, code_block, plain
from kro_ls.features.previews.expression_values import evaluate, part_with_value
from kro_ls.runtime.passes.metadata import without_ownership
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.features.previews.expression_values import ExpressionValue
    from kro_ls.features.previews.preview import Preview
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.yaml_positions.positions import Span

MOST_LINES = 20
_MOST_COLUMNS = 160


def hover_evaluation(cursor: Cursor, preview: Preview) -> tuple[str, Span] | None:
    """Return Markdown for the value of the innermost part of an expression at the cursor, and its span.

    None where no expression is, or only a literal.
    """
    located = cursor.expression
    node = part_with_value(located.nodes, located.expression.text) if located else None
    if located is None or node is None or isinstance(node, ast.Literal):
        return None
    value = evaluate(preview, located.owner, located.expression, node)
    is_around = any(_has_no_value(each, node) for each in located.nodes[located.nodes.index(node) + 1 :])
    around = shortened(located.expression.text[node.start : node.end]) if is_around else ""
    return _describe(preview, value, around), located.span(node.start, node.end)


def _has_no_value(inner: ast.Node, shown: ast.Node) -> bool:
    """Whether a node, such as one that uses a macro variable, has no value of its own; an outer value is shown then."""
    return not isinstance(inner, ast.Hole) and not (isinstance(shown, ast.MacroCall) and inner is shown.call)


def _describe(preview: Preview, value: ExpressionValue, around: str) -> str:
    source = code(preview.instance.label) if preview.instance.uri else plain(preview.instance.label)
    if value.first_of is not None:
        source += f", first of {value.first_of}"
    of = f" of {code(around)}" if around else ""
    if value.error is not None:
        return f"No value{of} with {source}: {plain(value.error)}"
    if value.is_omitted:
        return f"Value{of} with {source}: left out (`omit()`)"
    shown = [without_ownership(each) if _is_object(each) else each for each in _items(value.data)]
    text = code_block(_short_json(shown if isinstance(value.data, list) else shown[0]), "json")
    note = "" if shown == _items(value.data) else "\n\nThe labels and annotations that kro adds are left out."
    return f"Value{of} with {source}:\n\n{text}{note}"


def _items(data: object) -> list[object]:
    return data if isinstance(data, list) else [data]


def _is_object(value: object) -> TypeGuard[JsonObject]:
    return isinstance(value, dict) and isinstance(value.get("metadata"), dict)


def _short_json(data: object) -> str:
    lines = json.dumps(data, indent=2, ensure_ascii=False).splitlines()
    shown = [line if len(line) <= _MOST_COLUMNS else f"{line[:_MOST_COLUMNS]}..." for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(f"... {len(lines) - MOST_LINES} more lines")
    return "\n".join(shown)
