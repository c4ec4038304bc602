"""kro's JSON functions (kro `pkg/cel/library/json.go`)."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, function
from kro_ls.cel.types.libraries import Library

FUNCTIONS = (
    function(
        "json.unmarshal",
        Documentation(
            "Reads JSON text. The type of the result is not known, and every number in it is a double: convert with "
            "`int(...)`.",
            "json.unmarshal('{\"a\": 1}').a == 1.0",
            "Another text fails with `json.unmarshal failed to parse JSON: ...`.",
        ),
        {"json.unmarshal_string": "(text: string) -> dyn"},
    ),
    function(
        "json.marshal",
        Documentation(
            "The JSON text of a value as Go writes it: keys sorted, numbers exact, bytes as base64, durations as "
            "`1h0m0s`, an empty optional as null; the characters <, > and & are escaped.",
            "json.marshal({'a': 1}) == '{\"a\":1}'",
            "A value without JSON form fails with `json.marshal failed to convert value: ...`.",
        ),
        {"json.marshal_dyn": "(value: dyn) -> string"},
    ),
)

LIBRARY = Library(__name__, FUNCTIONS)
