"""Unification of types: what cel-go's checker means by assignable, and which overloads of a function fit.

The rules, and the order in which they are tried, are those of cel-go `checker/types.go` and, for overloads,
`checker/checker.go` (`resolveOverload`). cel-go works on a copy of the bindings of type variables and drops it on
failure; here a failure undoes what was bound.

Loops are written out where a generator would do: chains of bindings can be long, and only Python's own frames do not
use up the C stack.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.cel.types.types import DYN, Kind, Type, list_type, map_type, optional_type, type_of, type_parameter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kro_ls.cel.types.declarations import FunctionDeclaration, Overload


_MAX_STEPS: Final = 500_000
"""The steps for one expression, about half a second. Lists of thousands of empty lists stay far below."""

_NULLABLE: Final = frozenset({Kind.OPAQUE, Kind.STRUCT, Kind.ANY, Kind.DURATION, Kind.TIMESTAMP})
_SCALARS: Final = frozenset(
    {Kind.BOOL, Kind.BYTES, Kind.DOUBLE, Kind.INT, Kind.STRING, Kind.UINT, Kind.DURATION, Kind.TIMESTAMP, Kind.STRUCT}
)
_WITH_PARAMETERS: Final = frozenset({Kind.OPAQUE, Kind.LIST, Kind.MAP})


class TooComplexError(Exception):
    """The types of an expression refer to each other in so many ways that checking it would take too long."""


class TypeVariables:
    """The type variables of one check, and the types they stand for so far."""

    def __init__(self) -> None:
        self.count = 0
        """How many there are."""
        self._bindings: dict[Type, Type] = {}
        self._trail: list[tuple[Type, Type | None]] = []
        """Each variable bound since the last success, with its previous binding."""
        self._steps = 0

    def fresh(self) -> Type:
        """Return a new type variable, named as cel-go names them: `_var0`, `_var1`..."""
        self.count += 1
        return type_parameter(f"_var{self.count - 1}")

    def assign(self, left: Type, right: Type) -> bool:
        """Return whether the two types unify; if so, type variables on both sides are bound to make them agree."""
        return left == right or self._settle(unified=self._assign(left, right))

    def assign_all(self, left: tuple[Type, ...], right: tuple[Type, ...]) -> bool:
        """Return whether the types unify pairwise, left to right; all or nothing is bound."""
        return self._settle(unified=self._assign_all(left, right))

    def substitute(self, type_: Type, *, unbound: Type | None = None) -> Type:
        """Return the type with every bound variable replaced, and the unbound ones by `unbound` if given."""
        if not type_.is_generic:
            return type_
        self._step()
        if type_.kind is Kind.TYPE_PARAMETER:
            bound = self._bindings.get(type_)
            if bound is not None:
                return self.substitute(bound, unbound=unbound)
            return type_ if unbound is None else unbound
        parameters: list[Type] = []
        for parameter in type_.parameters:
            parameters.append(self.substitute(parameter, unbound=unbound))  # noqa: PERF401
        return with_parameters(type_, parameters)

    def finish(self, type_: Type) -> Type:
        """Return the type as it stands after checking: what is still open is dyn."""
        return self.substitute(type_, unbound=DYN)

    def _settle(self, *, unified: bool) -> bool:
        if self._trail:
            if not unified:
                for variable, previous in reversed(self._trail):
                    if previous is None:
                        del self._bindings[variable]
                    else:
                        self._bindings[variable] = previous
            self._trail.clear()
        return unified

    def _step(self) -> None:
        self._steps += 1
        if self._steps > _MAX_STEPS:
            raise TooComplexError

    def _assign(self, left: Type, right: Type) -> bool:
        if left == right:
            return True
        if right.kind is Kind.TYPE_PARAMETER:
            valid, was_bound = self._bind(right, left)
            if valid or was_bound:
                return valid
        if left.kind is Kind.TYPE_PARAMETER:
            return self._bind(left, right)[0]
        if left.is_dynamic or right.is_dynamic or left.kind is Kind.ERROR or right.kind is Kind.ERROR:
            return True
        if left.kind is Kind.NULL:
            return right.kind in _NULLABLE or right.nullable
        if right.kind is Kind.NULL:
            return left.kind in _NULLABLE or left.nullable
        if left.kind in _SCALARS:
            return right.accepts(left)
        if left.kind is Kind.TYPE:
            return right.kind is Kind.TYPE
        return (
            left.kind in _WITH_PARAMETERS
            and left.kind is right.kind
            and left.name == right.name
            and self._assign_all(left.parameters, right.parameters)
        )

    def _assign_all(self, left: tuple[Type, ...], right: tuple[Type, ...]) -> bool:
        if len(left) != len(right):
            return False
        for left_type, right_type in zip(left, right, strict=True):  # noqa: SIM110
            if not self._assign(left_type, right_type):
                return False
        return True

    def _bind(self, variable: Type, other: Type) -> tuple[bool, bool]:
        """Bind the variable to `other`, or to the more general of it and the present binding.

        Returns whether that is possible, and whether the variable was bound before.
        """
        self._step()
        bound = self._bindings.get(variable)
        if bound is None:
            if self._occurs(variable, other):
                return False, False
            self._set(variable, None, other)
            return True, False
        if bound == other:
            return True, True
        if not self._assign(other, bound):
            return False, True
        general = most_general(other, bound)
        if general != bound and not self._occurs(variable, general):
            self._set(variable, self._bindings[variable], general)
        return True, True

    def _set(self, variable: Type, previous: Type | None, bound: Type) -> None:
        self._trail.append((variable, previous))
        self._bindings[variable] = bound

    def _occurs(self, variable: Type, within: Type) -> bool:
        if variable == within:
            return True
        if not within.is_generic:
            return False
        self._step()
        if within.kind is Kind.TYPE_PARAMETER:
            bound = self._bindings.get(within)
            return bound is not None and self._occurs(variable, bound)
        for inner in within.parameters:  # noqa: SIM110
            if self._occurs(variable, inner):
                return True
        return False


def most_general(left: Type, right: Type) -> Type:
    """Return the less specific of two types that unify; of equals the left one."""
    return left if _is_as_general(left, right) else right


def _is_as_general(left: Type, right: Type) -> bool:
    if left.is_dynamic or left.kind is Kind.TYPE_PARAMETER:
        return True
    if right.is_dynamic or right.kind is Kind.TYPE_PARAMETER or left.kind is not right.kind:
        return False
    if left.kind in _WITH_PARAMETERS:
        if left.name != right.name or len(left.parameters) != len(right.parameters):
            return False
        for left_parameter, right_parameter in zip(left.parameters, right.parameters, strict=True):
            if not _is_as_general(left_parameter, right_parameter):
                return False
        return True
    return left.kind is Kind.TYPE or left.name == right.name


def replace_parameters(type_: Type, replacements: dict[Type, Type]) -> Type:
    """Return the type with the type parameters of a declaration replaced."""
    if not type_.is_generic:
        return type_
    if type_.kind is Kind.TYPE_PARAMETER:
        return replacements[type_]
    return with_parameters(type_, [replace_parameters(parameter, replacements) for parameter in type_.parameters])


def with_parameters(type_: Type, parameters: list[Type]) -> Type:
    """Return the type of the same kind and name with other parameters."""
    if type_.kind is Kind.LIST:
        return list_type(parameters[0])
    if type_.kind is Kind.MAP:
        return map_type(parameters[0], parameters[1])
    if type_.is_optional:
        return optional_type(parameters[0])
    return type_of(parameters[0]) if type_.kind is Kind.TYPE else Type(type_.kind, type_.name, tuple(parameters))


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
    """Return the overloads that fit, None if none does. `arguments` begins with the receiver when `is_method`.

    Every overload of the right call style is tried in the order of declaration; the first that fits gives the result, a
    later one with another result makes it dyn.

    `mixed_numbers` turns on the overloads that order numbers of different types.
    """
    if not any([argument.is_generic for argument in arguments]):  # noqa: C419 - a generator costs more than the list
        resolved, count = _resolve_ground(function, arguments, is_method, mixed_numbers)
        if resolved is None or not resolved.result.is_generic:
            variables.count += count
            return resolved
    return _resolve(function, arguments, variables, is_method, mixed_numbers)


@lru_cache(maxsize=512)  # the same calls occur all over a definition
def _resolve_ground(
    function: FunctionDeclaration,
    arguments: tuple[Type, ...],
    is_method: bool,
    mixed_numbers: bool,
) -> tuple[Resolution | None, int]:
    """Resolve for types without type variables: the answer depends on nothing else and is worth caching.

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
    """Return the result type if the arguments fit, and then keep the bindings that make them fit."""
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
