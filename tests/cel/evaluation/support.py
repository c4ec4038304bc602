"""Evaluating expressions in an environment of some libraries."""

from kro_ls.cel.evaluation.costs import Budget
from kro_ls.cel.evaluation.program import Program, compile_program
from kro_ls.cel.evaluation.values import EvaluationError, Value
from kro_ls.cel.syntax.parser import parse
from kro_ls.cel.types.checker import check
from kro_ls.cel.types.declarations import Environment, Libraries
from kro_ls.cel.types.types import DYN
from tests.cel.support import LIBRARIES


class Evaluator:
    """Checks and evaluates expressions that use some libraries."""

    def __init__(self, libraries: Libraries) -> None:
        self._libraries = libraries
        self._environment = Environment.of(libraries)

    def program(self, text: str, *names: str) -> Program:
        """Compile an expression; the names are variables of type dyn."""
        parsed = parse(text, self._libraries.macro_set)
        assert not parsed.errors, parsed.errors
        checked = check(parsed.root, self._environment.extend(dict.fromkeys(names, DYN)))
        assert not checked.errors, checked.errors
        return compile_program(parsed.root, self._libraries, checked)

    def evaluate(self, text: str, budget: Budget | None = None, **variables: Value) -> Value:
        """Return the value of an expression."""
        return self.program(text, *variables).evaluate(variables, budget)

    def failure(self, text: str, **variables: Value) -> EvaluationError:
        """Return the error of an expression that has no value."""
        try:
            value = self.program(text, *variables).evaluate(variables)
        except EvaluationError as error:
            return error
        raise AssertionError(f"{text} is {value!r}")


_evaluator = Evaluator(LIBRARIES)
program, evaluate, failure = _evaluator.program, _evaluator.evaluate, _evaluator.failure
