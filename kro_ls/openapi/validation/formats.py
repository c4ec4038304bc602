"""The string formats that the API server checks in custom resources.

Source: k8s.io/apiextensions-apiserver, pkg/apiserver/validation/formats.go (which ones), and k8s.io/kube-openapi,
pkg/validation/strfmt (what they accept, which is what Go's standard library accepts).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.golang.ip import is_loose_address, is_loose_prefix
from kro_ls.golang.quoting import utf8
from kro_ls.golang.unicode import category, contains
from kro_ls.golang.url import URLError, parse_request_uri
from kro_ls.openapi.validation.object_meta import label_problems, subdomain_problems

if TYPE_CHECKING:
    from collections.abc import Callable

NUMBER_FORMATS = {"integer": ("int64", "int32"), "number": ("double", "float")}
"""The formats of numbers by type, the wider one first."""

_UUID = r"(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?%s[0-9a-f]{3}-?%s[0-9a-f]{3}-?[0-9a-f]{12}"


def supported_format(type_name: str, format_name: str) -> str:
    """Return a format if the API server checks it for values of a type (empty: no single type), else an empty text."""
    if type_name in ("", "string"):
        return format_name if format_name.replace("-", "") in CHECKS else ""
    return format_name if format_name in NUMBER_FORMATS.get(type_name, ()) else ""


def has_format(text: str, format_name: str) -> bool:
    """Whether a text has a format that is supported for strings. Dashes in its name do not count."""
    return CHECKS[format_name.replace("-", "")](text)


def _full(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern, re.ASCII)
    return lambda text: compiled.fullmatch(text) is not None


# --- networks -----------------------------------------------------------------------------------------------------


def _is_ipv4(text: str) -> bool:
    # Go parses both families, and the format then only needs a dot, which ::ffff:1.2.3.4 has too.
    return "." in text and is_loose_address(text)


def _is_ipv6(text: str) -> bool:
    strict = not re.search(r"[.:]0\d+(?:\.|\Z)", text) or "." not in text
    return ":" in text and strict and is_loose_address(text)


def _is_mac(text: str) -> bool:
    for separator, digits in ((":", 2), ("-", 2), (".", 4)):
        parts = text.split(separator)
        if len(parts) > 1 and len(parts) * digits // 2 in (6, 8, 20):
            return all(re.fullmatch(rf"[0-9A-Fa-f]{{{digits}}}", part) for part in parts)
    return False


def _is_label_character(character: str) -> bool:
    return (character.isascii() and character.isalnum()) or _belongs(character, "LS")


def _belongs(character: str, categories: str) -> bool:
    return any(contains(category(each), ord(character)) for each in categories)


def _is_hostname(text: str) -> bool:
    labels = text.split(".")
    if len(utf8(text)) > 255 or any(len(utf8(label)) > 63 for label in labels):
        return False
    if len(labels) == 1:
        # One optional dash, after the first character only.
        rest = text[2:] if text[1:2] == "-" else text[1:]
        return text != "" and all(map(_is_label_character, text[0] + rest))
    *domains, top = labels
    return (
        len(top) >= 2
        and all(_belongs(character, "L") for character in top)
        and all(
            domain and all(map(_is_label_character, domain.replace("-", ""))) and "-" not in (domain[0], domain[-1])
            for domain in domains
        )
    )


def _is_request_uri(text: str) -> bool:
    try:
        parse_request_uri(text)
    except URLError:
        return False
    return True


# Possessive, so that nothing is matched in two ways.
_ATOM = r"(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]|[^\x00-\x7f])++"
_QUOTED = r'"(?:[^"\\\r\n]|\\[^\r\n])*"'
_ADDRESS = rf"(?:{_ATOM}(?:\.{_ATOM})*|{_QUOTED})@(?:{_ATOM}(?:\.{_ATOM})*|\[(?P<literal>[^\[\]\\\s]+)\])"
_BLANK = r"[ \t]*"
_COMMENT = rf"(?:{_BLANK}\([^()\\]*\))*{_BLANK}"
_NAMED_ADDRESS = rf"(?:(?:{_ATOM}\.?|{_QUOTED}){_BLANK})*<{_ADDRESS.replace('literal', 'inner')}>"
_EMAIL = re.compile(rf"{_BLANK}(?:{_ADDRESS}|{_NAMED_ADDRESS}){_COMMENT}")


def _is_email(text: str) -> bool:
    """Whether a text is one address, named or not (Go's mail.ParseAddress without encoded words and groups)."""
    found = _EMAIL.fullmatch(text)
    if found is None:
        return False
    literal = found["literal"] or found["inner"]
    return literal is None or is_loose_address(literal.removeprefix("IPv6:"))


# --- time ---------------------------------------------------------------------------------------------------------


def _is_date(text: str) -> bool:
    match = re.fullmatch(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", text)
    if match is None:
        return False
    year, month, day = (int(part) for part in match.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return 1 <= month <= 12 and 1 <= day <= days[month - 1]


def _is_date_time(text: str) -> bool:
    parts = text.lower().split("t")
    if len(parts) < 2 or not _is_date(parts[0]):
        return False
    match = re.fullmatch(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})", parts[1])
    return match is not None and match[1] <= "23" and match[2] <= "59" and match[3] <= "59"


_GO_DURATION = re.compile(r"[-+]?(?:0|(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+)")
_LOOSE_UNITS = frozenset("ns us µs ms s sec m min h hr d w wk".split())
_LOOSE_UNIT_STARTS = ("nano", "micro", "milli", "sec", "min", "hour", "day", "week")


def _is_duration(text: str) -> bool:
    """Whether a text is a duration of Go, or has a number and a unit in it, such as `5 days`."""
    if _GO_DURATION.fullmatch(text):
        return True
    units = [unit.lower() for unit in re.findall(r"[0-9]+[ \t\n\f\r]*([A-Za-zµ]+)", text)]
    return any(unit in _LOOSE_UNITS or unit.startswith(_LOOSE_UNIT_STARTS) for unit in units)


# --- numbers of people and things -----------------------------------------------------------------------------------


def _is_isbn10(text: str) -> bool:
    code = re.sub(r"[\s-]+", "", text, flags=re.ASCII)
    if not re.fullmatch(r"[0-9]{9}[0-9X]", code):
        return False
    return sum((place + 1) * (10 if digit == "X" else int(digit)) for place, digit in enumerate(code)) % 11 == 0


def _is_isbn13(text: str) -> bool:
    code = re.sub(r"[\s-]+", "", text, flags=re.ASCII)
    if not re.fullmatch(r"[0-9]{13}", code):
        return False
    return sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(code)) % 10 == 0


# Issuers by their first digits, with the number of digits that follow.
_CARD = re.compile(
    r"4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9]{2})[0-9]{12}|3[47][0-9]{13}"
    r"|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11}"
)


def _is_credit_card(text: str) -> bool:
    digits = re.sub(r"[^0-9]+", "", text)
    if not _CARD.fullmatch(digits):
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0


_COLOR_VALUE = r"\s*(?:0|[1-9][0-9]?|1[0-9]{1,2}|2[0-4][0-9]|25[0-5])\s*"

CHECKS: dict[str, Callable[[str], bool]] = {
    "bsonobjectid": _full(r"[0-9a-fA-F]{24}"),
    "byte": _full(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})"),
    "cidr": is_loose_prefix,
    "creditcard": _is_credit_card,
    "date": _is_date,
    "datetime": _is_date_time,
    "duration": _is_duration,
    "email": _is_email,
    "hexcolor": _full(r"#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})"),
    "hostname": _is_hostname,
    "ipv4": _is_ipv4,
    "ipv6": _is_ipv6,
    "isbn": lambda text: _is_isbn10(text) or _is_isbn13(text),
    "isbn10": _is_isbn10,
    "isbn13": _is_isbn13,
    "k8slongname": lambda text: not subdomain_problems(text),
    "k8sshortname": lambda text: not label_problems(text),
    "mac": _is_mac,
    "password": lambda _: True,
    "rgbcolor": _full(rf"rgb\({_COLOR_VALUE},{_COLOR_VALUE},{_COLOR_VALUE}\)"),
    "ssn": _full(r"[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}"),
    "uri": _is_request_uri,
    "uuid": _full(_UUID % ("[0-9a-f]", "[0-9a-f]")),
    "uuid3": _full(_UUID % ("3", "[0-9a-f]")),
    "uuid4": _full(_UUID % ("4", "[89ab]")),
    "uuid5": _full(_UUID % ("5", "[89ab]")),
}
"""The check of each format, by its name without dashes."""
