"""Optional values; `or` and `orValue` are compiled, because their argument may not be needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.costs import CONSTANT, ELEMENT, Cost
from kro_ls.cel.evaluation.printing import go_text
from kro_ls.cel.evaluation.values import NONE, Duration, EvaluationError, Optional, Timestamp, Value, is_list, is_map

if TYPE_CHECKING:
    from collections.abc import Sequence

_ZERO_TIME = -62135596800 * 10**9
"""The first of January of the year 1, Go's zero time."""


def _of_non_zero(value: Value) -> Optional:
    return NONE if _is_zero(value) else Optional(value)


def _is_zero(value: Value) -> bool:
    if isinstance(value, (bool, int, float, str, bytes, type(None))):
        return not value
    if is_list(value) or is_map(value):
        return len(value) == 0
    if isinstance(value, Duration):
        return value.nanoseconds == 0
    if isinstance(value, Timestamp):
        return value.nanoseconds == _ZERO_TIME
    return isinstance(value, Optional) and (not value.is_present or _is_zero(value.value))


def _value(optional: Optional) -> Value:
    if optional.is_present:
        return optional.value
    raise EvaluationError("optional.none() dereference")


def _first(elements: Sequence[Value]) -> Optional:
    return Optional(elements[0]) if len(elements) else NONE


def _last(elements: Sequence[Value]) -> Optional:
    return Optional(elements[len(elements) - 1]) if len(elements) else NONE


def _unwrap(elements: Sequence[Value]) -> Value:
    present = []
    for element in elements:
        if not isinstance(element, Optional):
            raise EvaluationError(f"value {go_text(element)} is not optional")
        if element.is_present:
            present.append(element.value)
    return present


IMPLEMENTATIONS = {
    "optional_of": Optional,
    "optional_ofNonZeroValue": _of_non_zero,
    "optional_none": lambda: NONE,
    "optional_value": _value,
    "optional_hasValue": lambda optional: optional.is_present,
    "list_first": _first,
    "list_last": _last,
    "optional_unwrap": _unwrap,
    "optional_unwrapOpt": _unwrap,
}
COSTS = {
    **dict.fromkeys((id_ for id_ in IMPLEMENTATIONS if id_.startswith("optional_")), CONSTANT),
    **dict.fromkeys(("list_first", "list_last"), CONSTANT),
    **dict.fromkeys(("optional_unwrap", "optional_unwrapOpt"), Cost(elements=ELEMENT)),
}
