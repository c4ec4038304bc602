"""Quantities, such as `500m` and `1.5Gi`, and what the API server refuses in requests and limits of resources.

Source: k8s.io/apimachinery, pkg/api/resource/quantity.go and suffix.go; k8s.io/kubernetes,
pkg/apis/core/validation/validation.go.
"""

from __future__ import annotations

import re
from math import ceil
from typing import TYPE_CHECKING, Final

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_object
from kro_ls.openapi.validation.field_errors import ErrorType, field_error, place_of
from kro_ls.openapi.validation.object_meta import label_key_problems
from kro_ls.openapi.validation.objects.checks import Shape, error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from fractions import Fraction

    from kro_ls.openapi.validation.field_errors import FieldError, Path


FORM = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_SUFFIX = "unable to parse quantity's suffix"

_BINARY: Final[dict[str, int]] = {
    name: 1024**power for power, name in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"), 1)
}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
"""The powers of ten."""
_QUANTITY: Final = r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))([eEinumkKMGTP]*)([-+]?[0-9]*)"
_MOST_DIGITS = 200


def quantity_problem(text: str) -> str:
    """Return why a text is no quantity, empty where it is one."""
    found = re.fullmatch(_QUANTITY, text)
    if found is None or len(text) > _MOST_DIGITS:
        return FORM if found is None else ""
    unit, exponent = found[2], found[3]
    is_exponent = unit in ("e", "E") and exponent.lstrip("+-").isdigit()
    return "" if is_exponent or (not exponent and (unit in _DECIMAL or unit in _BINARY)) else _SUFFIX


def amount(value: JsonValue) -> Fraction | None:
    """Return the value of a quantity; None for what is none, or for one that is far too large."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value)
    if isinstance(value, str) and quantity_problem(text):
        return None
    found = re.fullmatch(_QUANTITY, text)
    if found is None or len(text) > _MOST_DIGITS:
        return None
    from fractions import Fraction  # most definitions have no quantities

    if found[2] in _BINARY:
        return Fraction(found[1]) * _BINARY[found[2]]
    power = int(found[3]) if found[3] else _DECIMAL[found[2]]
    return None if abs(power) > _MOST_DIGITS else Fraction(f"{found[1]}e{power}")


def canonical_quantity(value: JsonValue) -> JsonValue:
    """Return a quantity as the API server writes it: `0.5` is `500m`, `1024Mi` is `1Gi`; other values stay."""
    exact = amount(value)
    if exact is None:
        return value
    from fractions import Fraction

    text = str(value)
    found = Fraction(ceil(exact * 10**9), 10**9)
    if text.endswith("i") and abs(found) >= 1024 and found.denominator == 1:
        unit, factor = next(((u, f) for u, f in reversed(_BINARY.items()) if not found % f), ("", 1))
        return f"{int(found / factor)}{unit}"
    named = reversed(_DECIMAL.items())
    unit, power = next((u, p) for u, p in named if not found % Fraction(10) ** p) if found else ("", 0)
    is_exponent = text[-1:].isdigit() and "e" in text.lower()
    if is_exponent:
        unit = f"e{power}" if power else ""
    return f"{int(found / Fraction(10) ** power)}{unit}"


def canonical(value: JsonValue) -> str:
    """Return the text of a quantity as the API server writes it; that of any other value."""
    return str(canonical_quantity(value))


_CONTAINER: Final = frozenset({"cpu", "memory", "ephemeral-storage"})
_OFFICIAL: Final = "kubernetes.io/"


def is_extended(name: str) -> bool:
    """Whether a resource is an extended one, of a vendor."""
    return "/" in name and _OFFICIAL not in name and not name.startswith("requests.")


def name_problems(name: str) -> Iterable[str]:
    """Return what is wrong with the name of a resource of containers."""
    problems = label_key_problems(name)
    if problems:
        return problems
    if "/" not in name and name not in _CONTAINER and not name.startswith("hugepages-"):
        return ("must be a standard resource for containers",)
    return ()


def not_negative(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error for a quantity below zero."""
    found = amount(value)
    if found is not None and found < 0:
        yield error(path, ErrorType.INVALID, canonical(value), "must be greater than or equal to 0")


def _of_side(value: JsonObject, path: Path, side: str) -> Iterator[FieldError]:
    for name, quantity in as_object(value.get(side)).items():
        here = (*path, side, name)
        place = f"{place_of(path)}.{side}"
        for each in name_problems(name):
            yield field_error(here, place, ErrorType.INVALID, name, each, in_key=True)
        for wrong in not_negative(quantity, here):
            yield field_error(here, f"{place}[{name}]", ErrorType.INVALID, wrong.value, wrong.detail)
        found = amount(quantity)
        if is_extended(name) and found is not None and found.denominator != 1:
            yield field_error(here, f"{place}[{name}]", ErrorType.INVALID, canonical(quantity), "must be an integer")


def _compared(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield errors of limits, then of requests, which must not exceed them."""
    fields = as_object(value)
    limits, requests = as_object(fields.get("limits")), as_object(fields.get("requests"))
    yield from _of_side(fields, path, "limits")
    requests = {**requests, **{name: limits[name] for name in limits if name not in requests}}  # the default
    for name in requests:
        yield from _of_side({"requests": {name: requests[name]}}, path, "requests")
        asked, limit = amount(requests[name]), amount(limits.get(name))
        place = f"{place_of(path)}.requests"
        if asked is None:
            continue
        if limit is not None:
            if is_extended(name) and asked != limit:
                detail = f"must be equal to {name} limit of {canonical(limits[name])}"
            elif asked > limit:
                detail = f"must be less than or equal to {name} limit of {canonical(limits[name])}"
            else:
                continue
            yield field_error((*path, "requests", name), place, ErrorType.INVALID, canonical(requests[name]), detail)
        elif is_extended(name) and name not in limits and isinstance(fields.get("limits"), dict | None):
            detail = "Limit must be set for non overcommitable resources"
            yield field_error((*path, "requests", name), f"{place_of(path)}.limits", ErrorType.REQUIRED, "", detail)


CONTAINER_RESOURCES: Final = Shape(("", _compared))
"""The checks of the resources of a container."""
