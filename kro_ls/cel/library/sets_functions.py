"""The functions that compare lists as sets (cel-go `ext/sets.go`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.costs import ELEMENT, Cost
from kro_ls.cel.evaluation.equality import find_equal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.cel.evaluation.failures import Budget
    from kro_ls.cel.evaluation.values import Value


def _contains(budget: Budget, elements: Sequence[Value], wanted: Sequence[Value]) -> bool:
    return all(find_equal(elements, each, budget) >= 0 for each in wanted)


def _equivalent(budget: Budget, elements: Sequence[Value], others: Sequence[Value]) -> bool:
    return _contains(budget, elements, others) and _contains(budget, others, elements)


def _intersects(budget: Budget, elements: Sequence[Value], others: Sequence[Value]) -> bool:
    return any(find_equal(elements, each, budget) >= 0 for each in others)


IMPLEMENTATIONS = {
    "list_sets_contains_list": _contains,
    "list_sets_equivalent_list": _equivalent,
    "list_sets_intersects_list": _intersects,
}
BUDGETED = frozenset(IMPLEMENTATIONS)
COSTS = dict.fromkeys(IMPLEMENTATIONS, Cost(elements=ELEMENT))
