"""Compiled expressions: `compile_program` once, `Program.evaluate` as often as there are values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.cel.evaluation.compiler import Compiler
from kro_ls.cel.evaluation.failures import Budget, EvaluationError
from kro_ls.cel.evaluation.frame import BUDGET, Evaluate, Frame, budget_of
from kro_ls.cel.types.check_result import names_of_types, undefined_type

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.cel.evaluation.values import Value
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cel.types.check_result import CheckResult
    from kro_ls.cel.types.libraries import Libraries

_EVALUATION: Final = 10
"""The steps of an evaluation aside from those of its nodes."""
_TOO_DEEP = "the expression, or a value in it, is nested too deeply"


class Program(Struct, frozen=True, eq=False):
    """An expression that can be evaluated. Programs keep no state: one may run in several threads at a time."""

    root: Node
    _evaluate: Evaluate
    cost: int = 0
    """The steps of an evaluation besides those of its loops and calls."""
    _types: tuple[tuple[Node, str], ...] = ()
    """The types that are named, and the variables that hold one; those that are not given have no value."""

    def evaluate(self, variables: Mapping[str, Value], budget: Budget | None = None) -> Value:
        """Return the value of the expression. Raises EvaluationError, and nothing else, when it has none.

        A variable that is missing is an error only where it is read, a type always. `budget` is shared by several
        evaluations when it is given; without one each may take `DEFAULT_STEPS`.
        """
        for node, name in self._types:
            if name not in variables:
                raise EvaluationError(undefined_type(name), node.start, node.end)
        frame: Frame = {**variables, BUDGET: Budget() if budget is None else budget}
        try:
            budget_of(frame).spend(self.cost)
            return self._evaluate(frame)
        except EvaluationError as error:
            error.at(self.root.start, self.root.end)
            raise
        except RecursionError:
            raise EvaluationError(_TOO_DEEP, self.root.start, self.root.end) from None


def compile_program(root: Node, libraries: Libraries, checked: CheckResult | None = None) -> Program:
    """Return the program of a tree that calls what the libraries declare.

    `checked` is what its check found in an environment of these libraries, None to take every name as it is written.
    Never raises: what is missing or unknown in the tree fails when it is evaluated.
    """
    types = tuple((node, each.name) for node, each in names_of_types(checked)) if checked else ()
    try:
        compiler = Compiler(libraries, checked)
        evaluate = compiler.compile(root)
        return Program(root, evaluate, _EVALUATION + compiler.cost + len(types), types)
    except RecursionError:

        def fail(_: Frame) -> Value:
            raise EvaluationError(_TOO_DEEP, root.start, root.end)

        return Program(root, fail)
