"""Types and type errors of CEL in plain words, for people; the errors have cel-go's own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.cel.syntax import ast
from kro_ls.cel.types.check_result import ErrorKind
from kro_ls.cel.types.types import Kind, checker_name
from kro_ls.openapi.cel_types import TYPE_NAME_PREFIX

if TYPE_CHECKING:
    from kro_ls.cel.types.check_result import CheckError
    from kro_ls.cel.types.types import Type

_OPERATORS: Final = frozenset(value for name, value in vars(ast.Operator).items() if name.isupper())


def type_name(type_: Type) -> str:
    """Return a type in CEL's words: `list(object)` for a list of objects, for which kro invents a name."""
    if type_.kind is Kind.STRUCT and type_.name.startswith(TYPE_NAME_PREFIX):
        return "object"
    if not type_.parameters:
        return checker_name(type_)
    name = "optional" if type_.is_optional else type_.name
    return f"{name}({', '.join(map(type_name, type_.parameters))})"


def plain(error: CheckError, text: str) -> str:
    """Return an error in an expression with this text as a short sentence."""
    written = text[error.start : error.end]
    match error.kind:
        case ErrorKind.UNDECLARED_NAME:
            return f"unknown name '{written}'"
        case ErrorKind.UNDECLARED_FUNCTION:
            return f"unknown function '{written}'"
        case ErrorKind.UNDEFINED_FIELD:
            return f"unknown field '{written.strip('`')}'"
        case ErrorKind.UNSELECTABLE | ErrorKind.UNKNOWN_STRUCT:
            holder = type_name(error.types[0]) if error.types else "this value"
            return f"'{written.strip('`')}' cannot be read: {holder} has no fields"
        case ErrorKind.NO_OVERLOAD:
            return _no_overload(error)
        case ErrorKind.TYPE_MISMATCH:
            expected, actual = error.types
            return f"expected {type_name(expected)}, but this is {type_name(actual)}"
        case ErrorKind.NOT_A_RANGE:
            return f"a macro needs a list or a map, but this is {type_name(error.types[0])}"
        case ErrorKind.STRUCT_LITERAL:
            return f"'{written}' is not a type of which kro can make a value"
        case ErrorKind.UNDEFINED_TYPE:
            return f"'{written}' holds a type; kro cannot use types as the variables of macros"
    return f"this format does not fit; {error.message.rpartition(': ')[2]}".replace('"', "'")


def _no_overload(error: CheckError) -> str:
    """Return which types do not fit a function, or an operator as it is written."""
    types = tuple(map(type_name, error.types))
    if not isinstance(error.node, ast.Call):
        return f"this does not work with {' and '.join(types)}"
    name = error.node.function
    if error.node.target is not None:
        return f"'{name}' does not work on {types[0]}" + (f" with ({', '.join(types[1:])})" if types[1:] else "")
    if name in _OPERATORS:
        return f"'{name.replace('_', ' ').strip(' @')}' does not work on {' and '.join(types)}"
    return f"'{name}' does not take ({', '.join(types)})"
