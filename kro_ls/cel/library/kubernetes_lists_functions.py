"""The functions on lists that Kubernetes adds (apiserver `pkg/cel/library/lists.go`)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.costs import CONSTANT, ELEMENT, ERROR, Cost
from kro_ls.cel.evaluation.equality import compare, find_equal, is_ordered, says_equal
from kro_ls.cel.evaluation.failures import Budget, BudgetError, EvaluationError, no_such_overload
from kro_ls.cel.evaluation.operators import add
from kro_ls.cel.evaluation.values import Duration, UInt, Value
from kro_ls.cel.library.lists import SORTABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_ZEROS: Mapping[str, Value] = {"int": 0, "uint": UInt(0), "double": 0.0, "duration": Duration(0)}


def _order(one: Value, other: Value, budget: Budget) -> int:
    """Return -1, 0 or 1, as `compare`, and 0 for values without an order between them: Kubernetes passes over those."""
    try:
        return compare(one, other, budget)
    except BudgetError:
        raise
    except EvaluationError:
        budget.spend(ERROR)
        return 0


def _check_ordered(element: Value) -> None:
    if not is_ordered(element):
        raise no_such_overload()


def _is_sorted(budget: Budget, elements: Sequence[Value]) -> bool:
    for index, element in enumerate(elements):
        _check_ordered(element)
        if index and _order(elements[index - 1], element, budget) > 0:
            return False
    return True


def _sum(zero: Value, budget: Budget, elements: Sequence[Value]) -> Value:
    total = zero
    for element in elements:
        total = add(total, element, budget)
    return total


def _extreme(name: str, sign: int, budget: Budget, elements: Sequence[Value]) -> Value:
    if not len(elements):
        raise EvaluationError(f"{name} called on empty list")
    best = elements[0]
    for element in elements:
        _check_ordered(element)
        if _order(best, element, budget) * sign < 0:
            best = element
    return best


def _index_of(budget: Budget, elements: Sequence[Value], wanted: Value) -> int:
    return find_equal(elements, wanted, budget)


def _last_index_of(budget: Budget, elements: Sequence[Value], wanted: Value) -> int:
    for index in range(len(elements) - 1, -1, -1):
        budget.spend(ELEMENT)
        if says_equal(elements[index], wanted, budget):
            return index
    return -1


IMPLEMENTATIONS: Mapping[str, Callable[..., Value]] = {
    **{f"list_{element}_is_sorted_bool": _is_sorted for element in SORTABLE},
    **{f"list_{element}_sum_{element}": partial(_sum, zero) for element, zero in _ZEROS.items()},
    **{f"list_{element}_max_{element}": partial(_extreme, "max", 1) for element in SORTABLE},
    **{f"list_{element}_min_{element}": partial(_extreme, "min", -1) for element in SORTABLE},
    "list_a_index_of_int": _index_of,
    "list_a_last_index_of_int": _last_index_of,
}
BUDGETED = frozenset(IMPLEMENTATIONS)
COSTS = {
    **dict.fromkeys(IMPLEMENTATIONS, Cost(elements=2 * ELEMENT)),
    **dict.fromkeys(("list_a_index_of_int", "list_a_last_index_of_int"), CONSTANT),
}
