"""Folds what needs nothing of the cluster: a call whose arguments are constants becomes its value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kro_ls.authoring.compositions.problems import WrongTypeError
from kro_ls.cel.evaluation.failures import EvaluationError
from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.types.checker import check
from kro_ls.cel.types.types import Kind
from kro_ls.kro.conversion import to_json
from kro_ls.kro.environment import LIBRARIES, base_environment, parse

if TYPE_CHECKING:
    from kro_ls.cel.types.types import Type

_PLAIN: Final = frozenset({Kind.BOOL, Kind.INT, Kind.DOUBLE, Kind.STRING, Kind.LIST, Kind.MAP})
"""The types whose values are those of Python; a list or map must hold such values."""


def can_fold(type_: Type) -> bool:
    """Whether the values of a type are values of Python as well."""
    return type_.kind in _PLAIN and not type_.nullable and all(map(can_fold, type_.parameters))


def folded(code: str) -> Any:
    """Return the value of an expression that reads no names. Raises WrongTypeError where it has none."""
    root = parse(code).root
    try:
        return to_json(compile_program(root, LIBRARIES, check(root, code, base_environment())).evaluate({}))
    except EvaluationError as error:
        raise WrongTypeError(f"'{code}' has no value: {error}") from error
