"""Checks of single values of an object, in the words of the API server.

A check is given a value and its path, and yields errors. Values of a wrong type are left to the schema of the kind.
Source: k8s.io/kubernetes, pkg/apis/core/validation/validation.go, and k8s.io/apimachinery, pkg/util/validation.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import JsonValue, as_object
from kro_ls.openapi.validation.field_errors import ErrorType, FieldError, Path, field_error, place_of
from kro_ls.openapi.validation.object_names import (
    label_key_problems,
    label_problems,
    label_value_problems,
    subdomain_problems,
)
from kro_ls.openapi.validation.objects.quantities import amount

if TYPE_CHECKING:
    from collections.abc import Iterable

Check: TypeAlias = Callable[[JsonValue, Path], Iterator[FieldError]]

_PORT_NAME = re.compile(r"[-a-z0-9]+")
_CONFIG_KEY = re.compile(r"[-._a-zA-Z0-9]+")
_LONGEST_PORT_NAME = 15
_LONGEST_KEY = 253


def error(path: Path, error_type: ErrorType, value: JsonValue = "", detail: str = "") -> FieldError:
    """Return an error about the value at a path."""
    return field_error(path, place_of(path), error_type, value, detail)


def invalid(path: Path, value: JsonValue, details: Iterable[str]) -> Iterator[FieldError]:
    """Yield an error for each detail."""
    for each in details:
        yield error(path, ErrorType.INVALID, value, each)


def needs(*names: str, detail: str = "") -> Check:
    """Return a check of an object: fields that must be there and not be empty."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        for name in names:
            if as_object(value).get(name) in (None, "", [], {}):
                yield error((*path, name), ErrorType.REQUIRED, "", detail)

    return check


def at_least(lowest: int) -> Check:
    """Return a check of a number."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        if _is_number(value) and value < lowest:  # type: ignore[operator] # it is a number
            yield error(path, ErrorType.INVALID, value, f"must be greater than or equal to {lowest}")

    return check


def port(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the number of a port."""
    if _is_number(value) and not 1 <= value <= 65535:  # type: ignore[operator] # it is a number
        yield error(path, ErrorType.INVALID, value, "must be between 1 and 65535, inclusive")


def needed_port(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a port for which 0 is none."""
    if value == 0 and value is not False:
        yield error(path, ErrorType.REQUIRED)
    else:
        yield from port(value, path)


def optional_port(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a port that may be 0."""
    if value != 0:
        yield from port(value, path)


def node_port(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a port of nodes, whose range is the usual one."""
    if _is_number(value) and value != 0 and not 30000 <= value <= 32767:  # type: ignore[operator] # it is a number
        detail = "provided port is not in the valid range. The range of valid ports is 30000-32767"
        yield field_error(path, place_of(path), ErrorType.INVALID, value, detail)


def port_name(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the name of a container's port."""
    if isinstance(value, str) and value:
        yield from invalid(path, value, port_name_problems(value))


def port_or_name(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a port that is given by its number or its name."""
    yield from (port_name if isinstance(value, str) else port)(value, path)


def port_name_problems(text: str) -> Iterator[str]:
    """Yield what speaks against the name of a port (IANA service name)."""
    if len(text) > _LONGEST_PORT_NAME:
        yield f"must be no more than {_LONGEST_PORT_NAME} characters"
    if not _PORT_NAME.fullmatch(text):
        yield "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"
    if not re.search("[a-z]", text):
        yield "must contain at least one letter (a-z)"
    if "--" in text:
        yield "must not contain consecutive hyphens"
    if text[:1] == "-" or text[-1:] == "-":
        yield "must not begin or end with a hyphen"


def label(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a name that is a label of a domain."""
    if isinstance(value, str) and value:
        yield from invalid(path, value, label_problems(value))


def subdomain(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with a name that is a domain."""
    if isinstance(value, str) and value:
        yield from invalid(path, value, subdomain_problems(value))


def labels(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with labels, whose errors name the field that holds them all."""
    for name, text in as_object(value).items():
        problems = [*((name, each) for each in label_key_problems(name))]
        if isinstance(text, str):
            problems += ((text, each) for each in label_value_problems(text))
        for shown, each in problems:
            yield field_error((*path, name), place_of(path), ErrorType.INVALID, shown, each, in_key=shown is name)


def one_of(*values: str) -> Check:
    """Return a check of a text: it must be one of some values, which the API server names in this order."""

    def check(value: JsonValue, path: Path) -> Iterator[FieldError]:
        if isinstance(value, str) and value and value not in values:
            supported = ", ".join(map(go_quoted, values))
            detail = f"supported values: {supported}"
            yield field_error(path, place_of(path), ErrorType.UNSUPPORTED, value, detail, allowed=values)

    return check


def not_negative(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error for a quantity below zero."""
    found = amount(value)
    if found is not None and found < 0:
        shown = value if isinstance(value, str) else str(value)
        yield error(path, ErrorType.INVALID, shown, "must be greater than or equal to 0")


def config_keys(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield what is wrong with the keys of a ConfigMap or a Secret, which become names of files."""
    for name in as_object(value):
        for each in _config_key_problems(name):
            place = f"{place_of(path)}[{name}]"
            yield field_error((*path, name), place, ErrorType.INVALID, name, each, in_key=True)


def _config_key_problems(text: str) -> Iterator[str]:
    if len(text) > _LONGEST_KEY:
        yield f"must be no more than {_LONGEST_KEY} characters"
    if not _CONFIG_KEY.fullmatch(text):
        yield (
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' "
            "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
        )
    elif text in (".", ".."):
        yield f"must not be '{text}'"
    elif text.startswith(".."):
        yield "must not start with '..'"


def address(value: JsonValue, path: Path) -> Iterator[FieldError]:
    """Yield an error for what is no IP address; `None` and an empty text are none."""
    if not isinstance(value, str) or value in ("", "None"):
        return
    try:
        ipaddress.ip_address(value)
    except ValueError:
        yield error(path, ErrorType.INVALID, value, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
