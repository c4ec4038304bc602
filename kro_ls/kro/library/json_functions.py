"""kro's JSON functions (kro `pkg/cel/library/json.go`)."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.costs import Cost
from kro_ls.cel.evaluation.failures import Budget, BudgetError, EvaluationError
from kro_ls.cel.evaluation.json_text import write_json
from kro_ls.kro.conversion import to_json

if TYPE_CHECKING:
    from kro_ls.cel.evaluation.values import Value


_READ = 3
"""The steps that reading a character of JSON costs."""


def _marshal(budget: Budget, value: Value) -> str:
    try:
        plain = to_json(value, budget, for_text=True)
    except BudgetError:
        raise
    except EvaluationError as error:
        raise EvaluationError(f"json.marshal failed to convert value: {error.message}") from None
    try:
        return write_json(plain, budget)
    except ValueError as error:
        raise EvaluationError(f"json.marshal failed to encode value: {error}") from None


def _unmarshal(budget: Budget, text: str) -> Value:
    budget.spend(_READ * len(text))
    try:
        return _well_formed(json.loads(text, parse_int=_double, parse_float=_double, parse_constant=_double))
    except ValueError as error:
        reason = "unexpected end of JSON input" if not text.strip(" \t\r\n") else str(error)
        raise EvaluationError(f"json.unmarshal failed to parse JSON: {reason}") from None


def _double(text: str) -> float:
    value = math.nan if text in {"NaN", "Infinity", "-Infinity"} else float(text)
    if not math.isfinite(value):
        raise ValueError(f"json: cannot unmarshal number {text[:50]} into Go value of type float64")
    return value


def _well_formed(value: Value) -> Value:
    """Return the data with lone surrogates replaced, as Go does."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if not value.isascii() else value
    if isinstance(value, list):
        return [_well_formed(element) for element in value]
    if isinstance(value, dict):
        return {_well_formed(key): _well_formed(each) for key, each in value.items()}
    return value


IMPLEMENTATIONS = {"json.unmarshal_string": _unmarshal, "json.marshal_dyn": _marshal}
BUDGETED = frozenset(IMPLEMENTATIONS)
COSTS = dict.fromkeys(IMPLEMENTATIONS, Cost(60, 0, 0))
