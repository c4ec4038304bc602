"""The CEL of the API server, which the validation rules of a schema can use.

Source: apiserver `pkg/cel/environment/base.go`. Unlike other environments it lacks `cel.bind`, base64 and the string
function `reverse`, a literal holds one type, and numbers of all types can be compared.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from kro_ls.cel.library import (
    addresses,
    comprehensions,
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
from kro_ls.cel.types.declarations import Environment, Libraries
from kro_ls.openapi.rules import formats

_NEWER_STRINGS = frozenset({"reverse"})
"""String functions newer than version 2, which the API server has."""

_STRINGS = replace(
    strings.LIBRARY,
    functions=tuple(each for each in strings.LIBRARY.functions if each.name not in _NEWER_STRINGS),
)

RULE_LIBRARIES = Libraries(
    (
        operators.LIBRARY,
        standard.LIBRARY,
        time.LIBRARY,
        comprehensions.LIBRARY,
        lists.LIBRARY,
        _STRINGS,
        optionals.LIBRARY,
        lists.KUBERNETES,
        urls.LIBRARY,
        strings.REGEX,
        quantity.LIBRARY,
        addresses.LIBRARY,
        semver.LIBRARY,
        lists.SETS,
        messages.LIBRARY,
        formats.LIBRARY,
    )
)


@cache  # built once, from constants
def rule_environment() -> Environment:
    """Return the environment of every rule, without `self` and `oldSelf`."""
    return replace(Environment.of(RULE_LIBRARIES), mixed_numbers=True, homogeneous_literals=True)
