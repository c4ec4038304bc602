"""kro's CEL: which libraries an expression can use, and in which order kro installs them.

Source: kro `pkg/cel/environment.go`. The parser's limits are cel-go's own, kro sets none.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from kro_ls.cel.library import (
    addresses,
    comprehensions,
    encoders,
    lists,
    messages,
    operators,
    optionals,
    quantity,
    semver,
    standard,
    strings,
    time,
    urls,
)
from kro_ls.cel.syntax import parser
from kro_ls.cel.types.declarations import Environment, Libraries
from kro_ls.kro import krep_2, library

if TYPE_CHECKING:
    from collections.abc import Mapping

LIBRARIES = Libraries(
    (
        operators.LIBRARY,
        standard.LIBRARY,
        time.LIBRARY,
        comprehensions.LIBRARY,
        lists.LIBRARY,
        strings.LIBRARY,
        comprehensions.BINDINGS,
        optionals.LIBRARY,
        encoders.LIBRARY,
        lists.KUBERNETES,
        urls.LIBRARY,
        strings.REGEX,
        quantity.LIBRARY,
        addresses.LIBRARY,
        semver.LIBRARY,
        messages.LIBRARY,
        library.LIBRARY,
        krep_2.LIBRARY,
    )
)
FUNCTIONS = LIBRARIES.functions
MACROS = LIBRARIES.macros

_DISABLED_NAMES = {
    "math (cel-go)": (
        "math.abs math.bitAnd math.bitNot math.bitOr math.bitShiftLeft math.bitShiftRight math.bitXor math.ceil "
        "math.floor math.greatest math.isFinite math.isInf math.isNaN math.least math.round math.sign math.sqrt "
        "math.trunc"
    ),
    "sets (cel-go)": "sets.contains sets.equivalent sets.intersects",
    "regex (cel-go)": "regex.extract regex.extractAll regex.replace",
    "protos (cel-go)": "proto.getExt proto.hasExt",
    "format (Kubernetes)": (
        "format.named format.dns1123Label format.dns1123Subdomain format.dns1035Label format.qualifiedName "
        "format.dns1123LabelPrefix format.dns1123SubdomainPrefix format.dns1035LabelPrefix format.labelValue "
        "format.uri format.uuid format.byte format.date format.datetime validate"
    ),
    "authorizer (Kubernetes)": "allowed errored reason check group resource subresource serviceAccount",
    "JSON patch (Kubernetes)": "jsonpatch.escapeKey",
    "lists, version 1 (Kubernetes)": "includes",
}

DISABLED: Mapping[str, str] = {name: library for library, names in _DISABLED_NAMES.items() for name in names.split()}
"""Functions of CEL libraries that kro does not enable, by name, with the library."""


@cache  # built once, from constants
def base_environment() -> Environment:
    """Return what every expression can use; the variables of its place come on top (`Environment.extend`)."""
    return Environment.of(LIBRARIES)


def parse(text: str) -> parser.ParseResult:
    """Parse an expression with kro's macros. Never raises."""
    return parser.parse(text, LIBRARIES.macro_set)
