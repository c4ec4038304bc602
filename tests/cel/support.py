"""The environment of the tests of this folder: every library that `cel/library/` has."""

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

_MODULES = (
    *(operators, standard, time, comprehensions, lists, strings, optionals, encoders),
    *(urls, quantity, addresses, semver, messages),
)
LIBRARIES = Libraries(
    (*(module.LIBRARY for module in _MODULES), comprehensions.BINDINGS, lists.KUBERNETES, strings.REGEX)
)
ENVIRONMENT = Environment.of(LIBRARIES)


def parse(text: str) -> parser.ParseResult:
    """Parse an expression with the macros of all libraries."""
    return parser.parse(text, LIBRARIES.macro_set)
