"""Why an evaluation failed, in plain words; `EvaluationError.message` has those of cel-go."""

from __future__ import annotations

import re
from typing import Final

from kro_ls.golang.re2.pattern_errors import PatternError

_PLAIN: Final = (
    (r"no such overload.*", "a function or operator gets a value of a type that it does not take"),
    (r"no such (?:key|field|attribute\(s\)):? '?(.*?)'?", r"there is no '\1'"),
    (r"modulus by zero", "division by zero"),
    (r"optional\.none\(\) dereference", "the optional has no value"),
    (r"type conversion error from '?(.*?)'? to '\*?(?:structpb|google\.protobuf)\.Value'", r"a \1 has no JSON form"),
    (r"type conversion error from '?(.*?)'? to '?(.*?)'?", r"this \1 cannot be converted to \2"),
    (r"field type conversion error for (\S+) value type: .*", r"the value does not fit the field \1"),
    (r"google\.protobuf\.Value cannot have a number that is infinite or NaN", "JSON has no infinite number and no NaN"),
    (r"network address parse error during conversion from string: (.*)", r"not an IP address or network: \1"),
    (r"URL parse error during conversion from string: (.*)", r"not a URL: \1"),
    (r"invalid data, expected (.*), got (.*)", r"expected \1, got \2"),
    (r"(?:invalid qualifier type|unsupported index type):? '?(.*?)'?(?: in list)?", r"a \1 cannot be an index"),
    (r"unsupported index(?: value)?:? (.*?)(?: in list)?", r"\1 cannot be an index"),
    (r"internal error: runtime error: hash of unhashable type (.*)", r"a \1 cannot be a key"),
    (r"insert failed: key (.*) already exists", r"the key \1 is there twice"),
    (r"unable to parse (?:quantity's suffix|numeric part of quantity)", "not a quantity such as '500m' or '2Gi'"),
    (r"quantities must match the regular expression .*", "not a quantity such as '500m' or '2Gi'"),
    (r"illegal base64 data at input byte (\d+)", r"not base64: byte \1 is wrong"),
    (r"json\.unmarshal failed to parse JSON: (.*)", r"not JSON: \1"),
    (r"json\.marshal failed to (?:encode|convert) value: (.*)", r"the value has no JSON form: \1"),
    (r'invalid RFC 3339 timestamp "(.*)"', r"'\1' is not a time such as '2026-01-31T12:00:00Z'"),
)

_PATTERN: Final = "(?s)error parsing regexp: (.*?): `(.*)`"


def plain_words(message: str) -> str:
    """Return a message of cel-go's evaluator in plain words; a plain message stays as it is."""
    refused = re.fullmatch(_PATTERN, message)
    if refused:
        return f"not a valid regular expression: {PatternError(refused[1], refused[2], 0, 0).plain}"
    for pattern, words in _PLAIN:
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found:
            return found.expand(words)
    return message.replace("`", "'")
