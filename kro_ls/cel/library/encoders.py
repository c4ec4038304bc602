"""Base64 and JSON text (cel-go `ext/encoders.go`)."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, Library, function

FUNCTIONS = (
    function(
        "base64.decode",
        Documentation(
            "The bytes that a base64 text stands for; the padding at its end may be missing.",
            "base64.decode('aGVsbG8=') == b'hello'",
            "Another text fails with `illegal base64 data at input byte <offset>`.",
        ),
        {"base64_decode_string": "(text: string) -> bytes"},
    ),
    function(
        "base64.encode",
        Documentation(
            "The base64 text of bytes, with padding. Convert a string first: `base64.encode(bytes(text))`.",
            "base64.encode(b'hello') == 'aGVsbG8='",
        ),
        {"base64_encode_bytes": "(value: bytes) -> string"},
    ),
    function(
        "json.encode",
        Documentation(
            "The JSON text of a value by the rules of protobuf: ints beyond 2^53 become strings, durations seconds "
            "(`3600s`), bytes base64. `json.marshal` keeps numbers as they are.",
            "json.encode({'a': 1}) == '{\"a\":1}'",
            "A value without JSON form fails, such as a map with keys that are not strings; so does an object or a "
            "list that is read from a resource or the instance, which `json.marshal` takes.",
        ),
        {"json_encode_dyn": "(value: dyn) -> string"},
    ),
)

LIBRARY = Library(__name__, FUNCTIONS)
