"""kro's functions that merge maps (kro `pkg/cel/library/maps.go`)."""

from __future__ import annotations

from kro_ls.cel.evaluation.costs import ELEMENT, NEW_MAP, Cost
from kro_ls.cel.evaluation.failures import Budget, no_such_overload
from kro_ls.cel.evaluation.values import MISSING, Map, Value, entries, find, is_map, make_map

_ENTRY = 2 * ELEMENT


def _merge(budget: Budget, left: Map, right: Map) -> Value:
    budget.spend(_ENTRY * (len(left) + len(right)))
    return make_map([*entries(left), *entries(right)])


def _deep_merge(budget: Budget, left: Value, right: Value) -> Value:
    if not is_map(left) or not is_map(right):
        raise no_such_overload()
    return _merged(budget, left, right)


def _merged(budget: Budget, left: Map, right: Map) -> Value:
    if not len(left) or not len(right):
        return left if len(left) else right
    budget.spend(NEW_MAP + _ENTRY * (len(left) + len(right)))
    merged = list(entries(left))
    for key, value in entries(right):
        before = find(left, key)
        both = before is not MISSING and is_map(before) and is_map(value)
        merged.append((key, _merged(budget, before, value) if both else value))  # type: ignore[arg-type] # two maps
    return make_map(merged)


IMPLEMENTATIONS = {"map_merge": _merge, "dyn_deepmerge_dyn": _deep_merge}
BUDGETED = frozenset(IMPLEMENTATIONS)
COSTS = dict.fromkeys(IMPLEMENTATIONS, Cost(NEW_MAP, elements=0))
