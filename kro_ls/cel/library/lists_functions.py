"""The functions on lists that cel-go adds (`ext/lists.go`)."""

from __future__ import annotations

from functools import cmp_to_key
from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.costs import CONSTANT, ELEMENT, NEW_LIST, of_sort, of_text
from kro_ls.cel.evaluation.equality import compare, says_equal
from kro_ls.cel.evaluation.failures import Budget, EvaluationError
from kro_ls.cel.evaluation.values import Duration, Timestamp, UInt, Value, is_list
from kro_ls.cel.library.lists import SORTABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

_LARGEST_RANGE = 1_000_000
_COMPARABLE = frozenset({bool, int, UInt, float, str, bytes, Duration, Timestamp})


def _slice(elements: Sequence[Value], start: int, end: int) -> list[Value]:
    problem = ""
    if start < 0 or end < 0:
        problem = "negative indexes not supported"
    elif start > end:
        problem = "start index must be less than or equal to end index"
    elif end > len(elements):
        problem = f"list is length {len(elements)}"
    if problem:
        raise EvaluationError(f"cannot slice({start}, {end}), {problem}")
    return list(elements[start:end])


def _flatten(budget: Budget, elements: Sequence[Value], depth: int = 1) -> list[Value]:
    if depth < 0:
        raise EvaluationError("level must be non-negative")
    flat: list[Value] = []
    budget.spend(ELEMENT * len(elements) + NEW_LIST)
    for element in elements:
        if depth and is_list(element):
            flat += _flatten(budget, element, depth - 1)
        else:
            flat.append(element)
    return flat


def _sort(budget: Budget, elements: Sequence[Value]) -> list[Value]:
    return _sort_by(budget, elements, elements)


def _sort_by(budget: Budget, elements: Sequence[Value], keys: Sequence[Value]) -> list[Value]:
    if len(elements) != len(keys):
        raise EvaluationError(
            f"@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got "
            f"{len(elements)} and {len(keys)} elements respectively."
        )
    budget.spend(of_sort(len(elements)))
    _check_comparable(keys)
    pairs = list(zip(keys, elements, strict=True))

    def compare_keys(one: tuple[Value, Value], other: tuple[Value, Value]) -> int:
        # cel-go takes NaN for neither less nor greater here.
        nan = one[0] != one[0] or other[0] != other[0]
        return 0 if nan else compare(one[0], other[0], budget)

    pairs.sort(key=cmp_to_key(compare_keys))
    return [element for _, element in pairs]


def _check_comparable(keys: Sequence[Value]) -> None:
    if not len(keys):
        return
    first = keys[0].__class__
    if first not in _COMPARABLE:
        raise EvaluationError("list elements must be comparable")
    if any(key.__class__ is not first for key in keys):
        raise EvaluationError("list elements must have the same type")


def _range(budget: Budget, size: int) -> list[int]:
    if size < 0:
        raise EvaluationError(f"lists.range: size must be non-negative, got {size}")
    if size > _LARGEST_RANGE:
        raise EvaluationError(f"lists.range: size {size} exceeds maximum allowed ({_LARGEST_RANGE})")
    budget.spend(2 * size)
    return list(range(size))


def _distinct(budget: Budget, elements: Sequence[Value]) -> list[Value]:
    texts: set[str] = set()
    others: list[Value] = []
    kept: list[Value] = []
    budget.spend(2 * ELEMENT * len(elements))
    for element in elements:
        if isinstance(element, str):
            budget.spend(of_text(len(element)))
            known = element in texts
            texts.add(element)
        else:
            budget.spend(ELEMENT * len(others))
            known = any(says_equal(element, other, budget) for other in others)
            others += [] if known else [element]
        if not known:
            kept.append(element)
    return kept


def _reverse(elements: Sequence[Value]) -> list[Value]:
    return list(elements[::-1])


IMPLEMENTATIONS = {
    "list_slice": _slice,
    "list_flatten": _flatten,
    "list_flatten_int": _flatten,
    **{f"list_{element}_sort": _sort for element in SORTABLE},
    **{f"list_{key}_sortByAssociatedKeys": _sort_by for key in SORTABLE},
    "lists_range": _range,
    "list_reverse": _reverse,
    "list_distinct": _distinct,
}
_SORTS = frozenset(f"list_{key}_{name}" for key in SORTABLE for name in ("sort", "sortByAssociatedKeys"))
BUDGETED = frozenset({"list_flatten", "list_flatten_int", "lists_range", "list_distinct"}) | _SORTS
UNGUARDED = frozenset({"list_flatten", "list_flatten_int"})
COSTS = dict.fromkeys(("list_slice", *BUDGETED), CONSTANT)
