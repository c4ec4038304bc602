"""The functions on lists (cel-go `ext/lists.go`, `ext/sets.go`; apiserver `pkg/cel/library/lists.go`)."""

from __future__ import annotations

from functools import cmp_to_key, partial
from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.costs import CONSTANT, ELEMENT, ERROR, NEW_LIST, Budget, BudgetError, Cost, of_sort, of_text
from kro_ls.cel.evaluation.operators import add, compare, find_equal, is_equal, is_ordered
from kro_ls.cel.evaluation.values import Duration, EvaluationError, UInt, Value, is_list, no_such_overload
from kro_ls.cel.library.lists import SORTABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_LARGEST_RANGE = 1_000_000

# cel-go's


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
    if not is_ordered(keys[0]):
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
            known = any(is_equal(element, other, budget) for other in others)
            others += [] if known else [element]
        if not known:
            kept.append(element)
    return kept


def _reverse(elements: Sequence[Value]) -> list[Value]:
    return list(elements[::-1])


# Kubernetes'

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
        if is_equal(elements[index], wanted, budget):
            return index
    return -1


# sets


def _contains(budget: Budget, elements: Sequence[Value], wanted: Sequence[Value]) -> bool:
    return all(find_equal(elements, each, budget) >= 0 for each in wanted)


def _equivalent(budget: Budget, elements: Sequence[Value], others: Sequence[Value]) -> bool:
    return _contains(budget, elements, others) and _contains(budget, others, elements)


def _intersects(budget: Budget, elements: Sequence[Value], others: Sequence[Value]) -> bool:
    return any(find_equal(elements, each, budget) >= 0 for each in others)


_KUBERNETES: Mapping[str, Callable[..., Value]] = {
    **{f"list_{element}_is_sorted_bool": _is_sorted for element in SORTABLE},
    **{f"list_{element}_sum_{element}": partial(_sum, zero) for element, zero in _ZEROS.items()},
    **{f"list_{element}_max_{element}": partial(_extreme, "max", 1) for element in SORTABLE},
    **{f"list_{element}_min_{element}": partial(_extreme, "min", -1) for element in SORTABLE},
    "list_a_index_of_int": _index_of,
    "list_a_last_index_of_int": _last_index_of,
}
_SETS: Mapping[str, Callable[..., Value]] = {
    "list_sets_contains_list": _contains,
    "list_sets_equivalent_list": _equivalent,
    "list_sets_intersects_list": _intersects,
}
IMPLEMENTATIONS: Mapping[str, Callable[..., Value]] = {
    "list_slice": _slice,
    "list_flatten": _flatten,
    "list_flatten_int": _flatten,
    **{f"list_{element}_sort": _sort for element in SORTABLE},
    **{f"list_{key}_sortByAssociatedKeys": _sort_by for key in SORTABLE},
    "lists_range": _range,
    "list_reverse": _reverse,
    "list_distinct": _distinct,
    **_KUBERNETES,
    **_SETS,
}
_SORTS = frozenset(f"list_{key}_{name}" for key in SORTABLE for name in ("sort", "sortByAssociatedKeys"))
BUDGETED = frozenset(
    {"list_flatten", "list_flatten_int", "lists_range", "list_distinct", *_SORTS, *_KUBERNETES, *_SETS}
)
UNGUARDED = frozenset({"list_flatten", "list_flatten_int"})
COSTS = {
    **dict.fromkeys(BUDGETED, CONSTANT),
    "list_slice": CONSTANT,
    **dict.fromkeys(_SETS, Cost(elements=ELEMENT)),
    **dict.fromkeys(_KUBERNETES, Cost(elements=2 * ELEMENT)),
    **dict.fromkeys(("list_a_index_of_int", "list_a_last_index_of_int"), CONSTANT),
}
