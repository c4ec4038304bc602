"""The value of a scalar, as Kubernetes sees it.

Three steps, each with its own rules:

1. YAML: the go-yaml v2 library inside sigs.k8s.io/yaml (`goyaml.v2/resolve.go`): YAML 1.1 booleans, Go integer
   literals, dates that stay strings. Only a plain scalar or one with a tag is resolved.
2. JSON: sigs.k8s.io/yaml (`yaml.go`) hands every number over as JSON text; not-a-number and infinity have none.
3. Kubernetes: a JSON number without fraction and exponent that fits into 64 bits is an integer, any other a float
   (k8s.io/apimachinery `util/json`). So `1e3` and `3.0` are the integers 1000 and 3.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
import struct
from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

ScalarValue: TypeAlias = str | int | float | bool | None


class ScalarStyle(StrEnum):
    """How a scalar is written. `missing` is a value that is not there, as after `key:`."""

    PLAIN = "plain"
    SINGLE_QUOTED = "single_quoted"
    DOUBLE_QUOTED = "double_quoted"
    LITERAL = "literal"
    FOLDED = "folded"
    MISSING = "missing"


_UNQUOTED = (ScalarStyle.PLAIN, ScalarStyle.MISSING)


class Resolution(Struct, frozen=True):
    """What a scalar means: its value, its text as a key (None: cannot be one), and why it is refused, if it is."""

    value: ScalarValue
    key: str | None
    problem: str | None = None


_TAG_PREFIX = "tag:yaml.org,2002:"
_RESOLVED_TAGS = frozenset({"str", "bool", "int", "float", "null", "timestamp"})
_WORDS: dict[str, ScalarValue] = {
    **dict.fromkeys(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"], True),
    **dict.fromkeys(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"], False),
    **dict.fromkeys(["", "~", "null", "Null", "NULL"], None),
    **dict.fromkeys([".nan", ".NaN", ".NAN"], math.nan),
    **dict.fromkeys([".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"], math.inf),
    **dict.fromkeys(["-.inf", "-.Inf", "-.INF"], -math.inf),
}
# No other first character makes a plain scalar anything but a string.
_SPECIAL_FIRST = frozenset("+-0123456789.yYnNtTfFoO~")
_GO_INTEGER = r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]([0-7]+)|0([0-7]*)|([1-9][0-9]*))"
_YAML_FLOAT = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
_DOT_FLOAT = r"\.[0-9]+(?:[eE][-+]?[0-9]+)?"
_SIGNED_BINARY = r"0b([-+]?[01]+)"
_TIMESTAMP = (
    r"[0-9]{4}-([0-9]{1,2})-([0-9]{1,2})"
    r"(?:[Tt]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(?:Z|[-+][0-9]{2}:[0-9]{2})"
    r"| ([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?)?"
)
_LONGEST_NUMBER = 4096
_INT64 = range(-(2**63), 2**63)


def is_text(text: str, style: ScalarStyle) -> bool:
    """Return whether a scalar without a tag is read as a string, mostly by its first character."""
    return style not in _UNQUOTED or (text != "" and text[0] not in _SPECIAL_FIRST)


def resolve(text: str, style: ScalarStyle, tag: str | None = None) -> Resolution:
    """Return what a scalar means.

    `text` is the decoded string; `tag` the full tag (`tag:yaml.org,2002:int`), or None where none is written.
    """
    if tag is None:
        if is_text(text, style) or len(text) > _LONGEST_NUMBER:
            return Resolution(text, text)
        return _resolve_plain(text)
    return _resolve_tagged(text, tag.removeprefix(_TAG_PREFIX) if tag.startswith(_TAG_PREFIX) else "")


@lru_cache(maxsize=1024)  # of texts that are no longer than a number can be
def _resolve_plain(text: str) -> Resolution:
    return _as_json(_yaml_value(text), text)


def _resolve_tagged(text: str, tag: str) -> Resolution:
    if tag == "binary":
        try:
            decoded = base64.b64decode(re.sub(r"[\r\n]", "", text), validate=True).decode("utf-8", "replace")
        except (binascii.Error, ValueError):
            return Resolution(text, None, "'!!binary' needs base64 data; correct the data or remove the tag")
        return Resolution(decoded, decoded)
    if tag not in _RESOLVED_TAGS or tag == "str" or len(text) > _LONGEST_NUMBER:
        return Resolution(text, text)
    if tag == "timestamp":
        if _is_timestamp(text):
            return Resolution(text, text)
        return Resolution(text, None, f"'{text}' is not a timestamp; correct it or remove the tag '!!timestamp'")
    value = _yaml_value(text)
    actual = _tag_of(value)
    if tag == "float" and actual == "int":
        value = _to_float(value)
    elif tag != actual:
        return Resolution(text, None, f"'{text}' is not of the type '!!{tag}'; correct it or remove the tag")
    return _as_json(value, text)


def _tag_of(value: ScalarValue) -> str:
    if value is None:
        return "null"
    return {bool: "bool", int: "int", float: "float"}.get(type(value), "str")


def _yaml_value(text: str) -> ScalarValue:
    """Step 1: what go-yaml makes of a plain scalar; integers are not bounded yet."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] == ".":
        return _finite_float(text) if re.fullmatch(_DOT_FLOAT, text) else text
    if text[0] not in "+-0123456789":
        return text
    return _yaml_number(text.replace("_", ""), text)


def _yaml_number(digits: str, text: str) -> ScalarValue:
    integer = _go_integer(digits)
    if integer is not None and -(2**63) <= integer < 2**64 and not (integer >= 2**63 and digits[0] == "+"):
        return integer
    if re.fullmatch(_YAML_FLOAT, digits):
        number = _finite_float(digits)
        if isinstance(number, float):
            return number
    binary = re.fullmatch(_SIGNED_BINARY, digits)
    if binary is not None and -(2**63) <= int(binary[1], 2) < 2**64:
        return int(binary[1], 2)
    if integer is not None and digits[0] not in "+-":
        return integer
    return text


def _go_integer(digits: str) -> int | None:
    """Read an integer literal of Go (strconv.ParseInt with base 0), without its size limit."""
    if digits.isascii() and digits.isdigit() and digits[0] != "0":
        return int(digits)
    match = re.fullmatch(_GO_INTEGER, digits)
    if match is None:
        return None
    sign, hexadecimal, binary, octal, old_octal, decimal = match.groups()
    for literal, base in ((hexadecimal, 16), (binary, 2), (octal, 8), (old_octal, 8), (decimal, 10)):
        if literal:
            return int(sign + literal, base)
    return 0


def _finite_float(text: str) -> ScalarValue:
    """Return the number, or the text where it is out of range, as go-yaml does."""
    number = float(text)
    return text if math.isinf(number) else number


def _to_float(value: ScalarValue) -> float:
    return float(value) if isinstance(value, int) and value < 2**1023 else math.inf


def _as_json(value: ScalarValue, text: str) -> Resolution:
    """Steps 2 and 3: what the number is after JSON, and the key that sigs.k8s.io/yaml makes of it."""
    if value is None:
        return Resolution(None, None)
    if isinstance(value, bool):
        return Resolution(value, "true" if value else "false")
    if isinstance(value, str):
        return Resolution(value, value)
    key = _key_of_number(value)
    if isinstance(value, int):
        if value in _INT64:
            return Resolution(value, key)
        number = _to_float(value)
        return Resolution(number, key, "the number is too large" if math.isinf(number) else None)
    if not math.isfinite(value):
        return Resolution(value, key, f"'{text}' does not exist in JSON; write a finite number")
    if value.is_integer() and abs(value) < 1e21 and int(value) in _INT64:
        return Resolution(int(value), key)
    return Resolution(value, key)


def _key_of_number(value: int | float) -> str | None:
    if isinstance(value, int):
        return str(value) if value in _INT64 else None
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    return _shortest_float32(value)


def _shortest_float32(value: float) -> str:
    """Write a number as Go's strconv.FormatFloat(value, 'g', -1, 32): a float key loses precision in Kubernetes."""
    single = _single(value)
    if math.isinf(single):
        return ".inf" if value > 0 else "-.inf"
    digits = next(digits for precision in range(9) if _single(float(digits := f"{single:.{precision}e}")) == single)
    precision = max(len(digits.partition("e")[0].lstrip("-")) - 2, 0)
    exponent = int(digits.partition("e")[2])
    if -4 <= exponent < 6:
        return f"{float(digits):.{max(precision - exponent, 0)}f}"
    return digits


def _single(value: float) -> float:
    """Round to 32 bits."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def _is_timestamp(text: str) -> bool:
    match = re.fullmatch(_TIMESTAMP, text)
    if match is None:
        return False
    month, day = int(match[1]), int(match[2])
    clock = [int(part) for part in match.groups()[2:] if part is not None]
    return (
        1 <= month <= 12
        and 1 <= day <= 31
        and all(part < limit for part, limit in zip(clock, (24, 60, 60), strict=False))
    )
