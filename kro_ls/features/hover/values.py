"""Tells the value of the expression under the cursor in a preview."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kro_ls.cel.syntax import ast
from kro_ls.cursor.locate import expression_at, part_at
from kro_ls.features.previews.expression_values import evaluate, part_with_value

if TYPE_CHECKING:
    from kro_ls.features.previews.expression_values import ExpressionValue
    from kro_ls.features.previews.preview import Preview
    from kro_ls.yaml_positions.positions import Span

MOST_LINES = 20
_MOST_COLUMNS = 160


def describe_evaluation_at(preview: Preview, offset: int) -> tuple[str, Span] | None:
    """Return Markdown for the value of the innermost part of an expression at a document offset, and its span.

    None where no expression is, or only a literal.
    """
    found = part_at(preview.rgd, offset)
    located = expression_at(found[0].part, found[1]) if found else None
    if found is None or located is None:
        return None
    owner, (expression, cel_offset) = found[0], located
    nodes = ast.path_at(expression.inspection.parsed.root, cel_offset)
    node = part_with_value(nodes, expression.text)
    if node is None or isinstance(node, ast.Literal):
        return None
    value = evaluate(preview, owner, expression, node)
    return _describe(preview, value), owner.span(expression.span(node.start, node.end))


def _describe(preview: Preview, value: ExpressionValue) -> str:
    source = f"`{preview.instance.label}`" if preview.instance.uri else preview.instance.label
    if value.first_of is not None:
        source += f", first of {value.first_of}"
    if value.error is not None:
        return f"No value with {source}: {value.error}"
    if value.is_omitted:
        return f"Value with {source}: left out (`omit()`)"
    return f"Value with {source}:\n\n```json\n{_short_json(value.data)}\n```"


def _short_json(data: object) -> str:
    lines = json.dumps(data, indent=2, ensure_ascii=False).splitlines()
    shown = [line if len(line) <= _MOST_COLUMNS else f"{line[:_MOST_COLUMNS]}..." for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(f"... {len(lines) - MOST_LINES} more lines")
    return "\n".join(shown).replace("```", "` ` `")
