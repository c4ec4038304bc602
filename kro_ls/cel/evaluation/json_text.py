"""JSON text as Go writes it: keys sorted, no spaces, and characters escaped that HTML gives a meaning."""

from __future__ import annotations

import math
import re
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Final, TypeAlias

from kro_ls.cel.evaluation.costs import ELEMENT, of_sort, of_text
from kro_ls.cel.evaluation.ordering import in_order
from kro_ls.cel.evaluation.printing import go_float, joined

if TYPE_CHECKING:
    from kro_ls.cel.evaluation.failures import Budget

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_ESCAPED = {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
_NUMBER: Final = 40
"""The steps of writing a double."""


def write_json(value: object, budget: Budget) -> str:
    """Return the text. Raises ValueError for what JSON cannot hold, such as NaN, and BudgetError."""
    budget.spend(ELEMENT)
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            budget.spend(_NUMBER)
            return _number(value)
        case str():
            return _string(value, budget)
        case list():
            return f"[{joined(',', [write_json(each, budget) for each in value], budget)}]"
        case dict():
            budget.spend(of_sort(len(value)))
            entries = [f"{_string(key, budget)}:{write_json(value[key], budget)}" for key in in_order(value)]
            return f"{{{joined(',', entries, budget)}}}"
        case _:
            raise ValueError(f"json: unsupported value: {value}")


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError(f"json: unsupported value: {go_float(value)}")
    if value == 0:
        return "-0" if math.copysign(1, value) < 0 else "0"
    text = go_float(value, smallest=-6, exponent_from=21)
    return re.sub(r"e-0(\d)$", r"e-\1", text)


def _string(text: str, budget: Budget) -> str:
    budget.spend(4 * of_text(len(text)))
    written = encode_basestring(text)
    for character, escape in _ESCAPED.items():
        written = written.replace(character, escape)
    budget.spend_text(len(written), is_ascii=written.isascii())
    return written
