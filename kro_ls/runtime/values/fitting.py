"""Texts that fit: what a schema allows, and what expressions ask for."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING

from kro_ls.golang.re2.examples import example_of
from kro_ls.golang.re2.pattern_cache import search
from kro_ls.golang.re2.pattern_errors import PatternError, UndecidedError
from kro_ls.runtime.values.text_table import TIME
from kro_ls.runtime.values.texts import known_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.schema import Schema
    from kro_ls.runtime.values.demands import Demand
    from kro_ls.runtime.values.names import Names, Subject

LONGEST_TEXT = 10_000

FORMATS = {
    "byte": "ZXhhbXBsZQ==",
    "cidr": "10.0.0.0/16",
    "creditcard": "4111111111111111",
    "date": "2024-01-01",
    "date-time": TIME,
    "datetime": TIME,
    "duration": "1h0m0s",
    "hexcolor": "#3366cc",
    "hostname": "app.example.com",
    "int-or-string": "1",
    "ipv4": "10.0.0.1",
    "ipv6": "2001:db8::1",
    "isbn": "9780306406157",
    "isbn10": "0306406152",
    "isbn13": "9780306406157",
    "mac": "02:00:5e:10:00:01",
    "rgbcolor": "rgb(51,102,204)",
    "ssn": "123-45-6789",
    "uri": "https://app.example.com",
    "uuid": "3f0c5f0e-7c1d-4c8a-9d55-0f3b8a1e2d4c",
    "uuid3": "3f0c5f0e-7c1d-3c8a-9d55-0f3b8a1e2d4c",
    "uuid4": "3f0c5f0e-7c1d-4c8a-9d55-0f3b8a1e2d4c",
    "uuid5": "3f0c5f0e-7c1d-5c8a-9d55-0f3b8a1e2d4c",
}
"""By the formats that the API server checks."""

_FORMAT_WORDS = {"email": "email", "uri": "url", "hostname": "host", "uuid": "uuid", "ipv4": "ip", "ipv6": "ipv6"}
"""The formats for which a text can be made that no other place has: the word that stands for each."""

READABLE = {
    "duration": "1h0m0s",
    "timestamp": TIME,
    "quantity": "1Gi",
    "url": "https://example.com/path",
    "ip": "10.0.0.1",
    "cidr": "10.0.0.0/16",
    "semver": "1.2.3",
    "int": "1",
    "uint": "1",
    "double": "1.5",
    "bool": "true",
}
"""By the function of CEL that reads a text what it can read."""

_READS = {
    "duration": re.compile(r"(\d+(\.\d+)?(ms|[hmsun]s?))+"),
    "timestamp": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"),
    "quantity": re.compile(r"\d+(\.\d+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?"),
    "url": re.compile(r"https?://\S+"),
    "semver": re.compile(r"\d+\.\d+\.\d+"),
    "int": re.compile(r"\d{1,9}"),
    "uint": re.compile(r"\d{1,9}"),
    "double": re.compile(r"\d+(\.\d+)?"),
    "bool": re.compile(r"true|false"),
}

_COMMON_FORMS = (
    "email", "url", "host", "ip", "cidr", "arn", "uuid", "version", "duration", "timestamp", "schedule", "memory",
    "cpu", "region", "availability zone", "account id", "vpc id", "subnet id", "image", "tag", "protocol", "port",
    "mount path", "color", "digest", "date", "name",
)  # fmt: skip
"""The forms that are tried for a text whose field's name does not decide, the likeliest first."""

_SHORT_TEXTS = ("app-1", "app1", "app-01", "app-0001", "APP-1", "v1", "v1.2", "v1.2.3", "1.2", "10", "dev", "DEV", "eu")


def format_text(format_: str, subject: Subject, names: Names) -> str | None:
    """Return a text in a format that the API server checks; None for any other."""
    if format_ in _FORMAT_WORDS:
        made = known_text(subject, names)
        if made is None or not _has_format(format_, made):
            made = known_text(subject, (*names, _FORMAT_WORDS[format_]))
        if made is not None and _has_format(format_, made):
            return made
    return FORMATS.get(format_)


def _has_format(format_: str, text: str) -> bool:
    match format_:
        case "email":
            return "@" in text
        case "uri":
            return "://" in text
        case "hostname":
            return "." in text and ":" not in text and "/" not in text
        case "uuid":
            return text.count("-") == 4
    return reads_as("ip", text) and (":" in text) is (format_ == "ipv6")


def common_texts(subject: Subject, names: Names) -> Iterator[str]:
    """Yield texts of the usual forms."""
    for form in _COMMON_FORMS:
        made = known_text(subject, (*names, *form.split()))
        if made:
            yield made
    yield from _SHORT_TEXTS


def reads_as(form: str, text: str) -> bool:
    """Whether the function of CEL with this name can read a text."""
    try:
        if form == "ip":
            ipaddress.ip_address(text)
            return True
        if form == "cidr":
            ipaddress.ip_network(text, strict=False)
            return "/" in text
    except ValueError:
        return False
    return form in _READS and _READS[form].fullmatch(text) is not None


def is_as_asked(demand: Demand, text: str) -> bool:
    """Whether a text is as expressions ask, as far as one can see."""
    if text in demand.others or len(text) < demand.length:
        return False
    if not text.startswith(demand.starts) or not text.endswith(demand.ends):
        return False
    if any(each not in text for each in demand.contains) or (demand.pattern and not matches(demand.pattern, text)):
        return False
    if demand.form and (not reads_as(demand.form, text) or _has_wishes(demand.read)):
        return False
    return not demand.separator or _has_parts(demand, text)


def _has_wishes(demand: Demand | None) -> bool:
    return demand is not None and bool(
        demand.values or demand.others or demand.equals or demand.least is not None or demand.most is not None
    )


def _has_parts(demand: Demand, text: str) -> bool:
    parts = text.split(demand.separator)
    asked = demand.parts
    if asked is None:
        return True
    needed = max([2, asked.length, *(index + 1 for index in asked.elements)])
    if len(parts) < needed or (asked.length and len(parts) != asked.length):
        return False
    return all(is_as_asked(each, parts[index]) and not each.values for index, each in asked.elements.items())


def allowed_text(text: str, schema: Schema | None, filler: str) -> str | None:
    """Return a text brought to the length that a schema asks for; None where its pattern does not match that."""
    if schema is None:
        return text
    raw = schema.raw
    shortest, longest = bound(raw.get("minLength"), 0), bound(raw.get("maxLength"), LONGEST_TEXT)
    if len(text) < shortest:
        text = (text + "-" + filler * (shortest // max(len(filler), 1) + 1))[: min(shortest, LONGEST_TEXT)]
    if len(text) > longest:
        text = _shortened(text, longest)
    pattern = raw.get("pattern")
    if isinstance(pattern, str) and not matches(pattern, text):
        return None
    return text if shortest <= len(text) else None


def _shortened(text: str, longest: int) -> str:
    """Return the end of a name that fits, from the start of a word if possible."""
    words = text.split("-")
    while len(words) > 1 and len("-".join(words)) > longest:
        words = words[1:]
    return "-".join(words)[:longest].rstrip("-.") or text[:longest]


def example_text(schema: Schema, number: int) -> str | None:
    """Return a text that a schema's pattern matches; another one for each number, where there are several."""
    pattern = schema.raw.get("pattern")
    if not isinstance(pattern, str):
        return None
    shortest, longest = bound(schema.raw.get("minLength"), 0), schema.raw.get("maxLength")
    most = longest if isinstance(longest, int) else None
    return example_of(pattern, shortest + number, most) or example_of(pattern, shortest, most)


def bound(value: object, otherwise: int) -> int:
    """Return a bound of a schema; the other number where there is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else otherwise


def matches(pattern: str, text: str) -> bool:
    """Whether an RE2 pattern matches somewhere in a text; no for a pattern that is not valid or too costly."""
    try:
        return search(pattern, text)
    except (PatternError, UndecidedError):
        return False


def constructed(demand: Demand, name: str) -> str:
    """Return a text that begins, ends and holds what is asked."""
    inside = "-".join(each for each in demand.contains if each not in demand.starts + demand.ends)
    made = demand.starts + (inside or ("" if demand.ends and demand.starts else name)) + demand.ends
    return f"{demand.starts}other-{name}{demand.ends}" if made in demand.others else made
