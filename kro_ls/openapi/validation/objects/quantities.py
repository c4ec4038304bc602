"""Quantities, such as `500m` and `1.5Gi`.

Source: k8s.io/apimachinery, pkg/api/resource/quantity.go and suffix.go.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonValue

FORM = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_SUFFIX = "unable to parse quantity's suffix"

_BINARY = {name: Fraction(1024**power) for power, name in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"), 1)}
_DECIMAL = {name: Fraction(10) ** (3 * power) for power, name in enumerate("num kMGTPE", -3) if name != " "}
_UNITS = {**_BINARY, **_DECIMAL, "": Fraction(1)}
_QUANTITY = re.compile(r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))([eEinumkKMGTP]*)([-+]?[0-9]*)")
_MOST_DIGITS = 200


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
