"""Overload resolution: which signatures of a function fit the types of the arguments, and what they return.

The rules are those of cel-go `checker/checker.go` (`resolveOverload`): every overload of the right call style is tried
in the order of declaration; the first that fits gives the result, a later one with another result makes it dyn.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cel.types.types import DYN
from kro_ls.cel.types.unification import TypeVariables, replace_parameters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.cel.types.declarations import FunctionDeclaration, Overload
    from kro_ls.cel.types.types import Type

_NUMBERS = ("int64", "uint64", "double")

MIXED_NUMBER_OVERLOADS = frozenset(
    f"{comparison}_{left}_{right}"
    for comparison in ("less", "less_equals", "greater", "greater_equals")
    for left in _NUMBERS
    for right in _NUMBERS
    if left != right
)
"""The overloads that order numbers of two types: off unless an environment turns them on, as macros do."""


class Resolution(Struct, frozen=True, gc=False):
    """The function a call means, the overloads that fit, at least one, and the type of the call."""

    function: FunctionDeclaration
    overloads: tuple[Overload, ...]
    result: Type


def resolve(
    function: FunctionDeclaration,
    arguments: tuple[Type, ...],
    variables: TypeVariables,
    *,
    is_method: bool,
    mixed_numbers: bool,
) -> Resolution | None:
    """Return what fits, None when nothing does. `arguments` begins with the receiver when `is_method`.

    `mixed_numbers` turns on the overloads that order numbers of different types.
    """
    if not any([argument.is_generic for argument in arguments]):  # noqa: C419 - a generator costs more than the list
        known, count = _resolve_ground(function, arguments, is_method, mixed_numbers)
        if known is None or not known.result.is_generic:
            variables.count += count
            return known
    return _resolve(function, arguments, variables, is_method, mixed_numbers)


@lru_cache(maxsize=512)
def _resolve_ground(
    function: FunctionDeclaration,
    arguments: tuple[Type, ...],
    is_method: bool,
    mixed_numbers: bool,
) -> tuple[Resolution | None, int]:
    """Resolve for types without type variables: the answer depends on nothing else and is worth remembering.

    Returns with it how many type variables were used, because their names appear in messages. A generic result cannot
    be reused: its variables belong to one check.
    """
    variables = TypeVariables()
    return _resolve(function, arguments, variables, is_method, mixed_numbers), variables.count


def _resolve(
    function: FunctionDeclaration,
    arguments: tuple[Type, ...],
    variables: TypeVariables,
    is_method: bool,
    mixed_numbers: bool,
) -> Resolution | None:
    result: Type | None = None
    fitting: list[Overload] = []
    for overload in function.overloads:
        if overload.is_member is not is_method or (not mixed_numbers and overload.id in MIXED_NUMBER_OVERLOADS):
            continue
        returned = _try_overload(overload, arguments, variables)
        if returned is None:
            continue
        fitting.append(overload)
        if result is None:
            result = returned
        elif not result.is_dynamic and returned != result:
            result = DYN
    return None if result is None else Resolution(function, tuple(fitting), result)


def _try_overload(overload: Overload, arguments: tuple[Type, ...], variables: TypeVariables) -> Type | None:
    """Return the result type if the arguments fit, keeping the bindings that make them fit."""
    parameters, result = overload.parameters, overload.result
    fresh = {parameter: variables.fresh() for parameter in overload.type_parameters}
    if len(parameters) != len(arguments):
        return None
    if fresh:
        parameters = tuple([replace_parameters(parameter, fresh) for parameter in parameters])
        result = replace_parameters(result, fresh)
    return variables.substitute(result) if variables.assign_all(arguments, parameters) else None


def methods_of(
    receiver: Type, functions: Mapping[str, FunctionDeclaration]
) -> Iterator[tuple[FunctionDeclaration, tuple[Overload, ...]]]:
    """Yield the functions that can be called on a value of this type, each with the overloads that take it."""
    for function in functions.values():
        fitting = tuple(
            overload
            for overload in function.overloads
            if overload.is_member and TypeVariables().assign(receiver, overload.parameters[0])
        )
        if fitting and not function.is_internal:
            yield function, fitting
