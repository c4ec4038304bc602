"""Errors of values against schemas, in the words of the API server.

Source: k8s.io/apimachinery, pkg/util/validation/field/errors.go; values print as Go prints them.
"""

from __future__ import annotations

import json
import math
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import unknown_text

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonValue

Path = tuple[str | int, ...]

RULES_NOT_CHECKED = (
    "some validation rules were not checked because the object was invalid; "
    "correct the existing errors to complete validation"
)


class ErrorType(StrEnum):
    """What an error is about. TYPE_INVALID prints like INVALID."""

    REQUIRED = "Required value"
    INVALID = "Invalid value"
    TYPE_INVALID = "Invalid type"
    UNSUPPORTED = "Unsupported value"
    DUPLICATE = "Duplicate value"
    TOO_LONG = "Too long"
    TOO_MANY = "Too many"
    FORBIDDEN = "Forbidden"
    NOT_FOUND = "Not found"


class FieldError(Struct, frozen=True):
    """One error: the path of the value, and the text of the API server.

    `text` includes the place as the API server writes it, `<nil>` for an unknown one. `message` is the same without the
    place, for a reader who sees it.
    """

    path: Path
    type: ErrorType
    text: str
    message: str
    in_key: bool = False
    """Whether the key of the value is at fault, not the value."""
    value: JsonValue = None
    detail: str = ""
    """The API server's text without the place and the value."""
    allowed: tuple[str, ...] = ()
    """The supported values, where the value is none of them."""
    by_rule: bool = False
    """Whether it comes from a rule of the schema's author (`x-kubernetes-validations`)."""

    @property
    def is_about_others(self) -> bool:
        """Whether it only reports that rules were not checked because of other errors."""
        return self.detail == RULES_NOT_CHECKED

    @property
    def stops_rules(self) -> bool:
        """Whether the API server evaluates no `x-kubernetes-validations` because of this error."""
        return self.type not in (ErrorType.INVALID, ErrorType.DUPLICATE)


def field_error(
    path: Path,
    place: str,
    error_type: ErrorType,
    value: JsonValue = "",
    detail: str = "",
    message: str = "",
    *,
    in_key: bool = False,
    allowed: tuple[str, ...] = (),
) -> FieldError:
    """Return an error whose text is put together from place, type, value and detail."""
    parts = ["Invalid value" if error_type is ErrorType.TYPE_INVALID else error_type.value]
    if error_type not in (ErrorType.REQUIRED, ErrorType.TOO_LONG, ErrorType.FORBIDDEN):
        parts.append(go_value(value))
    if detail:
        parts.append(detail)
    said = ": ".join(parts)
    text = f"{place or '<nil>'}: {said}"
    return FieldError(path, error_type, text, message or said, in_key, value, message or detail, allowed)


def go_value(value: JsonValue) -> str:
    """Return a value as an error shows it."""
    if isinstance(value, str):
        return go_quoted(value)
    return go_number(value) if isinstance(value, float) else go_json(value)


def go_number(number: float) -> str:
    """Return a number as Go's `%v` writes it: the shortest digits, an exponent below 1e-4 and from 1e6 on."""
    if isinstance(number, int):
        return str(number)
    if not math.isfinite(number):
        return {math.inf: "+Inf", -math.inf: "-Inf"}.get(number, "NaN")
    if number == 0 or 1e-4 <= abs(number) < 1e6:
        return _without_exponent(number)
    digits = len(repr(number).partition("e")[0].replace(".", "").strip("-0"))
    mantissa, _, exponent = f"{number:.{digits - 1}e}".partition("e")
    return f"{mantissa}e{int(exponent):+03d}"


def _without_exponent(number: float) -> str:
    from decimal import Decimal

    return format(Decimal(repr(number)), "f").removesuffix(".0")


def go_json(value: JsonValue) -> str:
    """Return a value as Go's JSON encoder writes it: keys sorted, `<`, `>` and `&` escaped, 1.0 as 1."""
    if isinstance(value, dict):
        return f"{{{','.join(f'{go_json(name)}:{go_json(value[name])}' for name in sorted(value))}}}"
    if isinstance(value, list):
        return f"[{','.join(map(go_json, value))}]"
    if isinstance(value, float):
        return _go_json_number(value)
    text = json.dumps(value, ensure_ascii=False, default=unknown_text)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _go_json_number(number: float) -> str:
    if number == 0 or 1e-6 <= abs(number) < 1e21:
        return _without_exponent(number)
    mantissa, _, exponent = repr(number).partition("e")
    return f"{mantissa.removesuffix('.0')}e{int(exponent):+d}" if exponent else mantissa


def place_of(path: Path) -> str:
    """Return a path as the API server writes it: `spec.ports[0].name`."""
    place = ""
    for segment in path:
        place += f"[{segment}]" if isinstance(segment, int) else f".{segment}" if place else segment
    return place
