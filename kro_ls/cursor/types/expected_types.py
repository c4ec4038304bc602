"""Which types fit where a part of an expression stands, for ranking what can be typed there."""

from __future__ import annotations

from enum import IntEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from kro_ls.analysis.model.model import Resource
from kro_ls.analysis.types.template import expected_type
from kro_ls.cel.library.comprehensions import BIND, TRANSFORM_MAP
from kro_ls.cel.syntax import ast
from kro_ls.cel.syntax.ast import Operator
from kro_ls.cel.types.types import BOOL, DYN, INT, STRING, Kind, Type, list_type
from kro_ls.cel.types.unification import TypeVariables
from kro_ls.cursor.types.typed_expression import unwrapped
from kro_ls.kro.environment import MACROS
from kro_ls.kro.library import CONDITION
from kro_ls.kro.places import Place

if TYPE_CHECKING:
    from kro_ls.analysis.model.paths import Path
    from kro_ls.cel.syntax.ast import Node
    from kro_ls.cel.types.declarations import FunctionDeclaration, Overload
    from kro_ls.cursor.parts import PlacedPart
    from kro_ls.cursor.types.typed_expression import TypedExpression

_LOGICAL = frozenset({Operator.AND, Operator.OR, Operator.NOT})
_CONTAINERS = frozenset({Kind.STRUCT, Kind.LIST, Kind.MAP})


class Fit(IntEnum):
    """How well a value fits, best first: by its type; perhaps, by what can be selected from it; not at all."""

    FITS = 0
    LEADS_ON = 1
    UNFIT = 2


def fit(type_: Type, expected: tuple[Type, ...]) -> Fit:
    """Return how well a value of a type fits where one of some types is expected; anything fits where none is."""
    if not expected:
        return Fit.FITS
    inner = unwrapped(type_)
    if inner.is_dynamic or inner.kind is Kind.ERROR or inner is not type_:
        return Fit.LEADS_ON
    if any(_takes(each, type_) for each in expected):
        return Fit.FITS
    # Anything can be compared.
    return Fit.LEADS_ON if type_.kind in _CONTAINERS or BOOL in expected else Fit.UNFIT


def _takes(expected: Type, given: Type) -> bool:
    # A struct is named by its declaration, while kro compares the fields, some of which may agree.
    both_structs = expected.kind is given.kind is Kind.STRUCT
    return both_structs or TypeVariables().assign(expected, given)


def expected_in_place(owner: PlacedPart, place: Place, path: Path, *, standalone: bool) -> Type:
    """Return the type that the expression at a path of the template must have; dyn where anything goes."""
    if place in (Place.INCLUDE_WHEN, Place.READY_WHEN):
        return BOOL
    if place is Place.FOR_EACH:
        return list_type(DYN)
    if place is Place.CONDITION:
        return CONDITION
    if not standalone or place is Place.EXTERNAL_REFERENCE:
        return STRING
    if place is Place.TEMPLATE and isinstance(owner.part, Resource):
        return expected_type(owner.part.id or "", owner.rgd.kind(owner.part), path)
    return DYN


def expected_types(typed: TypedExpression, offset: int, whole: Type) -> tuple[Type, ...]:
    """Return the types that fit the innermost part at an offset; nothing where anything goes.

    `whole` is the type of the whole text.
    """
    expected = _usable(whole)
    macro: ast.MacroCall | None = None
    for parent, child in pairwise(typed.nodes_touching(offset)):
        if isinstance(parent, ast.MacroCall):
            macro = parent
        elif isinstance(parent, ast.Call):
            is_macro = macro is not None and macro.call is parent
            expected = _in_macro(parent, child, expected) if is_macro else _in_call(typed, parent, child, expected)
        elif isinstance(parent, ast.ListLiteral):
            expected = tuple(each.parameters[0] for each in expected if each.kind is Kind.LIST)
        elif isinstance(parent, ast.MapLiteral):
            is_value = any(entry.value is child for entry in parent.entries)
            expected = tuple(each.parameters[is_value] for each in expected if each.kind is Kind.MAP)
        else:
            expected = ()
    return tuple(type_ for each in expected for type_ in _usable(each))


def _usable(type_: Type) -> tuple[Type, ...]:
    useless = type_.is_dynamic or type_.kind in (Kind.ERROR, Kind.TYPE_PARAMETER)
    return () if useless else (type_,)


def _in_macro(call: ast.Call, child: Node, expected: tuple[Type, ...]) -> tuple[Type, ...]:
    macro = MACROS.get(call.function)
    names = macro.form(len(call.arguments)) if macro else ()
    match next((name for name, argument in zip(names, call.arguments, strict=False) if argument is child), ""):
        case "predicate":
            return (BOOL,)
        case "transform" if macro is TRANSFORM_MAP:
            return tuple(each.parameters[1] for each in expected if each.kind is Kind.MAP)
        case "transform":
            return tuple(each.parameters[0] for each in expected if each.kind is Kind.LIST)
        case "expression" if macro is BIND:
            return expected
    return ()


def _in_call(typed: TypedExpression, call: ast.Call, child: Node, expected: tuple[Type, ...]) -> tuple[Type, ...]:
    if child is call.target:
        return ()
    position = next(number for number, argument in enumerate(call.arguments) if argument is child)
    if call.target is None and call.function in _LOGICAL:
        return (BOOL,)
    if call.target is None and call.function == Operator.CONDITIONAL:
        return (BOOL,) if position == 0 else expected
    if call.target is None and not call.function.isidentifier():
        return _operand(typed, call, position)
    function = declared_function(typed, call)
    if function is None:
        return ()
    fitting = fitting_overloads(typed, call, function, position)
    parameters = (parameter for _, types in fitting for parameter in types[position : position + 1])
    return tuple(dict.fromkeys(each for parameter in parameters for each in _usable(parameter)))


def _operand(typed: TypedExpression, call: ast.Call, position: int) -> tuple[Type, ...]:
    if len(call.arguments) != 2:
        return ()
    other = typed.type_of(call.arguments[1 - position])
    if call.function in ast.INDICES:
        if position == 0:
            return ()
        other = unwrapped(other)
        return (INT,) if other.kind is Kind.LIST else other.parameters[:1]
    if call.function == Operator.IN:
        return (list_type(other),) if position else other.parameters[:1]
    return (other,)


def declared_function(typed: TypedExpression, call: ast.Call) -> FunctionDeclaration | None:
    """Return the function that a call means, also one in a namespace (`lists.range`)."""
    if isinstance(call.target, ast.Identifier):
        namespaced = typed.environment.find_function(f"{call.target.name}.{call.function}")
        if namespaced:
            return namespaced
    return typed.environment.find_function(call.function)


def fitting_overloads(
    typed: TypedExpression, call: ast.Call, function: FunctionDeclaration, position: int
) -> tuple[tuple[Overload, tuple[Type, ...]], ...]:
    """Return the overloads that take the receiver and the arguments before a position.

    Each comes with the types of its arguments, type parameters replaced where previous arguments determine them.
    """
    is_method = call.target is not None and "." not in function.name
    given = [typed.type_of(call.target)] if call.target is not None and is_method else []
    given += [typed.type_of(argument) for argument in call.arguments[:position]]
    found = []
    for overload in function.overloads:
        variables = TypeVariables()
        taken = overload.parameters[: len(given)]
        if overload.is_member is is_method and variables.assign_all(tuple(given[: len(taken)]), taken):
            parameters = overload.parameters[is_method:]
            found.append((overload, tuple(variables.substitute(parameter) for parameter in parameters)))
    return tuple(found)
