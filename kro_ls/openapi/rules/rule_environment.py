"""What the validation rules of a schema can use: the CEL of the API server.

Source: apiserver `pkg/cel/environment/base.go`, as far as it concerns rules. It differs from other environments in what
it lacks (`cel.bind`, base64, string `reverse`), in that literals hold one type, and that all numbers can be ordered.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from kro_ls.cel.library import (
    cidr,
    comprehensions,
    ip,
    kubernetes_lists,
    lists,
    messages,
    operators,
    optionals,
    quantity,
    regex,
    semver,
    sets,
    standard,
    strings,
    time,
    urls,
)
from kro_ls.cel.types.declarations import Libraries
from kro_ls.cel.types.environment import Environment
from kro_ls.openapi.rules import formats

_NEWER_STRINGS = frozenset({"reverse"})
"""Functions of texts that came after version 2, the one that the API server has."""

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
        kubernetes_lists.LIBRARY,
        urls.LIBRARY,
        regex.LIBRARY,
        quantity.LIBRARY,
        ip.LIBRARY,
        cidr.LIBRARY,
        semver.LIBRARY,
        sets.LIBRARY,
        messages.LIBRARY,
        formats.LIBRARY,
    )
)


@cache
def rule_environment() -> Environment:
    """Return what every rule can use besides `self` and `oldSelf`."""
    return replace(Environment.of(RULE_LIBRARIES), mixed_numbers=True, homogeneous_literals=True)
