"""Checks CEL as it is put together, with the names that a composition has at that moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.authoring.compositions import cel_text
from kro_ls.authoring.compositions.problems import CompositionError, UnknownFieldError, WrongTypeError
from kro_ls.cel.syntax.identifiers import RESERVED_WORDS, escape
from kro_ls.cel.types.checker import check
from kro_ls.cel.types.types import DYN, Kind, Type
from kro_ls.kro.environment import parse
from kro_ls.spelling import similar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.authoring.compositions.cel_text import CelText
    from kro_ls.authoring.compositions.composing import Composing
    from kro_ls.cel.types.environment import Environment


def environment_with(composing: Composing, variables: Mapping[str, Type]) -> Environment:
    """Return what the names mean where some variables of loops are visible."""
    return composing.environment.extend(variables) if variables else composing.environment


def checked_type(cel: CelText, composing: Composing, variables: Mapping[str, Type]) -> Type:
    """Return the type of an expression. Raises WrongTypeError with what the checker says."""
    parsed = parse(cel.text)
    if parsed.errors:
        raise CompositionError(f"'{cel.text}': {parsed.errors[0].hint or parsed.errors[0].message}")
    result = check(parsed.root, cel.text, environment_with(composing, variables))
    if result.errors:
        raise WrongTypeError(f"'{cel.text}': {result.errors[0].message}")
    return result.type


def selected_field(operand: CelText, type_: Type, name: str, composing: Composing) -> tuple[CelText, Type]:
    """Return the text that reads a field of a value, and its type. Raises UnknownFieldError."""
    if type_.kind is Kind.STRUCT:
        selected = cel_text.property_of(operand, name)
        found = composing.environment.field_type(type_.name, _escaped(name)) if selected else None
        if selected is None or found is None:
            raise UnknownFieldError(f"'{operand.text}' has no field '{name}'{_meant(type_, name, composing)}")
        return selected, found
    if type_.kind is Kind.MAP:
        return cel_text.member(operand, name), type_.parameters[1]
    if type_.is_dynamic or type_.kind is Kind.ERROR:
        return cel_text.member(operand, name), DYN
    selected = cel_text.member(operand, name)
    return selected, checked_type(selected, composing, {})


def _escaped(name: str) -> str:
    return name if name in RESERVED_WORDS else escape(name) or name


def _meant(type_: Type, name: str, composing: Composing) -> str:
    struct = composing.environment.find_struct(type_.name)
    close = similar(name, tuple(struct.fields)) if struct else ()
    return f"; did you mean '{close[0]}'?" if close else ""
