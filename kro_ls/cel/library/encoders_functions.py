"""Base64 and JSON text (cel-go `ext/encoders.go`)."""

from __future__ import annotations

import base64
import math
import re

from kro_ls.cel.evaluation.costs import ELEMENT, Budget, Cost
from kro_ls.cel.evaluation.printing import Json, duration_seconds, rfc3339, write_json
from kro_ls.cel.evaluation.values import (
    MISSING,
    Duration,
    EvaluationError,
    ListValue,
    MapValue,
    Optional,
    Timestamp,
    Value,
    entries,
    is_list,
    is_map,
    type_name,
)

_LARGEST_EXACT = 2**53


def _decode(text: str) -> bytes:
    # Go ignores line ends, and cel-go tries again without padding.
    joined = text.replace("\r", "").replace("\n", "")
    data = joined.rstrip("=")
    wrong = re.search(r"[^A-Za-z0-9+/]", data)
    padding = len(joined) - len(data)
    if wrong or len(data) % 4 == 1 or (padding and (padding > 2 or len(joined) % 4)):
        raise EvaluationError(f"illegal base64 data at input byte {wrong.start() if wrong else len(data)}")
    return base64.b64decode(data + "=" * (-len(data) % 4))


def _encode(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _json_encode(budget: Budget, value: Value) -> str:
    return write_json(protobuf_json(budget, value), budget)


def protobuf_json(budget: Budget, value: Value) -> Json:
    """Return the JSON data that protobuf's mapping gives."""
    budget.spend(2 * ELEMENT)
    match value:
        case str():
            budget.spend_text(len(value), is_ascii=value.isascii())
            return value
        case None | bool():
            return value
        case int():
            return int(value) if -_LARGEST_EXACT < value < _LARGEST_EXACT else str(int(value))
        case float():
            if not math.isfinite(value):
                raise EvaluationError("google.protobuf.Value cannot have a number that is infinite or NaN")
            return value
        case bytes():
            budget.spend_text(len(value) * 4 // 3, is_ascii=True)
            return _encode(value)
        case Duration() | Timestamp():
            return duration_seconds(value) if isinstance(value, Duration) else rfc3339(value)
        case Optional() if value.is_present:
            return protobuf_json(budget, value.value)
    if isinstance(value, ListValue) or (isinstance(value, MapValue) and value.json() is not MISSING):
        # Objects of the cluster are values of Kubernetes', which cannot become protobuf's.
        raise EvaluationError(f"type conversion error from {type_name(value)} to '*structpb.Value'")
    if is_list(value):
        return [protobuf_json(budget, element) for element in value]
    if is_map(value):
        return {_key(key): protobuf_json(budget, each) for key, each in entries(value)}
    raise EvaluationError(f"type conversion error from '{type_name(value)}' to 'google.protobuf.Value'")


def _key(key: Value) -> str:
    if isinstance(key, str):
        return key
    raise EvaluationError(f"type conversion error from '{type_name(key)}' to 'string'")


IMPLEMENTATIONS = {
    "base64_decode_string": _decode,
    "base64_encode_bytes": _encode,
    "json_encode_dyn": _json_encode,
}
BUDGETED = frozenset({"json_encode_dyn"})
COSTS = {"json_encode_dyn": Cost(20, 0, 0), "base64_decode_string": Cost(15, characters=8)}
