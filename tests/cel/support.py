"""The environment of the tests of this folder: every library that `cel/library/` has."""

from kro_ls.cel.library import (
    bindings,
    cidr,
    comprehensions,
    encoders,
    ip,
    kubernetes_lists,
    lists,
    messages,
    operators,
    optionals,
    quantity,
    regex,
    semver,
    standard,
    strings,
    time,
    urls,
)
from kro_ls.cel.syntax import parser
from kro_ls.cel.types.declarations import Libraries
from kro_ls.cel.types.environment import Environment

_MODULES = (
    *(operators, standard, time, comprehensions, lists, strings, bindings, optionals, encoders),
    *(kubernetes_lists, urls, regex, quantity, ip, cidr, semver, messages),
)
LIBRARIES = Libraries(module.LIBRARY for module in _MODULES)
ENVIRONMENT = Environment.of(LIBRARIES)


def parse(text: str) -> parser.ParseResult:
    """Parse an expression with the macros of all libraries."""
    return parser.parse(text, LIBRARIES.macro_set)
