"""What operators compute: sums and products, equality and order (cel-go `common/types`).

Integers have 64 bits and overflow with an error. Texts, lists and times have sums as well. Numbers of all kinds can be
compared, and lists and maps are compared with what is in them.
"""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, Final

from kro_ls.cel.evaluation.costs import CONSTANT, ELEMENT, ERROR, NEW_LIST, READ, Budget, BudgetError, of_text
from kro_ls.cel.evaluation.values import (
    MAX_INT,
    MAX_UINT,
    MIN_INT,
    MISSING,
    CustomValue,
    Duration,
    EvaluationError,
    ListValue,
    Map,
    MapValue,
    Optional,
    Timestamp,
    UInt,
    Value,
    find,
    is_list,
    is_map,
    no_such_overload,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


MIN_TIMESTAMP = -62135596800 * 10**9
MAX_TIMESTAMP = 253402300800 * 10**9 - 1


def integer(value: int) -> int:
    """Return an int that fits into 64 bits. Raises `integer overflow` otherwise."""
    if MIN_INT <= value <= MAX_INT:
        return value
    raise EvaluationError("integer overflow")


def unsigned(value: int) -> UInt:
    """Return a uint. Raises `unsigned integer overflow` when it is negative or too large."""
    if 0 <= value <= MAX_UINT:
        return UInt(value)
    raise EvaluationError("unsigned integer overflow")


def duration(nanoseconds: int) -> Duration:
    """Return a duration. Raises `duration overflow` when the nanoseconds need more than 64 bits."""
    if MIN_INT <= nanoseconds <= MAX_INT:
        return Duration(nanoseconds)
    raise EvaluationError("duration overflow")


def timestamp(nanoseconds: int, offset: int = 0) -> Timestamp:
    """Return a timestamp. Raises `timestamp overflow` outside of the years 1 to 9999."""
    if MIN_TIMESTAMP <= nanoseconds <= MAX_TIMESTAMP:
        return Timestamp(nanoseconds, offset)
    raise EvaluationError("timestamp overflow")


def add(left: Value, right: Value, budget: Budget) -> Value:
    """Return `left + right`."""
    kind, other = left.__class__, right.__class__
    if kind is other:
        if isinstance(left, (str, bytes)):
            is_ascii = left.isascii() and right.isascii()  # type: ignore[attr-defined] # the same class
            budget.spend_text(len(left) + len(right), is_ascii=is_ascii)  # type: ignore[arg-type]
            return left + right  # type: ignore[operator]
        if isinstance(left, list):
            budget.spend(len(left) + len(right) + NEW_LIST)  # type: ignore[arg-type] # the same class
            return left + right  # type: ignore[operator]
        if kind is int:
            return integer(left + right)  # type: ignore[operator] # two ints
        if kind is float:
            return left + right  # type: ignore[operator] # two floats
        if kind is UInt:
            return unsigned(left + right)  # type: ignore[operator] # two uints
    if is_list(left) and is_list(right):
        return _concatenate(left, right, budget)
    match left, right:
        case Duration(), Duration():
            return duration(left.nanoseconds + right.nanoseconds)
        case Duration(), Timestamp():
            return timestamp(left.nanoseconds + right.nanoseconds, right.offset)
        case Timestamp(), Duration():
            return timestamp(left.nanoseconds + right.nanoseconds, left.offset)
    raise no_such_overload()


def _concatenate(left: Sequence[Value], right: Sequence[Value], budget: Budget) -> Value:
    budget.spend(NEW_LIST + ELEMENT * (len(left) + len(right)))
    if isinstance(left, ListValue):
        return left.concatenated(right, for_elements(equal, budget))
    return [*left, *right]


def subtract(left: Value, right: Value) -> Value:
    """Return `left - right`."""
    match left, right:
        case int() | float(), _:
            return _arithmetic(left, right, operator.sub, operator.sub)
        case Duration(), Duration():
            return duration(left.nanoseconds - right.nanoseconds)
        case Timestamp(), Timestamp():
            return duration(left.nanoseconds - right.nanoseconds)
        case Timestamp(), Duration():
            return timestamp(left.nanoseconds - right.nanoseconds, left.offset)
    raise no_such_overload()


def multiply(left: Value, right: Value) -> Value:
    """Return `left * right`."""
    return _arithmetic(left, right, operator.mul, operator.mul)


def divide(left: Value, right: Value) -> Value:
    """Return `left / right`, whole numbers rounded toward zero."""
    return _arithmetic(left, right, _divide_whole, _divide_double)


def modulo(left: Value, right: Value) -> Value:
    """Return `left % right` for whole numbers, with the sign of `left`."""
    return _arithmetic(left, right, _modulo_whole, None)


def negate(value: Value) -> Value:
    """Return `-value`."""
    if value.__class__ is int:
        return integer(-value)
    if isinstance(value, float):
        return -value
    if isinstance(value, Duration):
        return duration(-value.nanoseconds)
    raise no_such_overload()


def _arithmetic(
    left: Value, right: Value, whole: Callable[[int, int], int], double: Callable[[float, float], float] | None
) -> Value:
    kind = left.__class__
    if kind is right.__class__:
        if kind is int:
            return integer(whole(left, right))  # type: ignore[arg-type] # two ints
        if kind is UInt:
            return unsigned(whole(int(left), int(right)))  # type: ignore[call-overload] # two uints
        if kind is float and double is not None:
            return double(left, right)  # type: ignore[arg-type] # two floats
    raise no_such_overload()


def _divide_whole(left: int, right: int) -> int:
    if right == 0:
        raise EvaluationError("division by zero")
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) is (right < 0) else -quotient


def _modulo_whole(left: int, right: int) -> int:
    if right == 0:
        raise EvaluationError("modulus by zero")
    if left == MIN_INT and right == -1:
        raise EvaluationError("integer overflow")
    remainder = abs(left) % abs(right)
    return -remainder if left < 0 else remainder


def _divide_double(left: float, right: float) -> float:
    if right:
        return left / right
    if left == 0 or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.copysign(math.inf, math.copysign(1, left) * math.copysign(1, right))


_NUMBERS = frozenset({int, UInt, float})
_PLAIN = frozenset({bool, str, bytes, type(None)})
_ORDERED = _NUMBERS | {bool, str, bytes, Duration, Timestamp}
_SHORT = 64
_COLLECTION = 12
"""The steps of comparing two lists or two maps, besides those of their elements."""

NOT_COMPARABLE: Final = 2
"""The result of comparing a number with NaN, which has no place in the order."""


def equal(left: Value, right: Value, budget: Budget) -> bool:
    """Return whether two values are equal. Raises what `value_equals` raises, but not for null."""
    return left is right if left is None or right is None else value_equals(left, right, budget)


def value_equals(left: Value, right: Value, budget: Budget) -> bool:
    """Return whether two values are equal, as the left one decides.

    A plain value is unequal to anything of another kind; objects and lists of the cluster and a `CustomValue` raise
    EvaluationError for that.
    """
    kind = left.__class__
    if kind is right.__class__ and (kind in _PLAIN or kind is int):
        if (kind is str or kind is bytes) and len(left) > _SHORT:  # type: ignore[arg-type] # a text
            budget.spend(of_text(len(left)))  # type: ignore[arg-type]
        return left == right
    if kind is list and right.__class__ is list:
        return _equal_lists(left, right, budget)  # type: ignore[arg-type] # two lists
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return kind in _NUMBERS and right.__class__ in _NUMBERS and _equal_numbers(left, right)
    if isinstance(left, CustomValue):
        _spend_on_sizes(left, right, budget)
        return left.equals(right)
    if is_list(left):
        return _equal_lists(left, right, budget) if is_list(right) else _unlike(isinstance(left, ListValue))
    if is_map(left):
        return _equal_maps(left, right, budget) if is_map(right) else _unlike(_is_of_cluster(left))
    if isinstance(left, Timestamp) and isinstance(right, Timestamp):
        return left.nanoseconds == right.nanoseconds
    if isinstance(left, Optional) and isinstance(right, Optional):
        both = left.is_present and right.is_present
        return value_equals(left.value, right.value, budget) if both else left.is_present == right.is_present
    _spend_on_sizes(left, right, budget)
    return kind is right.__class__ and left == right


def _spend_on_sizes(left: Value, right: Value, budget: Budget) -> None:
    """Charge for comparing values of custom types."""
    budget.spend(CONSTANT.call + of_text(getattr(left, "size", 0) + getattr(right, "size", 0)))


def for_elements(are_equal: Callable[[Value, Value, Budget], bool], budget: Budget) -> Callable[[Value, Value], bool]:
    """Return the comparison of elements of lists of the cluster, which charges for reading each pair."""

    def compare_elements(left: Value, right: Value) -> bool:
        budget.spend(ELEMENT + 2 * READ)
        return are_equal(left, right, budget)

    return compare_elements


def _unlike(is_of_cluster: bool) -> bool:
    if is_of_cluster:
        raise no_such_overload()
    return False


def _is_of_cluster(value: Map) -> bool:
    return isinstance(value, MapValue) and value.json() is not MISSING


def is_equal(left: Value, right: Value, budget: Budget) -> bool:
    """Return whether two values are equal; those that cannot be compared are not."""
    try:
        return value_equals(left, right, budget)
    except BudgetError:
        raise
    except EvaluationError:
        budget.spend(ERROR)
        return False


def _is_not_unequal(left: Value, right: Value, budget: Budget) -> bool:
    """Return whether two values are equal or not comparable, which cel-go treats as equal in lists and maps."""
    try:
        return equal(left, right, budget)
    except BudgetError:
        raise
    except EvaluationError:
        budget.spend(ERROR)
        return True


def _equal_numbers(left: int | float, right: int | float) -> bool:
    if isinstance(left, float) is isinstance(right, float):
        return left == right
    return compare_numbers(left, right) == 0


def _equal_lists(left: Sequence[Value], right: Sequence[Value], budget: Budget) -> bool:
    if isinstance(left, ListValue):
        budget.spend(_COLLECTION)
        return left.equals(right, for_elements(value_equals, budget))
    if len(left) != len(right):
        return False
    budget.spend(_COLLECTION + ELEMENT * len(left))
    return all(_is_not_unequal(one, other, budget) for one, other in zip(left, right, strict=True))


def _equal_maps(left: Map, right: Map, budget: Budget) -> bool:
    if len(left) != len(right):
        return False
    budget.spend(_COLLECTION + 2 * ELEMENT * len(left))
    are_equal = value_equals if _is_of_cluster(left) else _is_not_unequal
    for key in left.keys():  # noqa: SIM118 - it may be a MapValue
        value, other = find(left, key), find(right, key)
        # A field that is null has a key but no value, on either side.
        if value is MISSING or other is MISSING:
            if value is not other:
                return False
        elif not are_equal(value, other, budget):
            return False
    return True


def compare_numbers(left: int | float, right: int | float) -> int:
    """Return -1, 0 or 1 for int, uint and double in any mix, `NOT_COMPARABLE` when one is NaN.

    An int beside a double is rounded to a double first.
    """
    if isinstance(left, float) is not isinstance(right, float):
        left, right = float(left), float(right)
    if left == right:
        return 0
    if left < right:
        return -1
    return 1 if left > right else NOT_COMPARABLE


def compare(left: Value, right: Value, budget: Budget) -> int:
    """Return -1, 0 or 1 for values that have an order. Raises for NaN and for kinds without order between them."""
    kind, other = left.__class__, right.__class__
    if kind in _NUMBERS and other in _NUMBERS:
        result = compare_numbers(left, right)  # type: ignore[arg-type] # both are numbers
        if result == NOT_COMPARABLE:
            raise EvaluationError("NaN values cannot be ordered")
        return result
    if kind is other:
        if isinstance(left, (str, bytes)):
            budget.spend(of_text(min(len(left), len(right))))  # type: ignore[arg-type] # the same class
            return _order(left, right)
        if isinstance(left, bool):
            return _order(left, right)
        if isinstance(left, (Timestamp, Duration)) and isinstance(right, (Timestamp, Duration)):
            return _order(left.nanoseconds, right.nanoseconds)
    raise no_such_overload()


def is_nan(value: Value) -> bool:
    """Return whether a value is the double NaN."""
    return value.__class__ is float and value != value


def is_ordered(value: Value) -> bool:
    """Return whether there are values that `compare` can compare a value with."""
    return value.__class__ in _ORDERED


def _order(left: Any, right: Any) -> int:
    return int(left > right) - int(left < right)


def find_equal(elements: Sequence[Value], wanted: Value, budget: Budget) -> int:
    """Return the index of the first element that is equal, -1 when there is none."""
    budget.spend(ELEMENT * len(elements))
    return next((index for index, element in enumerate(elements) if is_equal(element, wanted, budget)), -1)
