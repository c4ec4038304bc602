"""Checks CEL as it is put together, with the names that a composition has at that moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.authoring.compositions import cel_text
from kro_ls.authoring.compositions.problems import CompositionError, UnknownFieldError, WrongTypeError
from kro_ls.cel.syntax.identifiers import RESERVED_WORDS, escape
from kro_ls.cel.types.checker import check
from kro_ls.cel.types.types import DYN, Kind, Type
from kro_ls.cel.types.types import checker_name as type_name
from kro_ls.kro.environment import parse
from kro_ls.spelling import similar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kro_ls.authoring.compositions.cel_text import CelText
    from kro_ls.authoring.compositions.composing import Composing


def checked_type(cel: CelText, composing: Composing, variables: Mapping[str, Type]) -> Type:
    """Return the type of an expression. Raises WrongTypeError with the checker's message."""
    parsed = parse(cel.text)
    if not parsed.is_valid:
        raise CompositionError(f"'{cel.text}': {parsed.errors[0].hint or parsed.errors[0].message}")
    names = composing.environment  # and the visible variables of loops
    result = check(parsed.root, names.extend(variables) if variables else names)
    if result.errors:
        raise WrongTypeError(_explained(cel.text, composing, variables, result.errors[0].message))
    return result.type


def selected_field(
    operand: CelText, type_: Type, name: str, composing: Composing, variables: Mapping[str, Type]
) -> tuple[CelText, Type]:
    """Return the text that reads a field of a value, and its type. Raises UnknownFieldError, and NotInCelError."""
    if type_.kind is Kind.STRUCT:
        selected = cel_text.property_of(operand, name) or cel_text.member(operand, name)
        found = composing.environment.field_type(type_.name, _escaped(name))
        if found is None:
            raise UnknownFieldError(_unknown(selected, name, type_, composing, variables))
        return selected, found
    selected = cel_text.member(operand, name)
    if type_.kind is Kind.MAP:
        return selected, type_.parameters[1]
    if type_.is_dynamic or type_.kind is Kind.ERROR:
        return selected, DYN
    if type_.is_optional:
        return selected, checked_type(selected, composing, variables)
    raise UnknownFieldError(f"'{operand.text}' has no '{name}': it is {_described(type_)}; {instead_of(name)}")


def _escaped(name: str) -> str:
    return name if name in RESERVED_WORDS else escape(name) or name


def _unknown(selected: CelText, name: str, type_: Type, composing: Composing, variables: Iterable[str]) -> str:
    struct = composing.environment.find_struct(type_.name)
    close = similar(name, tuple(struct.fields)) if struct else ()
    meant = f"; did you mean '{close[0]}'?" if close else ""
    return _explained(selected.text, composing, variables, f"unknown field '{name}'{meant}")


def _explained(code: str, composing: Composing, variables: Iterable[str], message: str) -> str:
    """Return an expression with the message of the rules for it, else with the given one."""
    return f"'{code}': {composing.explained(composing, code, variables) or message}"


def _described(type_: Type) -> str:
    if type_.kind is Kind.LIST:
        return "a list or collection"
    return f"of type {type_name(type_)}"


_TEXTS: Final = {
    "lower": "lowerAscii(x)",
    "upper": "upperAscii(x)",
    "startswith": "startsWith(x, ...)",
    "endswith": "endsWith(x, ...)",
    "strip": "trim(x)",
    "find": "indexOf(x, ...)",
    "index": "indexOf(x, ...)",
    "rfind": "lastIndexOf(x, ...)",
    "replace": "replace(x, ..., ...)",
    "split": "split(x, ...)",
    "join": "join(list, x)",
    "format": "format(text, [...])",
    "removeprefix": "replace(x, ..., '')",
    "encode": "bytes(x)",
    "total_seconds": "getSeconds(x)",
    "count": "size(...) of a comprehension with if",
    "sort": "sort(x)",
    "is_integer": "int(x)",
}
_FIELDS: Final = "a field of each item is read in a comprehension: [item.{0} for item in each(x)]"


def instead_of(name: str) -> str:
    """Return what to write instead of selecting a name of a text, a number or a list."""
    function = _TEXTS.get(name)
    return f"write cel.{function}" if function else _FIELDS.format(name)
