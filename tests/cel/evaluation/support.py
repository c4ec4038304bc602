"""Evaluating an expression in kro's environment, for the tests of this folder."""

from kro_ls.cel.evaluation.errors import Budget, EvaluationError
from kro_ls.cel.evaluation.program import Program, compile_program
from kro_ls.cel.evaluation.values import Value
from kro_ls.cel.types.checker import check
from kro_ls.cel.types.types import DYN
from kro_ls.kro.environment import LIBRARIES, base_environment, parse


def program(text: str, *names: str) -> Program:
    """Compile an expression; the names are variables of type dyn."""
    parsed = parse(text)
    assert not parsed.errors, parsed.errors
    checked = check(parsed.root, text, base_environment().extend(dict.fromkeys(names, DYN)))
    assert not checked.errors, checked.errors
    return compile_program(parsed.root, LIBRARIES, checked)


def evaluate(text: str, budget: Budget | None = None, **variables: Value) -> Value:
    """Return the value of an expression."""
    return program(text, *variables).evaluate(variables, budget)


def failure(text: str, **variables: Value) -> EvaluationError:
    """Return the error of an expression that has no value."""
    try:
        value = program(text, *variables).evaluate(variables)
    except EvaluationError as error:
        return error
    raise AssertionError(f"{text} is {value!r}")
