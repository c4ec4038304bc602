"""Checks of values of an object, in the words of the API server.

A check takes a value and its path, and yields errors. Values of a wrong type are left to the schema of the kind. A
`Shape` is made of checks with the patterns of their places (`spec.ports[].port`, `[]` for each item), in the order of
the API server; shapes nest.
Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go, and k8s.io/apimachinery, pkg/util/validation.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from msgspec.structs import replace

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import JsonObject, JsonValue, as_object
from kro_ls.openapi.validation.field_errors import ErrorType, FieldError, Path, field_error, go_json, place_of
from kro_ls.openapi.validation.object_meta import (
    label_key_problems,
    label_problems,
    label_value_problems,
    subdomain_problems,
)

Check: TypeAlias = Callable[[JsonValue, Path], Iterable[FieldError]]

_PORT_NAME = r"[-a-z0-9]+"
_CONFIG_KEY = r"[-._a-zA-Z0-9]+"
_LONGEST_PORT_NAME = 15
_LONGEST_KEY = 253


def error(path: Path, error_type: ErrorType, value: JsonValue = "", detail: str = "") -> FieldError:
    """Return an error about the value at a path."""
    return field_error(path, place_of(path), error_type, value, detail)


def as_declared(found: FieldError, value: JsonObject) -> FieldError:
    """Return an error about a value whose fields the API server prints in the order of declaration, not sorted."""
    message = ": ".join(filter(None, (found.type.value, declared(value), found.detail)))
    return replace(found, text=f"{place_of(found.path)}: {message}", message=message)


def declared(value: JsonObject) -> str:
    """Return an object as Go prints it, its fields in the order of declaration."""
    return f"{{{','.join(f'{go_json(name)}:{go_json(each)}' for name, each in value.items())}}}"


def invalid(path: Path, value: JsonValue, details: Iterable[str]) -> Iterator[FieldError]:
    """Yield an error for each detail."""
    for each in details:
        yield error(path, ErrorType.INVALID, value, each)


def is_empty(value: JsonValue) -> bool:
    """Whether a text, a list or a map is unset, as Go sees it."""
    return value is None or (isinstance(value, str | list | dict) and not value)


def text_of(value: JsonValue, name: str) -> str | None:
    """Return the text in a field, empty where it is absent; None for any other value, or outside of an object."""
    if not isinstance(value, dict):
        return "" if value is None else None
    found = value.get(name)
    return "" if found is None else found if isinstance(found, str) else None


def number_of(value: JsonValue, name: str) -> int | None:
    """Return the integer in a field, 0 where it is absent; None for any other value, or outside of an object."""
    if not isinstance(value, dict):
        return 0 if value is None else None
    found = value.get(name)
    if found is None:
        return 0
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def needs(*names: str, detail: str = "") -> Check:
    """Return a check of an object: fields that must be present and not empty."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        if isinstance(value, dict):
            for name in names:
                if is_empty(value.get(name)):
                    yield error((*path, name), ErrorType.REQUIRED, "", detail)

    return check


def needed_text(
    value: JsonValue, path: Path, name: str, problems: Callable[[str], Iterable[str]], detail: str = ""
) -> Iterator[FieldError]:
    """Yield what is wrong with a required text in a field; `detail` is added where it is absent."""
    text = text_of(value, name) if isinstance(value, dict) else None
    if text == "":
        yield error((*path, name), ErrorType.REQUIRED, "", detail)
    elif text is not None:
        yield from invalid((*path, name), text, problems(text))


def or_absent(name: str, absent: JsonValue, check: Check) -> Check:
    """Return a check of an object: of the value in a field, `absent` where there is none."""

    def check_field(value: JsonValue, path: Path) -> Iterable[FieldError]:
        if not isinstance(value, dict):
            return ()
        found = value.get(name)
        return check(absent if found is None else found, (*path, name))

    return check_field


def unique(name: str = "", *, at_item: bool = False) -> Check:
    """Return a check of a list: the values of a field of its items, or the items themselves, are unique."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        seen: set[str] = set()
        for number, item in enumerate(value if isinstance(value, list) else ()):
            text = as_object(item).get(name) if name else item
            if not isinstance(text, str) or not text:
                continue
            if text in seen:
                yield error((*path, number, *((name,) if name and not at_item else ())), ErrorType.DUPLICATE, text)
            seen.add(text)

    return check


def at_least(lowest: int, detail: str = "") -> Check:
    """Return a check of a number that has a lower bound."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        if _is_number(value) and value < lowest:  # type: ignore[operator] # it is a number
            yield error(path, ErrorType.INVALID, value, detail or f"must be greater than or equal to {lowest}")

    return check


def between(lowest: int, highest: int, detail: str = "") -> Check:
    """Return a check of a number that has two bounds."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        if _is_number(value) and not lowest <= value <= highest:  # type: ignore[operator] # it is a number
            default = f"must be between {lowest} and {highest}, inclusive"
            yield error(path, ErrorType.INVALID, value, detail or default)

    return check


port = between(1, 65535)
"""Check the number of a port."""


def needed_port(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a required port, where 0 counts as absent."""
    if value == 0 and value is not False:
        yield error(path, ErrorType.REQUIRED)
    else:
        yield from port(value, path)


def optional_port(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a port that may be 0."""
    if value != 0:
        yield from port(value, path)


def _text(problems: Callable[[str], Iterable[str]], *, or_empty: bool = True) -> Check:
    """Return a check of a text, by default one that may be empty."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        if isinstance(value, str) and (value or not or_empty):
            yield from invalid(path, value, problems(value))

    return check


label = _text(label_problems)
subdomain = _text(subdomain_problems)
needed_subdomain = _text(subdomain_problems, or_empty=False)
label_key = _text(label_key_problems, or_empty=False)
"""Check a name that has the form of a label's key."""


def port_or_name(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the number or the name of a port."""
    yield from (port_name if isinstance(value, str) else port)(value, path)


def port_name_problems(text: str) -> Iterator[str]:
    """Yield what is wrong with the name of a port (IANA service name)."""
    if len(text) > _LONGEST_PORT_NAME:
        yield f"must be no more than {_LONGEST_PORT_NAME} characters"
    if not re.fullmatch(_PORT_NAME, text):
        yield "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"
    if not re.search("[a-z]", text):
        yield "must contain at least one letter (a-z)"
    if "--" in text:
        yield "must not contain consecutive hyphens"
    if text[:1] == "-" or text[-1:] == "-":
        yield "must not begin or end with a hyphen"


port_name = _text(port_name_problems)
"""Check the name of a container's port."""


def labels(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with labels; errors name the field of all labels."""
    for name, text in as_object(value).items():
        problems = [*((name, each) for each in label_key_problems(name))]
        if isinstance(text, str):
            problems += ((text, each) for each in label_value_problems(text))
        for shown, each in problems:
            yield field_error((*path, name), place_of(path), ErrorType.INVALID, shown, each, in_key=shown is name)


def unsupported(path: Path, value: str, values: Iterable[str]) -> FieldError:
    """Return an error about a text that is none of some values, which the API server lists in this order."""
    allowed = tuple(values)
    detail = f"supported values: {', '.join(map(go_quoted, allowed))}"
    return field_error(path, place_of(path), ErrorType.UNSUPPORTED, value, detail, allowed=allowed)


def one_of(*values: str, or_empty: bool = True) -> Check:
    """Return a check of a text: it must be one of some values, or by default empty."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        if isinstance(value, str) and value not in values and (value or not or_empty):
            yield unsupported(path, value, values)

    return check


def needs_one_of(name: str, *values: str, detail: str = "", missing: ErrorType = ErrorType.REQUIRED) -> Check:
    """Return a check of an object: a required field with one of some values."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        text = text_of(value, name) if isinstance(value, dict) else None
        if text == "" and missing is ErrorType.REQUIRED:
            yield error((*path, name), ErrorType.REQUIRED, "", detail)
        elif text is not None and text not in values:
            yield unsupported((*path, name), text, values)

    return check


def needed(check: Check) -> Check:
    """Return a check of a text that must not be empty, and passes another check."""

    def both(value: JsonValue, path: Path) -> Iterable[FieldError]:
        return (error(path, ErrorType.REQUIRED),) if value == "" else check(value, path)

    return both


def config_keys(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the keys of a ConfigMap or a Secret, which become names of files."""
    for name in as_object(value):
        for each in config_key_problems(name):
            place = f"{place_of(path)}[{name}]"
            yield field_error((*path, name), place, ErrorType.INVALID, name, each, in_key=True)


def config_key_problems(text: str) -> Iterator[str]:
    """Yield what is wrong with the key of a ConfigMap or a Secret."""
    if len(text) > _LONGEST_KEY:
        yield f"must be no more than {_LONGEST_KEY} characters"
    if not re.fullmatch(_CONFIG_KEY, text):
        yield (
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' "
            "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
        )
    elif text in (".", ".."):
        yield f"must not be '{text}'"
    elif text.startswith(".."):
        yield "must not start with '..'"


def address(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error for a text that is no IP address."""
    if not isinstance(value, str):
        return
    try:
        ipaddress.ip_address(value)
    except ValueError:
        yield error(path, ErrorType.INVALID, value, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")


def cidr(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error for a text that is no range of IP addresses."""
    if not isinstance(value, str):
        return
    try:
        if "/" not in value:
            raise ValueError
        ipaddress.ip_network(value, strict=False)
    except ValueError:
        detail = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
        yield error(path, ErrorType.INVALID, value, detail)


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def domain_prefixed(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a name that must stand below a domain."""
    if not isinstance(value, str):
        return
    domain, slash, rest = value.partition("/")
    if not value:
        yield error(path, ErrorType.REQUIRED)
    elif not slash or not domain or not rest:
        detail = 'must be a domain-prefixed path (such as "acme.io/foo")'
        yield error(path, ErrorType.INVALID, value, detail)


_EACH = "[]"


@lru_cache(maxsize=1024)  # of patterns, which are constants of this program
def _steps(pattern: str) -> tuple[str, ...]:
    return tuple(pattern.replace(_EACH, f".{_EACH}").split(".")) if pattern else ()


class Shape:
    """A check of an object made of checks of its parts. Absent parts are not checked."""

    def __init__(self, *parts: tuple[str, Check]) -> None:
        self._parts = tuple((_steps(pattern), check) for pattern, check in parts)

    def __call__(self, value: JsonValue, path: Path) -> list[FieldError]:
        """Return what the checks find, in their order."""
        found: list[FieldError] = []
        for steps, check in self._parts:
            _visit(value, steps, path, check, found)
        return found


def _visit(value: JsonValue, steps: tuple[str, ...], path: Path, check: Check, found: list[FieldError]) -> None:
    """Add what a check finds at the end of the steps to a list: most checks find nothing."""
    if not steps:
        found += check(value, path)
        return
    step = steps[0]
    if step == _EACH:
        if isinstance(value, list):
            for number, item in enumerate(value):
                _visit(item, steps[1:], (*path, number), check, found)
    elif isinstance(value, dict):
        child = value.get(step)
        if child is not None:
            _visit(child, steps[1:], (*path, step), check, found)
