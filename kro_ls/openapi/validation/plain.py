"""Errors of values in plain words, for readers who see the value; the errors have the API server's own words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kro_ls.openapi.validation.field_errors import ErrorType, go_json
from kro_ls.shortening import shortened
from kro_ls.spelling import listed

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.validation.field_errors import FieldError, Path

TYPE_WORDS: Final = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "float64": "a number",
    "boolean": "a boolean",
    "array": "a list",
    "object": "a mapping",
    "date-time": "a date and time",
}
"""What sentences call JSON types."""
_LONGEST_VALUE: Final = 40

_WRONG_TYPE: Final = r'(?s)must be of type (.*): "(.*)"'
_PATTERN: Final = r"(?s)should match '(.*)'"
_SIZE: Final = r"should (?:have|be) at (least|most) (\d+) (properties|items|chars long)"
_SIZED: Final = {
    "properties": ("field", "fields"),
    "items": ("item", "items"),
    "chars long": ("character", "characters"),
}
_BRANCHES: Final = r"must (not )?validate .*\((oneOf|anyOf|allOf|not)\)(?:\. Found (\d+))?"
_FITS: Final = {
    "oneOf": "must fit one alternative of its schema (oneOf); it fits {count}",
    "anyOf": "fits no alternative of its schema (anyOf)",
    "allOf": "does not fit its whole schema (allOf)",
    "not": "has fields that its schema does not allow together (not)",
}
_IN_BODY: Final = r"^\S+ in body (?=should )"
"""The place, which some texts of the API server repeat."""
_NAMES: Final = (
    ("a lowercase RFC 1123 subdomain", "name", "lower-case letters, digits, '-' and '.', not '-' or '.' at the ends"),
    ("a lowercase RFC 1123 label", "name", "lower-case letters, digits and '-', not '-' at the ends"),
    ("a DNS-1035 label", "name", "lower-case letters, digits and '-', a letter first and no '-' last"),
    ("a valid label must", "label value", "letters, digits, '-', '_' and '.', a letter or digit at both ends"),
    ("a valid label key", "key", "a name, perhaps with a domain and one '/' before it"),
    ("a valid config key", "key", "letters, digits, '-', '_' and '.'"),
    ("name part", "key", "a name of letters, digits, '-', '_' and '.', a letter or digit at both ends"),
    ("prefix part", "key", "a domain in lower case before the '/'"),
)
"""The beginning of a text about a name, what it is the name of, and what such a name consists of."""


def a_type(name: str) -> str:
    """Return a JSON type, or several with commas between them, as sentences write it: `a list`, `an integer`."""
    return " or ".join(TYPE_WORDS.get(each, f"a value of type {each}") for each in name.split(","))


def plain(error: FieldError) -> str:
    """Return what is wrong, in a short sentence that begins with the name or the value at fault."""
    name, value = _name(error.path), _shown(error.value)
    detail = re.sub(_IN_BODY, "", error.detail.partition(" (e.g. ")[0].rstrip(","))
    if error.by_rule:
        rule = detail.removeprefix("failed rule: ")
        return detail if rule == detail else f"'{name}' breaks the rule '{shortened(rule)}'"
    if error.in_key:
        name, value = "key", name
    match error.type:
        case ErrorType.REQUIRED:
            return _missing(name, value, detail)
        case ErrorType.TYPE_INVALID if wrong := re.fullmatch(_WRONG_TYPE, detail):
            given = "empty" if wrong[2] == "null" else a_type(wrong[2]) if wrong[2] in TYPE_WORDS else f"'{wrong[2]}'"
            subject = f"'{name}'" if error.path or error.in_key else "this value"
            return f"{subject} must be {a_type(wrong[1])}, not {given}"
        case ErrorType.UNSUPPORTED if error.allowed:
            return f"'{value}' is not allowed for '{name}'; expected {listed(error.allowed)}"
        case ErrorType.NOT_FOUND:
            return f"there is no '{value}'"
        case ErrorType.DUPLICATE:
            return f"'{value}' is in the list twice"
        case ErrorType.TOO_MANY:
            return f"'{name}' holds {value}, but {detail}"
    own_form = _in_own_form(detail, name, value)
    if own_form or not error.path:
        return own_form or detail
    if detail.startswith(("must ", "should ", "may ")):
        return f"'{value or name}' is not allowed; it {re.sub('^should ', 'must ', detail)}"
    return f"'{name}': {detail}"


def _missing(name: str, value: str, detail: str) -> str:
    if value:
        return f"'{value}' is not allowed for '{name}'; {detail}"
    if detail.startswith("must ") and detail != "must be specified":
        return f"'{name}' {detail}"
    return f"'{name}' is missing" + (f"; {detail}" if detail and not detail.endswith("must be specified") else "")


def _in_own_form(detail: str, name: str, value: str) -> str:
    """Return the sentence for a detail in one of the API server's own forms, empty for others."""
    if pattern := re.fullmatch(_PATTERN, detail):
        return f"'{value}' is not allowed for '{name}'; it must match '{pattern[1]}'"
    if size := re.fullmatch(_SIZE, detail):
        one, several = _SIZED[size[3]]
        return f"'{name}' must have at {size[1]} {size[2]} {one if size[2] == '1' else several}"
    if branches := re.search(_BRANCHES, detail):
        count = branches[3] or "none"
        return f"'{name}' {_FITS[branches[2]].format(count=count)}"
    for beginning, what, expected in _NAMES:
        if detail.startswith(beginning):
            return f"'{value or name}' is not a valid {what}; expected {expected}"
    return ""


def _name(path: Path) -> str:
    """Return the last name of a path."""
    return next((step for step in reversed(path) if isinstance(step, str)), "this value")


def _shown(value: JsonValue) -> str:
    return shortened(value if isinstance(value, str) else "" if value is None else go_json(value), _LONGEST_VALUE)
