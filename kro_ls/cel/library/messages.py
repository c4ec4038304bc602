"""Protobuf's well-known messages, as in `google.protobuf.Int64Value{value: 1}`; most become plain values at once.

Source: cel-go `common/types/pb`, and protobuf's own `wrappers.proto`, `struct.proto`, `timestamp.proto`.
"""

from __future__ import annotations

from typing import Final

from kro_ls.cel.types.declarations import Library
from kro_ls.cel.types.types import (
    ANY,
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    UINT,
    StructFields,
    Type,
    list_type,
    map_type,
    struct_type,
    wrapper_type,
)

PREFIX: Final = "google.protobuf."
WRAPPED: Final = {
    "BoolValue": BOOL,
    "BytesValue": BYTES,
    "DoubleValue": DOUBLE,
    "FloatValue": DOUBLE,
    "Int32Value": INT,
    "Int64Value": INT,
    "StringValue": STRING,
    "UInt32Value": UINT,
    "UInt64Value": UINT,
}
"""The types of the wrapped values, by the wrappers' names without the prefix."""

_MAP, _LIST = map_type(STRING, DYN), list_type(DYN)
_TIME_FIELDS = {"seconds": INT, "nanos": INT}
_MESSAGES: dict[str, tuple[Type, dict[str, Type]]] = {
    "Any": (ANY, {"type_url": STRING, "value": BYTES}),
    "Duration": (DURATION, _TIME_FIELDS),
    "Empty": (struct_type(f"{PREFIX}Empty"), {}),
    "ListValue": (_LIST, {"values": _LIST}),
    "Struct": (_MAP, {"fields": _MAP}),
    "Timestamp": (TIMESTAMP, _TIME_FIELDS),
    "Value": (
        DYN,
        {
            "null_value": INT,
            "number_value": DOUBLE,
            "string_value": STRING,
            "bool_value": BOOL,
            "struct_value": _MAP,
            "list_value": _LIST,
        },
    ),
    **{name: (wrapper_type(held), {"value": held}) for name, held in WRAPPED.items()},
}

LIBRARY = Library(
    __name__,
    structs={f"{PREFIX}{name}": StructFields(fields) for name, (_, fields) in _MESSAGES.items()},
    types={f"{PREFIX}{name}": type_ for name, (type_, _) in _MESSAGES.items()},
)
