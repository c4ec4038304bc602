"""JSON text as Go writes it: keys sorted, no spaces, and characters escaped that HTML gives a meaning."""

from __future__ import annotations

import math
import re
from typing import TypeAlias

from kro_ls.cel.evaluation.printing import go_float

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED = re.compile('["\\\\\x00-\x1f<>&\u2028\u2029]')


def write_json(value: object) -> str:
    """Return the text. Raises ValueError for what JSON cannot hold, such as NaN."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return _number(value)
        case str():
            return _string(value)
        case list():
            return f"[{','.join(map(write_json, value))}]"
        case dict():
            return f"{{{','.join(f'{_string(key)}:{write_json(value[key])}' for key in sorted(value))}}}"
        case _:
            raise ValueError(f"json: unsupported value: {value}")


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError(f"json: unsupported value: {go_float(value)}")
    if value == 0:
        return "-0" if math.copysign(1, value) < 0 else "0"
    text = go_float(value, smallest=-6, exponent_from=21)
    return re.sub(r"e-0(\d)$", r"e-\1", text)


def _string(text: str) -> str:
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    return _SHORT_ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04x}"
