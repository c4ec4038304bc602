"""Validates a number by `multipleOf`, `maximum`, `minimum` and the range of its format.

Source: k8s.io/kube-openapi, pkg/validation/validate (validator.go, values.go): an integer is compared with the bound
cut to an integer, unless the type cannot hold the bound, which is an error of its own.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.openapi.validation.field_errors import go_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue

# The least number that rounds to more than the largest one of 32 bits.
_END_OF_FLOAT32 = 2.0**128 - 2.0**103
_LARGEST_EXACT = 2.0**53 - 1
MIN_INT, MAX_INT = -(2**63), 2**63 - 1


class NumberError(Struct, frozen=True):
    """What is wrong, the value shown with it, and whether the API server names the field."""

    message: str
    value: float | str
    names_field: bool


def number_errors(
    value: float, schema: JsonObject, type_name: str, format_name: str, place: str
) -> Iterator[NumberError]:
    """Yield what is wrong with a number. `type_name` is empty where the schema has no single number type."""
    yield from _range_errors(value, type_name, format_name, "Checked", place)
    factor = _number(schema.get("multipleOf"))
    if factor is not None:
        outside = list(_range_errors(factor, type_name, format_name, "MultipleOf", place))
        yield from outside
        yield from _multiple_errors(value, factor, bool(outside), place)
    for keyword, said in (("minimum", "Minimum boundary"), ("maximum", "Maximum boundary")):
        bound = _number(schema.get(keyword))
        if bound is not None:
            outside = list(_range_errors(bound, type_name, format_name, said, place))
            yield from outside
            limit = cut(bound) if isinstance(value, int) and not outside else bound
            exclusive = schema.get(f"exclusive{keyword.capitalize()}") is True
            within = value < limit if keyword == "maximum" else value > limit
            if not within and (value != limit or exclusive):
                side = "less" if keyword == "maximum" else "greater"
                relation = f"{side} than {'' if exclusive else 'or equal to '}{go_number(limit)}"
                yield NumberError(f"{place} in body should be {relation}", value, True)


def cut(bound: float) -> int:
    """Return a bound as Go converts it to int64: beyond 64 bits to the smallest one, as on most processors."""
    whole = int(bound) if isfinite(bound) else MIN_INT
    return whole if MIN_INT <= whole <= MAX_INT else MIN_INT


def _number(value: JsonValue) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _range_errors(value: float, type_name: str, format_name: str, said: str, place: str) -> Iterator[NumberError]:
    if type_name == "integer":
        bits = 32 if format_name == "int32" else 64
        fits = isfinite(value) and value == int(value) and -(2 ** (bits - 1)) <= value < 2 ** (bits - 1)
    else:
        fits = format_name != "float" or abs(value) < _END_OF_FLOAT32
    if not fits:
        described = f"with format {format_name}" if format_name else "(default format)"
        yield NumberError(f"{said} value must be of type {type_name} {described} in {place}", "", False)


def _multiple_errors(value: float, factor: float, as_floats: bool, place: str) -> Iterator[NumberError]:
    whole = isinstance(value, int) and not as_floats
    factor = int(factor) if whole else factor
    if factor <= 0:
        message = f"factor MultipleOf declared for {place} must be positive: {go_number(factor)}"
        yield NumberError(message, factor, True)
        return
    quotient = 1 / factor * value if factor < 1 else value / factor
    if (value % factor != 0) if whole else not is_whole(quotient):
        yield NumberError(f"{place} in body should be a multiple of {go_number(factor)}", value, True)


def is_whole(number: float) -> bool:
    """Whether a number is, up to a billionth, an integer that a float holds exactly (go-openapi/swag, convert.go)."""
    if not abs(number) <= _LARGEST_EXACT:
        return False
    nearest = float(int(number))
    if number == nearest:
        return True
    return nearest != 0 and abs(number - nearest) / (abs(number) + abs(nearest)) < 1e-9
