"""Quantities, such as `500m` and `1.5Gi`.

Source: k8s.io/apimachinery, pkg/api/resource/quantity.go and suffix.go.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonValue

FORM = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_SUFFIX = "unable to parse quantity's suffix"

_BINARY = {name: Fraction(1024**power) for power, name in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"), 1)}
_DECIMAL = {name: Fraction(10) ** (3 * power) for power, name in enumerate("num kMGTPE", -3) if name != " "}
_DECIMAL_NAMES = ("n", "u", "m", "", "k", "M", "G", "T", "P", "E")
_UNITS = {**_BINARY, **_DECIMAL, "": Fraction(1)}
_QUANTITY = re.compile(r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))([eEinumkKMGTP]*)([-+]?[0-9]*)")
_MOST_DIGITS = 200
_POWERS = dict(zip(range(-9, 19, 3), _DECIMAL_NAMES, strict=True))


def quantity_problem(text: str) -> str:
    """Return why a text is no quantity; empty where it is one."""
    found = _QUANTITY.fullmatch(text)
    if found is None or len(text) > _MOST_DIGITS:
        return FORM if found is None else ""
    unit, exponent = found[2], found[3]
    is_exponent = unit in ("e", "E") and exponent.lstrip("+-").isdigit()
    return "" if is_exponent or (not exponent and unit in _UNITS) else _SUFFIX


def amount(value: JsonValue) -> Fraction | None:
    """Return what a quantity stands for; None for what is none, or too large to be of interest."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value)
    if isinstance(value, str) and quantity_problem(text):
        return None
    found = _QUANTITY.fullmatch(text)
    if found is None or len(text) > _MOST_DIGITS:
        return None
    if found[3]:
        power = int(found[3])
        return None if abs(power) > _MOST_DIGITS else Fraction(found[1]) * Fraction(10) ** power
    return Fraction(found[1]) * _UNITS[found[2]]


def canonical(value: JsonValue) -> str:
    """Return a quantity as the API server writes it: with the largest unit that needs no fraction."""
    found = amount(value)
    text = str(value)
    if found is None:
        return text
    unit = text.lstrip("+-0123456789.")
    nanos = -(-found * 10**9 // 1)  # what is smaller than a billionth is rounded up
    if unit in _BINARY and abs(found) >= 1024 and nanos % 10**9 == 0:
        for name, size in reversed(_BINARY.items()):
            if found % size == 0:
                return f"{found // size}{name}"
        return str(found)
    exponent = 0
    while nanos and nanos % 1000 == 0 and exponent < 9:
        nanos, exponent = nanos // 1000, exponent + 1
    if not nanos:
        return "0"
    if unit[:1] in ("e", "E") and unit[1:].lstrip("+-").isdigit():
        return f"{nanos}e{3 * (exponent - 3)}" if exponent != 3 else str(nanos)
    return f"{nanos}{_DECIMAL_NAMES[exponent]}"


def canonical_quantity(value: JsonValue) -> JsonValue:
    """Return a quantity as the API server writes it: `0.5` is `500m`, `1024Mi` is `1Gi`; what is none stays."""
    exact = amount(value)
    if exact is None:
        return value
    text = str(value)
    found = Fraction(ceil(exact * 10**9), 10**9)
    if text.endswith("i") and abs(found) >= 1024 and found.denominator == 1:
        unit, factor = next(((u, f) for u, f in reversed(_BINARY.items()) if not found % f), ("", Fraction(1)))
        return f"{int(found / factor)}{unit}"
    power = next(power for power in reversed(_POWERS) if not found % Fraction(10) ** power) if found else 0
    is_exponent = text[-1:].isdigit() and "e" in text.lower()
    unit = (f"e{power}" if power else "") if is_exponent else _POWERS[power]
    return f"{int(found / Fraction(10) ** power)}{unit}"
