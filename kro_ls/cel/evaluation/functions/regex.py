"""Matching and searching with RE2 patterns (apiserver `pkg/cel/library/regex.go`)."""

from __future__ import annotations

from kro_ls.cel import regular_expressions
from kro_ls.cel.evaluation.errors import Budget, EvaluationError
from kro_ls.cel.regular_expressions import PatternError, UndecidedError


def matches(budget: Budget, text: str, pattern: str) -> bool:
    """Tell whether the pattern matches anywhere. Raises EvaluationError for what is no pattern."""
    budget.spend(len(text) + len(pattern))
    try:
        return regular_expressions.search(pattern, text)
    except UndecidedError as error:
        raise EvaluationError(str(error)) from None
    except PatternError as error:
        raise EvaluationError(f"error parsing regexp: {error}: `{pattern[:100]}`") from None


def _next(budget: Budget, text: str, pattern: str, start: int) -> tuple[int, int] | None:
    budget.spend(len(pattern) + 1)
    try:
        found = regular_expressions.find(pattern, text, start)
    except UndecidedError as error:
        raise EvaluationError(str(error)) from None
    except PatternError as error:
        raise EvaluationError(f"Illegal regex: error parsing regexp: {error}: `{pattern[:100]}`") from None
    budget.spend((len(text) if found is None else found[1]) - start)
    return found


def _find(budget: Budget, text: str, pattern: str) -> str:
    found = _next(budget, text, pattern, 0)
    return "" if found is None else text[slice(*found)]


def _find_all(budget: Budget, text: str, pattern: str, limit: int = -1) -> list[str]:
    parts: list[str] = []
    start, last_end = 0, -1
    while start <= len(text) and (limit < 0 or len(parts) < limit):
        found = _next(budget, text, pattern, start)
        if found is None:
            break
        # An empty match right behind the one before does not count.
        if found[1] > found[0] or found[0] != last_end:
            parts.append(text[slice(*found)])
        last_end = found[1]
        start = found[1] if found[1] > start else start + 1
    return parts


IMPLEMENTATIONS = {
    "string_find_string": _find,
    "string_find_all_string": _find_all,
    "string_find_all_string_int": _find_all,
}
BUDGETED = frozenset(IMPLEMENTATIONS)
