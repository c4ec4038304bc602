"""The values that expressions and their parts have in a preview."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.names.inspection import inspect
from kro_ls.analysis.types.checking import check_part
from kro_ls.cel.evaluation.failures import Budget, EvaluationError
from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.syntax import ast
from kro_ls.features.previews.name_values import name_values
from kro_ls.kro.conversion import OMIT, Condition, to_json
from kro_ls.kro.environment import LIBRARIES
from kro_ls.runtime.nodes.node_objects import without_omitted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.cel.types.check_result import CheckResult
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.features.previews.preview import Preview

# A few milliseconds: an editor waits for it.
STEPS = 20_000
"""How much the evaluation for one hover may do."""


class ExpressionValue(Struct, frozen=True):
    """The value as JSON data, or why there is none. `first_of` counts the objects that a collection has, if it is one.

    `is_omitted` tells of `omit()`, which leaves the field out.
    """

    data: object = None
    error: str | None = None
    first_of: int | None = None
    is_omitted: bool = False


def evaluate(
    preview: Preview,
    owner: PlacedPart,
    expression: Expression,
    node: ast.Node | None = None,
    budget: Budget | None = None,
) -> ExpressionValue:
    """Return the value of an expression, or of one node of its tree; in a collection that for its first object.

    `budget` is shared by several evaluations when it is given.
    """
    budget = budget or Budget(STEPS)
    if preview.simulation is None:
        refusals = "; ".join(preview.refusals)
        return ExpressionValue(error=f"the API server would refuse this instance: {refusals}")
    inspection = expression.inspection
    root = node or inspection.parsed.root
    used = [each.name for each in inspection.names if root.start <= each.node.start and each.node.end <= root.end]
    found = name_values(preview.simulation, owner, expression, dict.fromkeys(used), budget)
    for name in used:
        if name in found.missing:
            return ExpressionValue(error=found.missing[name], first_of=found.first_of)
    try:
        value = compile_program(root, LIBRARIES, _checked(owner, expression)).evaluate(found.values, budget)
        if isinstance(value, Condition):
            data: object = value.fields
        else:
            data = to_json(value, budget, for_text=True)
    except EvaluationError as error:
        return ExpressionValue(error=error.message, first_of=found.first_of)
    if data is OMIT:
        return ExpressionValue(first_of=found.first_of, is_omitted=True)
    return ExpressionValue(without_omitted(data), first_of=found.first_of)


def part_with_value(nodes: Iterable[ast.Node], text: str) -> ast.Node | None:
    """Return the innermost node that has a value of its own; `nodes` lead from the root of `text` inwards.

    Names that are only part of a function's, variables of macros and what uses them have none.
    """
    inspection = inspect(text)
    free = {each.node for each in inspection.names}
    path = list(nodes)
    for depth in reversed(range(len(path))):
        node = path[depth]
        outer = path[depth - 1] if depth else None
        if isinstance(node, ast.Hole) or (isinstance(outer, ast.MacroCall) and node is outer.call):
            continue
        if isinstance(node, ast.Identifier) and node not in free:
            continue
        bound = (
            use
            for variable in inspection.variables
            if not node.start <= variable.span[0] < node.end
            for use in variable.uses
        )
        if not any(node.start <= use.start and use.end <= node.end for use in bound):
            return node
    return None


def _checked(owner: PlacedPart, expression: Expression) -> CheckResult | None:
    scope = owner.rgd.scope(owner.part)
    checks = check_part(owner.part, scope.bindings, scope.kind)
    return next((each.result for each in checks if each.expression is expression), None)
