"""Conversions, size and matching (cel-go `common/types`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.cel.evaluation.costs import CONSTANT, READING, Cost
from kro_ls.cel.evaluation.operators import integer, unsigned
from kro_ls.cel.evaluation.printing import duration_seconds, go_float, rfc3339
from kro_ls.cel.evaluation.values import MAX_INT, MAX_UINT, MIN_INT, EvaluationError, TypeValue, UInt, Value, type_name
from kro_ls.cel.library.strings_functions import MATCHING, contains, matches
from kro_ls.golang.numbers import NumberError, parse_bool, parse_float, parse_int, parse_uint
from kro_ls.golang.quoting import utf8

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.cel.evaluation.values import Duration, Timestamp


def _conversion_error(source: str, target: str) -> EvaluationError:
    return EvaluationError(f"type conversion error from '{source}' to '{target}'")


def _identity(value: Value) -> Value:
    return value


def _size(value: Any) -> int:
    return len(value)


def _read(reader: Callable[[str], Value], target: str) -> Callable[[str], Value]:
    """Return the conversion from strings that takes what Go's reader takes."""

    def convert(text: str) -> Value:
        try:
            return reader(text)
        except NumberError:
            raise _conversion_error("string", target) from None

    return convert


def _bytes_of_string(text: str) -> bytes:
    return utf8(text)


def _int_of_double(value: float) -> int:
    if not MIN_INT < value < float(MAX_INT):
        raise EvaluationError("integer overflow")
    return int(value)


def _int_of_timestamp(value: Timestamp) -> int:
    return value.nanoseconds // 10**9


def _int_of_duration(value: Duration) -> int:
    return value.nanoseconds


def _uint_of_double(value: float) -> UInt:
    if not 0 <= value < float(MAX_UINT):
        raise EvaluationError("unsigned integer overflow")
    return UInt(int(value))


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
    "string_to_bool": _read(parse_bool, "bool"),
    "string_to_bytes": _bytes_of_string,
    "int64_to_double": float,
    "uint64_to_double": float,
    "string_to_double": _read(parse_float, "double"),
    "double_to_int64": _int_of_double,
    "duration_to_int64": _int_of_duration,
    "string_to_int64": _read(parse_int, "int"),
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
    "string_to_uint64": _read(lambda text: UInt(parse_uint(text)), "uint"),
    "contains_string": contains,
    "ends_with_string": str.endswith,
    "starts_with_string": str.startswith,
    "matches": matches,
    "matches_string": matches,
}
BUDGETED = frozenset({"contains_string", "matches", "matches_string"})
COSTS = {
    **dict.fromkeys(("size_bytes", "size_list", "size_map", "size_string"), CONSTANT),
    **dict.fromkeys(("bytes_size", "list_size", "map_size", "string_size"), CONSTANT),
    **dict.fromkeys(("bool_to_bool", "bytes_to_bytes", "double_to_double", "to_dyn", "int64_to_int64"), CONSTANT),
    **dict.fromkeys(("string_to_string", "uint64_to_uint64", "type"), CONSTANT),
    **dict.fromkeys(("matches", "matches_string"), MATCHING),
    **dict.fromkeys(("string_to_bool", "string_to_double", "string_to_int64", "string_to_uint64"), READING),
    **dict.fromkeys(("double_to_string", "duration_to_string", "timestamp_to_string"), Cost(40)),
}
