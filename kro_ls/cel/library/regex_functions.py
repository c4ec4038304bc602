"""Matching and searching with RE2 patterns (apiserver `pkg/cel/library/regex.go`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.errors import Budget, EvaluationError
from kro_ls.golang.re2.errors import PatternError, UndecidedError
from kro_ls.golang.re2.patterns import compiled

if TYPE_CHECKING:
    from kro_ls.golang.re2.matcher import Matcher

_STATE_COST = 5
"""The steps of the budget that looking at one step of a pattern's program takes."""


def matches(budget: Budget, text: str, pattern: str) -> bool:
    """Tell whether the pattern matches anywhere. Raises EvaluationError for what is not a pattern."""
    matcher = _matcher(budget, pattern, "")
    budget.spend(len(text))
    try:
        return matcher.search(text)
    except UndecidedError as error:
        raise EvaluationError(str(error)) from None
    finally:
        budget.spend(matcher.visited * _STATE_COST)


def _matcher(budget: Budget, pattern: str, prefix: str) -> Matcher:
    try:
        matcher = compiled(pattern)
    except UndecidedError as error:
        raise EvaluationError(str(error)) from None
    except PatternError as error:
        raise EvaluationError(f"{prefix}{error}") from None
    budget.spend(matcher.program.size)
    return matcher


def _find(budget: Budget, text: str, pattern: str) -> str:
    found = _find_all(budget, text, pattern, 1)
    return found[0] if found else ""


def _find_all(budget: Budget, text: str, pattern: str, limit: int = -1) -> list[str]:
    matcher = _matcher(budget, pattern, "Illegal regex: ")
    parts: list[str] = []
    try:
        for start, end in matcher.find_all(text) if limit else ():
            budget.spend(matcher.visited * _STATE_COST)
            parts.append(text[start:end])
            if len(parts) == limit:
                return parts
    except UndecidedError as error:
        raise EvaluationError(str(error)) from None
    budget.spend(matcher.visited * _STATE_COST)
    return parts


IMPLEMENTATIONS = {
    "string_find_string": _find,
    "string_find_all_string": _find_all,
    "string_find_all_string_int": _find_all,
}
BUDGETED = frozenset(IMPLEMENTATIONS)
