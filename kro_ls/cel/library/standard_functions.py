"""Conversions, size and matching (cel-go `common/types`)."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from kro_ls.cel.evaluation.errors import EvaluationError
from kro_ls.cel.evaluation.operators import integer, unsigned
from kro_ls.cel.evaluation.printing import duration_seconds, go_float, rfc3339
from kro_ls.cel.evaluation.values import MAX_INT, MAX_UINT, MIN_INT, TypeValue, UInt, Value, type_name
from kro_ls.cel.library.regex_functions import matches

if TYPE_CHECKING:
    from kro_ls.cel.evaluation.values import Duration, Timestamp

_BOOLS = {
    **dict.fromkeys(("1", "t", "T", "true", "TRUE", "True"), True),
    **dict.fromkeys(("0", "f", "F", "false", "FALSE", "False"), False),
}
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(inf|infinity)|nan", re.IGNORECASE)
_HEXADECIMAL = re.compile(r"[+-]?0x([0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)p[+-]?[0-9]+", re.IGNORECASE)
_MOST_DIGITS = 400


def _conversion_error(source: str, target: str) -> EvaluationError:
    return EvaluationError(f"type conversion error from '{source}' to '{target}'")


def _identity(value: Value) -> Value:
    return value


def _size(value: Any) -> int:
    return len(value)


def _bool_of_string(text: str) -> bool:
    if text not in _BOOLS:
        raise _conversion_error("string", "bool")
    return _BOOLS[text]


def _bytes_of_string(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def _double_of_string(text: str) -> float:
    """Read what Go's ParseFloat reads: a number too large for a double is an error."""
    try:
        if _DECIMAL.fullmatch(text):
            value = float(text)
        elif _HEXADECIMAL.fullmatch(text):
            value = float.fromhex(text)
        else:
            raise _conversion_error("string", "double")
    except OverflowError:
        raise _conversion_error("string", "double") from None
    if math.isinf(value) and "inf" not in text.lower():
        raise _conversion_error("string", "double")
    return value


def _int_of_double(value: float) -> int:
    if not MIN_INT < value < float(MAX_INT):
        raise EvaluationError("integer overflow")
    return int(value)


def _int_of_string(text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]+", text) or len(text) > _MOST_DIGITS or not MIN_INT <= int(text) <= MAX_INT:
        raise _conversion_error("string", "int")
    return int(text)


def _int_of_timestamp(value: Timestamp) -> int:
    return value.nanoseconds // 10**9


def _int_of_duration(value: Duration) -> int:
    return value.nanoseconds


def _uint_of_double(value: float) -> UInt:
    if not 0 <= value < float(MAX_UINT):
        raise EvaluationError("unsigned integer overflow")
    return UInt(int(value))


def _uint_of_string(text: str) -> UInt:
    if not re.fullmatch(r"[0-9]+", text) or len(text) > _MOST_DIGITS or int(text) > MAX_UINT:
        raise _conversion_error("string", "uint")
    return UInt(int(text))


def _string_of_bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise EvaluationError("invalid UTF-8 in bytes, cannot convert to string") from None


def _type(value: Value) -> TypeValue:
    return TypeValue(type_name(value))


IMPLEMENTATIONS = {
    **dict.fromkeys(("size_bytes", "size_list", "size_map", "size_string"), _size),
    **dict.fromkeys(("bytes_size", "list_size", "map_size", "string_size"), _size),
    **dict.fromkeys(("bool_to_bool", "bytes_to_bytes", "double_to_double", "to_dyn", "int64_to_int64"), _identity),
    **dict.fromkeys(("string_to_string", "uint64_to_uint64"), _identity),
    "type": _type,
    "string_to_bool": _bool_of_string,
    "string_to_bytes": _bytes_of_string,
    "int64_to_double": float,
    "uint64_to_double": float,
    "string_to_double": _double_of_string,
    "double_to_int64": _int_of_double,
    "duration_to_int64": _int_of_duration,
    "string_to_int64": _int_of_string,
    "timestamp_to_int64": _int_of_timestamp,
    "uint64_to_int64": lambda value: integer(int(value)),
    "bool_to_string": lambda value: "true" if value else "false",
    "bytes_to_string": _string_of_bytes,
    "double_to_string": go_float,
    "duration_to_string": duration_seconds,
    "int64_to_string": str,
    "timestamp_to_string": rfc3339,
    "uint64_to_string": lambda value: str(int(value)),
    "double_to_uint64": _uint_of_double,
    "int64_to_uint64": unsigned,
    "string_to_uint64": _uint_of_string,
    "contains_string": lambda text, part: part in text,
    "ends_with_string": str.endswith,
    "starts_with_string": str.startswith,
    "matches": matches,
    "matches_string": matches,
}
BUDGETED = frozenset({"matches", "matches_string"})
