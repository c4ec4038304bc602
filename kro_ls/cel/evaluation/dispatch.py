"""Calling functions: the overload that fits the arguments at run time is looked up once per combination of classes.

As in cel-go, an overload fits if each argument has the parameter's type; the first element of a list and the entries of
a map are checked as well. The first overload that fits wins.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from kro_ls.cel.evaluation.costs import LOOKING, Cost, Evaluate, Frame, budget_of
from kro_ls.cel.evaluation.values import (
    MISSING,
    EvaluationError,
    Value,
    entries,
    is_list,
    is_map,
    no_such_overload,
    type_name,
)
from kro_ls.cel.types.types import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.cel.evaluation.costs import Budget, StructMaker
    from kro_ls.cel.types.declarations import Libraries, Overload
    from kro_ls.cel.types.types import Type

    Implementation: TypeAlias = tuple[Callable[..., Value], bool, Cost]
    """A function of the arguments, whether it takes the budget before them, and what a call costs before it runs."""

_SMALL = 64


class Function:
    """A function as called with a number of arguments, the receiver included."""

    def __init__(self, libraries: Libraries, name: str, overloads: tuple[Overload, ...]) -> None:
        self.name = name
        self._libraries = libraries
        self._overloads = overloads
        self._cached: dict[tuple[type, ...], Implementation] = {}
        looked_into = any(_has_concrete_part(parameter) for each in overloads for parameter in each.parameters)
        self._is_cacheable = not looked_into

    def call(self, frame: Frame, *arguments: Value) -> Value:
        """Return the result. Raises EvaluationError, without a place, also when no overload fits."""
        classes = tuple([argument.__class__ for argument in arguments])
        function, takes_budget, cost = self._cached.get(classes) or self._resolve(classes, arguments)
        budget = budget_of(frame)
        budget.spend(cost.of(arguments))
        if takes_budget:
            return function(budget, *arguments)
        result = function(*arguments)
        _spend_result(budget, result)
        return result

    def _resolve(self, classes: tuple[type, ...], arguments: tuple[Value, ...]) -> Implementation:
        for overload in self._overloads:
            if all(map(_guard(self._libraries, overload), overload.parameters, arguments)):
                found = implementation(self._libraries, overload)
                if self._is_cacheable:
                    self._cached[classes] = found
                return found
        raise no_such_overload(self.name, *map(type_name, arguments))


def _spend_result(budget: Budget, result: Value) -> None:
    """Charge for the result of a function without a budget, which is hardly larger than its arguments."""
    kind = result.__class__
    if kind is str or kind is bytes:
        if len(result) > _SMALL:  # type: ignore[arg-type] # a text
            budget.spend_text(len(result), is_ascii=result.isascii())  # type: ignore[arg-type, attr-defined]
    elif (kind is list or kind is dict) and len(result) > _SMALL:  # type: ignore[arg-type] # a list or a map
        budget.spend(len(result))  # type: ignore[arg-type]


def _has_concrete_part(parameter: Type) -> bool:
    return any(not _takes_anything(part) for part in parameter.parameters)


def _takes_anything(parameter: Type) -> bool:
    return parameter.is_dynamic or parameter.kind is Kind.TYPE_PARAMETER


def _accepts(parameter: Type, value: Value) -> bool:
    if _takes_anything(parameter):
        return True
    if parameter.name != type_name(value):
        return False
    if not _has_concrete_part(parameter):
        return True
    if is_list(value):
        return not len(value) or _accepts(parameter.parameters[0], value[0])
    if is_map(value):
        return all(all(map(_accepts, parameter.parameters, entry)) for entry in entries(value))
    return True


def _is_of_type(parameter: Type, value: Value) -> bool:
    return _takes_anything(parameter) or parameter.name == type_name(value)


def _guard(libraries: Libraries, overload: Overload) -> Callable[[Type, Value], bool]:
    """Return the predicate for values that fit a parameter; cel-go sometimes ignores elements of lists and maps."""
    module = import_module(libraries.owner_of(overload).functions_module)
    return _is_of_type if overload.id in getattr(module, "UNGUARDED", ()) else _accepts


def implementation(libraries: Libraries, overload: Overload) -> Implementation:
    """Return the implementation of an overload; imports the module with the functions of its library."""
    module = import_module(libraries.owner_of(overload).functions_module)
    cost = getattr(module, "COSTS", {}).get(overload.id, LOOKING)
    return module.IMPLEMENTATIONS[overload.id], overload.id in getattr(module, "BUDGETED", ()), cost


@lru_cache(maxsize=1024)  # looked up for each call in an expression
def function(libraries: Libraries, name: str, count: int) -> Function | None:
    """Return the function with that name for `count` arguments, the receiver included; None if there is none."""
    declaration = libraries.functions.get(name)
    if declaration is None:
        return None
    return Function(libraries, name, tuple(each for each in declaration.overloads if len(each.parameters) == count))


@lru_cache(maxsize=1024)  # looked up for each call
def single_overload(libraries: Libraries, name: str, overload: Overload) -> Function:
    """Return the function with only the overload that its check has found."""
    return Function(libraries, name, (overload,))


def variable_value(libraries: Libraries, name: str) -> Value:
    """Return the value that a library gives a variable, MISSING if none does; imports the library's functions."""
    owner = libraries.owner_of_variable(name)
    return MISSING if owner is None else import_module(owner.functions_module).VARIABLES[name]


def struct_maker(libraries: Libraries, name: str) -> StructMaker | None:
    """Return the maker of a struct's values, None if no library has one; imports the library's functions."""
    owner = libraries.owner_of_struct(name)
    maker: StructMaker | None = (
        getattr(import_module(owner.functions_module), "STRUCTS", {}).get(name) if owner else None
    )
    return maker


def compile_call(called: Function, arguments: list[Evaluate], start: int, end: int) -> Evaluate:
    """Return the call of a function with these arguments; errors of its own get the place `[start, end)`."""
    call = called.call
    if len(arguments) == 1:
        (only,) = arguments

        def call_one(frame: Frame) -> Value:
            value = only(frame)
            try:
                return call(frame, value)
            except EvaluationError as error:
                error.at(start, end)
                raise

        return call_one

    def call_many(frame: Frame) -> Value:
        values = [argument(frame) for argument in arguments]
        try:
            return call(frame, *values)
        except EvaluationError as error:
            error.at(start, end)
            raise

    return call_many
