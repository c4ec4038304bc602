"""The arithmetic of CEL: 64-bit integers that overflow with an error, and sums of numbers, texts, lists and times."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kro_ls.cel.evaluation.costs import ELEMENT, NEW_LIST, Budget
from kro_ls.cel.evaluation.equality import equal, for_elements
from kro_ls.cel.evaluation.values import (
    MAX_INT,
    MAX_UINT,
    MIN_INT,
    Duration,
    EvaluationError,
    ListValue,
    Timestamp,
    UInt,
    Value,
    is_list,
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
    kind = left.__class__
    if kind is right.__class__:
        if kind is int:
            return integer(left - right)  # type: ignore[operator] # two ints
        if kind is float:
            return left - right  # type: ignore[operator] # two floats
        if kind is UInt:
            return unsigned(left - right)  # type: ignore[operator] # two uints
    match left, right:
        case Duration(), Duration():
            return duration(left.nanoseconds - right.nanoseconds)
        case Timestamp(), Timestamp():
            return duration(left.nanoseconds - right.nanoseconds)
        case Timestamp(), Duration():
            return timestamp(left.nanoseconds - right.nanoseconds, left.offset)
    raise no_such_overload()


def multiply(left: Value, right: Value) -> Value:
    """Return `left * right`."""
    return _arithmetic(left, right, lambda one, other: one * other, lambda one, other: one * other)


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
    left: Value,
    right: Value,
    whole: Callable[[int, int], int],
    double: Callable[[float, float], float] | None,
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
