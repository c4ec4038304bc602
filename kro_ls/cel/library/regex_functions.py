"""Matching and searching with RE2 patterns (apiserver `pkg/cel/library/regex.go`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.errors import Budget, EvaluationError
from kro_ls.golang.re2.matcher import PatternError, UndecidedError, compiled

if TYPE_CHECKING:
    from kro_ls.golang.re2.automaton import Automaton

_STATE_COST = 5
"""The steps of the budget that looking at one state of the automaton takes."""


def matches(budget: Budget, text: str, pattern: str) -> bool:
    """Tell whether the pattern matches anywhere. Raises EvaluationError for what is no pattern."""
    automaton = _automaton(budget, pattern, "")
    budget.spend(len(text))
    try:
        return automaton.search(text)
    except UndecidedError as error:
        raise EvaluationError(str(error)) from None
    finally:
        budget.spend(automaton.visited * _STATE_COST)


def _automaton(budget: Budget, pattern: str, prefix: str) -> Automaton:
    try:
        automaton = compiled(pattern)
    except UndecidedError as error:
        raise EvaluationError(str(error)) from None
    except PatternError as error:
        raise EvaluationError(f"{prefix}error parsing regexp: {error}: `{pattern[:100]}`") from None
    budget.spend(automaton.size)
    return automaton


def _next(budget: Budget, automaton: Automaton, text: str, start: int) -> tuple[int, int] | None:
    try:
        return automaton.find(text, start)
    except UndecidedError as error:
        raise EvaluationError(str(error)) from None
    finally:
        budget.spend(automaton.visited * _STATE_COST)


def _find(budget: Budget, text: str, pattern: str) -> str:
    found = _next(budget, _automaton(budget, pattern, "Illegal regex: "), text, 0)
    return "" if found is None else text[slice(*found)]


def _find_all(budget: Budget, text: str, pattern: str, limit: int = -1) -> list[str]:
    automaton = _automaton(budget, pattern, "Illegal regex: ")
    parts: list[str] = []
    start, last_end = 0, -1
    while start <= len(text) and (limit < 0 or len(parts) < limit):
        found = _next(budget, automaton, text, start)
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
