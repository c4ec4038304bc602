"""The state of a running expression: the values of the variables by name, and the budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from kro_ls.cel.evaluation.costs import of_text
from kro_ls.cel.evaluation.values import Value

if TYPE_CHECKING:
    from kro_ls.cel.evaluation.failures import Budget

Frame: TypeAlias = dict[str, Value]
"""Global variables under their names, those of macros under names that no global variable can have."""

Evaluate: TypeAlias = Callable[[Frame], Value]
"""A compiled sub-expression. Raises EvaluationError."""

StructMaker: TypeAlias = "Callable[[Budget, dict[str, Any]], Value]"
"""What makes the value of a struct from its fields, which its check has found to be right. Raises EvaluationError."""

BUDGET: Final = "@budget"


def budget_of(frame: Frame) -> Budget:
    """Return the budget of the evaluation."""
    return cast("Budget", frame[BUDGET])


def spend_key(frame: Frame, key: Value) -> None:
    """Charge for looking up a key, which is compared with one of the map's."""
    if key.__class__ is str:
        budget_of(frame).spend(of_text(len(key)))
