"""kro's methods on the variable `runtime` (kro `pkg/cel/library/runtime.go`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.costs import CONSTANT, Cost
from kro_ls.cel.evaluation.failures import EvaluationError
from kro_ls.cel.evaluation.values import MISSING, Map, Value, entries, find, is_list, is_map, type_name
from kro_ls.kro.conditions import CONDITION_FIELDS, CONDITION_STATUSES
from kro_ls.kro.custom_values import RUNTIME, Condition, Runtime

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.cel.evaluation.failures import Budget


_CONDITION = 100
"""The steps that reading one costs."""


def _new_condition(_: Runtime, fields: Map) -> Condition:
    texts: dict[str, str] = {}
    for key, value in entries(fields):
        if not isinstance(value, str):
            raise EvaluationError(f"runtime.newCondition: {key} must be a string, got {type_name(value)}")
        texts[str(key)] = value
    if not texts.get("type"):
        raise EvaluationError("runtime.newCondition: type must not be empty")
    status = texts.get("status", "")
    if status not in CONDITION_STATUSES:
        allowed = ", ".join(CONDITION_STATUSES)
        raise EvaluationError(f'runtime.newCondition: status must be one of {allowed} (got "{status}")')
    return Condition(**{field: texts.get(field, "") for field in CONDITION_FIELDS})


def _condition(budget: Budget, _: Runtime, resource: Value, wanted: str) -> Condition:
    if not is_map(resource):
        raise EvaluationError(f"runtime.condition: obj must be an object, got {type_name(resource)}")
    status = find(resource, "status")
    if status is MISSING or status is None:
        return Condition()
    if not is_map(status):
        raise EvaluationError("runtime.condition: obj.status must be an object")
    conditions = find(status, "conditions")
    if conditions is MISSING or conditions is None:
        return Condition()
    if not is_list(conditions):
        raise EvaluationError("runtime.condition: obj.status.conditions must be a list")
    budget.spend(_CONDITION * len(conditions))
    for condition in conditions:
        if not is_map(condition):
            name = type_name(condition)
            raise EvaluationError(f"runtime.condition: unexpected condition element type {name}")
        texts = {field: _text(find(condition, field)) for field in CONDITION_FIELDS}
        if texts["type"] == wanted:
            return Condition(**texts)
    return Condition()


def _text(value: Value) -> str:
    return value if isinstance(value, str) else ""


IMPLEMENTATIONS: Mapping[str, object] = {
    "runtime_newCondition_map": _new_condition,
    "runtime_condition_dyn_string": _condition,
}
BUDGETED = frozenset({"runtime_condition_dyn_string"})
COSTS = {"runtime_newCondition_map": Cost(_CONDITION), "runtime_condition_dyn_string": CONSTANT}
VARIABLES: Mapping[str, Value] = {"runtime": RUNTIME}
