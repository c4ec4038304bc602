"""The values of protobuf's well-known messages (cel-go `common/types/pb/type.go`)."""

from __future__ import annotations

import math
import struct
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from kro_ls.cel.evaluation.values import MAX_INT, MIN_INT, Duration, EvaluationError, Timestamp, UInt, Value, type_name
from kro_ls.cel.library.encoders_functions import protobuf_json
from kro_ls.cel.library.messages import LIBRARY, PREFIX, WRAPPED

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.cel.evaluation.costs import Budget

_NANOSECONDS: Final = 1_000_000_000
_DEFAULTS: Final[dict[str, Value]] = {
    "bool": False,
    "bytes": b"",
    "double": 0.0,
    "int": 0,
    "string": "",
    "uint": UInt(0),
}
_INT_32: Final = range(-(2**31), 2**31)
_RANGES: Final = {"nanos": _INT_32, "Int32Value": _INT_32, "UInt32Value": range(2**32)}


def _make(name: str, budget: Budget, fields: dict[str, Any]) -> Value:
    """Return the value of a message; a field whose type was not known before may be of a wrong one."""
    full_name = PREFIX + name
    declared = LIBRARY.structs[full_name].fields
    for field, value in fields.items():
        problem = None
        allowed = _RANGES.get(name if field == "value" else field)
        if type_name(value) != declared[field].name:
            problem = f"unsupported type conversion from '{type_name(value)}' to {declared[field].name}"
        elif allowed is not None and value not in allowed:
            problem = "integer overflow"
        if problem:
            raise EvaluationError(f"field type conversion error for {full_name}.{field} value type: {problem}")
    return _wrapped(name, fields) if name in WRAPPED else _MAKERS[name](budget, fields)


def _wrapped(name: str, fields: dict[str, Any]) -> Value:
    value: Value = fields.get("value", _DEFAULTS[WRAPPED[name].name])
    return _as_float(value) if name == "FloatValue" and isinstance(value, float) else value


def _as_float(value: float) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def _duration(_: Budget, fields: dict[str, Any]) -> Value:
    return Duration(max(MIN_INT, min(_nanoseconds(fields), MAX_INT)))


def _timestamp(_: Budget, fields: dict[str, Any]) -> Value:
    return Timestamp(_nanoseconds(fields))


def _nanoseconds(fields: dict[str, Any]) -> int:
    return int(fields.get("seconds", 0) * _NANOSECONDS + fields.get("nanos", 0))


def _struct(budget: Budget, fields: dict[str, Any]) -> Value:
    return _with_doubles(protobuf_json(budget, fields.get("fields", {})))


def _list(budget: Budget, fields: dict[str, Any]) -> Value:
    return _with_doubles(protobuf_json(budget, fields.get("values", [])))


def _value(budget: Budget, fields: dict[str, Any]) -> Value:
    kind, value = next(reversed(fields.items()), ("null_value", None))  # the last one given counts
    return None if kind == "null_value" else _with_doubles(protobuf_json(budget, value))


def _with_doubles(data: Any) -> Value:
    """Return JSON data with the only kind of number that `google.protobuf.Value` has."""
    if isinstance(data, list):
        return [_with_doubles(element) for element in data]
    if isinstance(data, dict):
        return {key: _with_doubles(value) for key, value in data.items()}
    return float(data) if isinstance(data, int) and not isinstance(data, bool) else data


def _no_value(message: str, _: Budget, __: dict[str, Any]) -> Value:
    raise EvaluationError(message)


_MAKERS: Final[dict[str, Callable[[Budget, dict[str, Any]], Value]]] = {
    "Any": partial(_no_value, "unsupported conversion to ref.Val: (*dynamicpb.Message)"),
    "Duration": _duration,
    "Empty": partial(_no_value, f"unknown type: '{PREFIX}Empty'"),
    "ListValue": _list,
    "Struct": _struct,
    "Timestamp": _timestamp,
    "Value": _value,
}
STRUCTS: Final = {PREFIX + name: partial(_make, name) for name in (*_MAKERS, *WRAPPED)}
