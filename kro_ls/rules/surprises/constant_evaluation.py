"""Finds the parts of an expression that do not depend on anything, and evaluates them ahead of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cel.syntax import ast
from kro_ls.cel.types.check_result import NameReference
from kro_ls.kro.environment import LIBRARIES
from kro_ls.queries.cells import cached

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.cel.syntax.ast import Comprehension, Node
    from kro_ls.cel.types.check_result import CheckResult

_STEPS = 10_000
"""A millisecond: an edit waits for it, and there may be many such parts."""
_COMPUTING = frozenset({ast.Call, ast.MacroCall, ast.Select})


class Failure(Struct, frozen=True):
    """A part of an expression that always fails: its span in the CEL text, what cel-go says, and plain words."""

    start: int
    end: int
    message: str
    advice: str = ""


@cached
def may_be_constant(inspection: Inspection) -> bool:
    """Whether some part may compute something from constants alone: quick, and never wrong about one that does."""
    names = {use.node for use in inspection.names}  # without those of functions, such as `json` of `json.unmarshal`
    found: list[Node] = []

    def is_open(node: Node, below: list[bool]) -> bool:
        has_names = node in names or any(below)
        if type(node) is ast.MacroCall or (not has_names and type(node) in _COMPUTING):
            found.append(node)
        return has_names

    ast.fold(inspection.parsed.root, is_open)
    return bool(found)


def constant_parts(root: Node, result: CheckResult) -> Iterator[Node]:
    """Yield the largest parts of a tree that compute something from constants alone."""
    nothing: frozenset[Comprehension | None] = frozenset()
    outside: dict[Node, frozenset[Comprehension | None]] = {}

    def collect(node: Node, below: list[frozenset[Comprehension | None]]) -> frozenset[Comprehension | None]:
        found = nothing.union(*below)
        reference = result.references.get(node)
        if isinstance(reference, NameReference):
            found |= {reference.comprehension}
        inside = {each for each in found if each and node.start <= each.start and each.end <= node.end}
        outside[node] = found - inside
        return outside[node]

    ast.fold(root, collect)
    pending = [root]
    while pending:
        node = pending.pop()
        if node in result.types and not outside[node]:
            if any(type(each) in _COMPUTING for each in ast.walk(node)):
                yield node
        else:
            pending.extend(reversed(ast.children(node)))


def constant_failure(node: Node, result: CheckResult) -> Failure | None:
    """Return why a part without names from outside fails, None where it has a value or takes too long."""
    # These load every function: only where there is something to evaluate.
    from kro_ls.cel.evaluation.failures import Budget, BudgetError, EvaluationError
    from kro_ls.cel.evaluation.program import compile_program

    try:
        compile_program(node, LIBRARIES, result).evaluate({}, Budget(_STEPS))
    except BudgetError:
        return None
    except EvaluationError as error:
        known = node.start <= error.start <= error.end <= node.end
        start, end = (error.start, error.end) if known else (node.start, node.end)
        return Failure(start, end, error.message)
    return None
