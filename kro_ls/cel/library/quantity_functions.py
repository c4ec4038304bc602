"""Kubernetes quantities (apiserver `pkg/cel/library/quantity.go`, apimachinery `pkg/api/resource`).

A quantity is a number of 64 bits with a power of ten, as long as it fits; Kubernetes asks whether it is an integer of
that form, not of the value (`1000m` is not one), so the form is kept here.
"""

from __future__ import annotations

import math
import re
from typing import ClassVar

from msgspec import Struct

from kro_ls.cel.evaluation.costs import READING, Cost
from kro_ls.cel.evaluation.values import (
    MAX_INT,
    MIN_INT,
    CustomValue,
    EvaluationError,
    Value,
    no_such_overload,
    succeeds,
)

_PATTERN = re.compile(r"([+-]?)([0-9]*+)(?:\.([0-9]*+))?([eEinumkKMGTP]*[+-]?[0-9]*)")
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_EXPONENT = re.compile(r"[eE]([+-]?[0-9]{1,9})")
_LARGEST_EXPONENT = 5_000
_MOST_DIGITS = 4_000
_SMALLEST_SCALE = -9
_FAST_DIGITS = 18


class Quantity(CustomValue, Struct, frozen=True, eq=False):
    """`number` times ten to the power `scale`."""

    number: int
    scale: int = 0
    is_large: bool = False
    """True when Kubernetes keeps it as a decimal of any size; it is not an integer then, whatever its value."""
    is_sum: bool = False
    """True for the result of a sum or a difference, which Kubernetes compares with nothing on its left side."""
    type_name: ClassVar[str] = "kubernetes.Quantity"

    @property
    def size(self) -> int:
        """About how many digits two quantities have when they are brought to one scale, for what it costs."""
        return self.number.bit_length() // 3 + abs(self.scale)

    def equals(self, other: Value) -> bool:
        """Return whether another quantity is equal. Raises EvaluationError for anything else, and for a sum."""
        if not isinstance(other, Quantity) or other.is_sum:
            raise no_such_overload()
        return _compare(self, other) == 0


def parse_quantity(text: str) -> Quantity:
    """Read a quantity. Raises EvaluationError for other text."""
    match = _PATTERN.fullmatch(text)
    if match is None or not text or len(text) > _MOST_DIGITS:
        pattern = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$"
        raise EvaluationError(f"quantities must match the regular expression '{pattern}'")
    whole, decimals = match[2].lstrip("0") or "0", match[3] or ""
    sign = -1 if match[1] == "-" else 1
    digits = int(whole + decimals)
    quantity = _quantity(sign * digits, whole, decimals, match[4])
    if quantity.is_large and not match[2] and not decimals:
        raise EvaluationError("unable to parse numeric part of quantity")
    return quantity


def _quantity(number: int, whole: str, decimals: str, suffix: str) -> Quantity:
    if suffix in _BINARY:
        return _binary(number, len(whole), len(decimals), _BINARY[suffix])
    exponent = _decimal_exponent(suffix)
    scale = exponent - len(decimals)
    if len(whole) + len(decimals) <= _FAST_DIGITS and scale >= _SMALLEST_SCALE:
        return Quantity(number, scale)
    return _rounded(number, scale)


def _decimal_exponent(suffix: str) -> int:
    if suffix in _DECIMAL:
        return _DECIMAL[suffix]
    match = _EXPONENT.fullmatch(suffix)
    if match is None or abs(int(match[1])) > _LARGEST_EXPONENT:
        raise EvaluationError("unable to parse quantity's suffix")
    return int(match[1])


def _binary(digits: int, whole_digits: int, decimals: int, exponent: int) -> Quantity:
    number = digits << exponent
    if not decimals and 15 - whole_digits - int(exponent * 3 / 10) - 1 >= 0:
        return Quantity(number)
    rounded = _rounded(number, -decimals)
    largest = MAX_INT * 10**9
    return Quantity(max(-largest, min(rounded.number, largest)), rounded.scale, is_large=True)


def _rounded(number: int, scale: int) -> Quantity:
    """Return a quantity with 9 decimals, rounded away from zero."""
    shift = scale - _SMALLEST_SCALE
    if shift >= 0:
        return Quantity(number * 10**shift, _SMALLEST_SCALE, is_large=True)
    quotient = -(-abs(number) // 10**-shift)
    return Quantity(-quotient if number < 0 else quotient, _SMALLEST_SCALE, is_large=True)


def _aligned(one: Quantity, other: Quantity) -> tuple[int, int, int]:
    """Return both numbers on the smaller of the two scales, and that scale."""
    scale = min(one.scale, other.scale)
    return one.number * 10 ** (one.scale - scale), other.number * 10 ** (other.scale - scale), scale


def _compare(one: Quantity, other: Quantity) -> int:
    left, right, _ = _aligned(one, other)
    return int(left > right) - int(left < right)


def _sum(one: Quantity, other: Quantity, sign: int) -> Quantity:
    other = Quantity(sign * other.number, other.scale, other.is_large)
    if not one.is_large and not other.is_large and (one.number == 0 or other.number == 0):
        kept = one if other.number == 0 else other
        return Quantity(kept.number, kept.scale, is_sum=True)
    left, right, scale = _aligned(one, other)
    fits = all(MIN_INT <= number <= MAX_INT for number in (left, right, left + right))
    return Quantity(left + right, scale, one.is_large or other.is_large or not fits, is_sum=True)


def _add(one: Quantity, other: Quantity | int) -> Quantity:
    return _sum(one, other if isinstance(other, Quantity) else Quantity(other), 1)


def _subtract(one: Quantity, other: Quantity | int) -> Quantity:
    return _sum(one, other if isinstance(other, Quantity) else Quantity(other), -1)


def _integer(quantity: Quantity) -> int | None:
    if quantity.is_large or quantity.scale < 0:
        return None
    number = quantity.number * 10**quantity.scale
    return number if MIN_INT <= number <= MAX_INT else None


def _as_integer(quantity: Quantity) -> int:
    number = _integer(quantity)
    if number is None:
        raise EvaluationError("cannot convert value to integer")
    return number


def _as_float(quantity: Quantity) -> float:
    try:
        base = float(quantity.number)
    except OverflowError:
        base = float("inf") if quantity.number > 0 else float("-inf")
    return base * _power_of_ten(quantity.scale) if quantity.scale else base


def _power_of_ten(exponent: int) -> float:
    """Return what Go's math.Pow10 does, which is not always the nearest float."""
    if not -324 < exponent < 309:
        return math.inf if exponent > 0 else 0.0
    tens, ones = divmod(abs(exponent), 32)
    if exponent < 0:
        return float(f"1e-{tens * 32}") / float(f"1e{ones}")
    return float(f"1e{tens * 32}") * float(f"1e{ones}")


IMPLEMENTATIONS = {
    "string_to_quantity": parse_quantity,
    "is_quantity_string": succeeds(parse_quantity),
    "quantity_sign": lambda quantity: (quantity.number > 0) - (quantity.number < 0),
    "quantity_is_greater_than": lambda one, other: _compare(one, other) > 0,
    "quantity_is_less_than": lambda one, other: _compare(one, other) < 0,
    "quantity_compare_to": _compare,
    "quantity_get_float": _as_float,
    "quantity_get_int": _as_integer,
    "quantity_is_integer": lambda quantity: _integer(quantity) is not None,
    "quantity_add": _add,
    "quantity_add_int": _add,
    "quantity_sub": _subtract,
    "quantity_sub_int": _subtract,
}
COSTS = {
    **dict.fromkeys(IMPLEMENTATIONS, Cost(20, characters=16)),
    **dict.fromkeys(("string_to_quantity", "is_quantity_string"), READING),
}
