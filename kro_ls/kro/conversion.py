"""Values of CEL as plain JSON data, as kro writes them into a resource (kro `pkg/cel/conversion`)."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, TypeAlias

from kro_ls.cel.evaluation.errors import Budget, EvaluationError
from kro_ls.cel.evaluation.operators import MIN_TIMESTAMP
from kro_ls.cel.evaluation.printing import go_duration, rfc3339
from kro_ls.cel.evaluation.values import (
    MAX_INT,
    MISSING,
    Duration,
    MapValue,
    Optional,
    Timestamp,
    UInt,
    Value,
    entries,
    is_list,
    is_map,
    type_name,
)
from kro_ls.kro.values import OMIT, Omit

if TYPE_CHECKING:
    from collections.abc import Mapping

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | Omit | None"
"""JSON data, and `OMIT` wherever `omit()` was the value."""

_GO_TYPES: Mapping[str, str] = {
    "bool": "bool",
    "int": "int64",
    "uint": "int64",
    "double": "float64",
    "google.protobuf.Duration": "string",
    "google.protobuf.Timestamp": "string",
    "null_type": "<nil>",
    "list": "[]interface {}",
    "map": "map[string]interface {}",
}


def to_json(value: Value, budget: Budget | None = None, *, for_text: bool = False) -> Plain:
    """Return a value as JSON data. Raises EvaluationError, without a place, for what has no such form.

    Absent optionals become None, timestamps whole seconds in UTC (None for what Go takes for no time), durations Go's
    text; `OMIT` stays for the caller.
    `for_text` takes what `json.marshal` takes as well: bytes, as base64, and every uint.
    """
    try:
        return _convert(value, Budget() if budget is None else budget, for_text)
    except RecursionError:
        raise EvaluationError("the value is nested too deeply") from None


def _convert(value: Value, budget: Budget, for_text: bool) -> Plain:
    match value:
        case UInt():
            return int(value) if for_text else _signed(value)
        case None | bool() | int() | float() | str():
            return value
        case Duration():
            return go_duration(value)
        case Timestamp():
            is_zero = value.nanoseconds == MIN_TIMESTAMP
            return None if is_zero else rfc3339(value, in_utc=True, with_fraction=False)
        case Optional():
            return _convert(value.value, budget, for_text) if value.is_present else None
        case Omit():
            return OMIT
        case bytes() if for_text:
            return base64.b64encode(value).decode()
        case bytes():
            raise EvaluationError(
                "unsupported type: bytes value cannot be used directly in a resource template or status field; "
                "encode it explicitly, e.g. base64.encode(...)"
            )
    if is_list(value):
        budget.spend(len(value))
        return [_convert(element, budget, for_text) for element in value]
    if isinstance(value, MapValue) and (data := value.json()) is not MISSING:
        # kro takes the object as it is in the cluster, whatever its schema makes of the values.
        return _convert(data, budget, for_text)
    if is_map(value):
        budget.spend(len(value))
        return {_key(key, budget): _convert(each, budget, for_text) for key, each in entries(value)}
    raise EvaluationError(f"unsupported type: {type_name(value)}")


def _signed(value: UInt) -> int:
    if value > MAX_INT:
        raise EvaluationError(
            f"unsupported type: uint value {int(value)} overflows int64; convert it explicitly, e.g. string(...)"
        )
    return int(value)


def _key(key: Value, budget: Budget) -> str:
    if isinstance(key, str):
        return key
    try:
        converted = _convert(key, budget, for_text=False)
    except EvaluationError as error:
        raise EvaluationError(f"failed to convert map key: {error.message}") from None
    if isinstance(converted, str):
        return converted
    raise EvaluationError(f"map key must be string, got {_GO_TYPES.get(type_name(key), type_name(key))}")
