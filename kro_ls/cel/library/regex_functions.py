"""Matching and searching with RE2 patterns (apiserver `pkg/cel/library/regex.go`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.costs import Cost
from kro_ls.cel.evaluation.failures import Budget, EvaluationError
from kro_ls.golang.re2.pattern_cache import compiled
from kro_ls.golang.re2.pattern_errors import PatternError, UndecidedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.golang.re2.matcher import Matcher

MATCHING = Cost(40, 0, 0)
_COMPILING = 25
"""The steps of the budget for a character, and for a step of the program, of a pattern that is used first."""
_MATCH = 30
"""Those of a match."""
_STATE = 5
"""Those of looking at one step of a pattern's program."""


def matches(budget: Budget, text: str, pattern: str) -> bool:
    """Return whether the pattern matches anywhere. Raises EvaluationError for what is not a pattern."""
    matcher = _matcher(budget, pattern, "")
    budget.spend(len(text))
    try:
        return matcher.search(text, visit=_visit(budget))
    except UndecidedError as error:
        raise EvaluationError(str(error)) from None


def _visit(budget: Budget) -> Callable[[int], None]:
    return lambda count: budget.spend(count * _STATE)


def _matcher(budget: Budget, pattern: str, prefix: str) -> Matcher:
    def compile_pattern() -> Matcher:
        matcher = compiled(pattern)
        budget.spend(_COMPILING * matcher.program.size)
        return matcher

    try:
        return budget.cached(pattern, compile_pattern, _COMPILING * len(pattern))
    except UndecidedError as error:
        raise EvaluationError(str(error)) from None
    except PatternError as error:
        raise EvaluationError(f"{prefix}{error}") from None


def _find(budget: Budget, text: str, pattern: str) -> str:
    found = _find_all(budget, text, pattern, 1)
    return found[0] if found else ""


def _find_all(budget: Budget, text: str, pattern: str, limit: int = -1) -> list[str]:
    matcher = _matcher(budget, pattern, "Illegal regex: ")
    budget.spend(2 * len(text))
    parts: list[str] = []
    try:
        for start, end in matcher.find_all(text, _visit(budget)) if limit else ():
            budget.spend(_MATCH)
            parts.append(text[start:end])
            if len(parts) == limit:
                return parts
    except UndecidedError as error:
        raise EvaluationError(str(error)) from None
    return parts


IMPLEMENTATIONS = {
    "string_find_string": _find,
    "string_find_all_string": _find_all,
    "string_find_all_string_int": _find_all,
}
BUDGETED = frozenset(IMPLEMENTATIONS)
COSTS = dict.fromkeys(IMPLEMENTATIONS, MATCHING)
