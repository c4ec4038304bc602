"""The calls of `range(a, b)`, which KREP-2 proposed, and their replacement in kro."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.syntax import ast
from kro_ls.kro.krep_2 import RANGE
from kro_ls.yaml_positions.scalars.writing import Replacement, is_in_flow, replace_in_scalar

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.names.inspection import Inspection

TextEdit = tuple[int, int, str]
"""New text for a stretch of a CEL text."""

_VARIABLES = ("n", "number", "rangeNumber")


def range_calls(inspection: Inspection) -> tuple[ast.Call, ...]:
    """Return the outermost calls of `range`."""
    if f"{RANGE}(" not in inspection.text or not inspection.parsed.is_valid:
        return ()
    found: dict[tuple[int, int], ast.Call] = {}
    for node in ast.walk(inspection.parsed.root):
        call = node.call if isinstance(node, ast.MacroCall) else None
        if call and call.target is None and call.function == RANGE:
            found.setdefault((call.start, call.end), call)
    calls = tuple(found.values())
    return tuple(each for each in calls if not any(_is_inside(each, other) for other in calls))


def _is_inside(call: ast.Call, other: ast.Call) -> bool:
    return call is not other and other.start <= call.start and call.end <= other.end


def range_edits(inspection: Inspection, others: Iterable[TextEdit] = ()) -> list[TextEdit]:
    """Return the other edits, and those that replace the calls of `range` without one of them by `lists.range`."""
    variable = next((name for name in _VARIABLES if name not in inspection.words), "eachNumber")
    edits = [*others]
    free = [each for each in range_calls(inspection) if not any(each.start <= edit[0] < each.end for edit in edits)]
    return edits + [(call.start, call.end, _lists_range(call, inspection.text, variable)) for call in free]


def _lists_range(call: ast.Call, text: str, variable: str) -> str:
    first, end = call.arguments
    values = [each.value if isinstance(each, ast.Literal) else None for each in (first, end)]
    if values[0] == 0:
        return f"lists.range({text[end.start : end.end]})"
    start = operand(first, text)
    if isinstance(values[0], int) and isinstance(values[1], int):
        size = str(max(values[1] - values[0], 0))
    else:
        size = f"{text[end.start : end.end]} - {start}"
    return f"lists.range({size}).map({variable}, {variable} + {start})"


def operand(node: ast.Node, text: str) -> str:
    """Return the text of a node, in parentheses if a selection, an index or an operator could not follow it."""
    written = text[node.start : node.end]
    is_operator = isinstance(node, ast.Call) and not node.function.isidentifier()
    return f"({written})" if is_operator and not _is_index(node) else written


def _is_index(node: ast.Node) -> bool:
    return isinstance(node, ast.Call) and node.function in (ast.Operator.INDEX, ast.Operator.OPTIONAL_INDEX)


def edited(text: str, edits: Iterable[TextEdit]) -> str:
    """Return a text with edits, which do not overlap."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def in_scalar(part: Resource | SchemaSection, expression: Expression, edits: Iterable[TextEdit]) -> Replacement | None:
    """Return the edit of an expression's scalar; None if its lines cannot be kept."""
    ordered = sorted(edits)
    if not ordered:
        return None
    start, end = ordered[0][0], ordered[-1][1]
    span = expression.value_span(start, end)
    scalar = expression.scalar
    between = scalar.text[span.start : span.end]
    values = [(expression.value_span(first, last), text) for first, last, text in ordered]
    new = edited(between, ((each.start - span.start, each.end - span.start, text) for each, text in values))
    return replace_in_scalar(part.chunk_text, scalar, span, new, in_flow=is_in_flow(part.node, scalar))


def without_ranges(part: Resource | SchemaSection, expression: Expression) -> Replacement | None:
    """Return the edit that replaces the calls of `range` in an expression."""
    return in_scalar(part, expression, range_edits(expression.inspection))
