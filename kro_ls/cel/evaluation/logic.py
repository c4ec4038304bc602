"""The operators as closures: logic that absorbs errors, comparisons and arithmetic with their common cases first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.cel.evaluation import operators
from kro_ls.cel.evaluation.costs import (
    ELEMENT,
    ERROR,
    READ,
    BudgetError,
    Evaluate,
    Frame,
    budget_of,
    of_text,
    spend_key,
)
from kro_ls.cel.evaluation.operators import compare, equal, is_equal, is_nan, is_ordered, value_equals
from kro_ls.cel.evaluation.values import (
    MAX_INT,
    MIN_INT,
    MISSING,
    EvaluationError,
    ListValue,
    Value,
    find,
    is_list,
    is_map,
    no_such_overload,
    type_name,
)
from kro_ls.cel.syntax.ast import Call, Operator

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kro_ls.cel.evaluation.costs import Budget
    from kro_ls.cel.syntax.ast import Node

_SAME_CLASS: Final = frozenset({str, int, bool, bytes})
_SHORT: Final = 64
"""The length up to which comparing a text is not charged."""


def compile_logical(left: Evaluate, right: Evaluate, *, absorbing: bool, node: Node) -> Evaluate:
    """Return `left || right` (`absorbing` is true) or `left && right` (false): that value on a side decides alone."""
    start, end = node.start, node.end
    other = not absorbing

    def decide(frame: Frame) -> Value:
        failure: EvaluationError | None = None
        try:
            value = left(frame)
        except BudgetError:
            raise
        except EvaluationError as error:
            failure = error
        else:
            if value is absorbing:
                return absorbing
            if value is not other:
                failure = EvaluationError("no such overload", start, end)
        if failure is None:
            value = right(frame)
            if value is absorbing or value is other:
                return value
            raise EvaluationError("no such overload", start, end)
        budget_of(frame).spend(ERROR)
        try:
            value = right(frame)
        except BudgetError:
            raise
        except EvaluationError:
            raise failure from None
        if value is absorbing:
            return absorbing
        raise failure

    return decide


def compile_conditional(condition: Evaluate, then: Evaluate, otherwise: Evaluate, node: Node) -> Evaluate:
    """Return `condition ? then : otherwise`; only the chosen side is computed."""
    start, end = node.start, node.end

    def choose(frame: Frame) -> Value:
        chosen = condition(frame)
        if chosen is True:
            return then(frame)
        if chosen is False:
            return otherwise(frame)
        raise EvaluationError("no such overload", start, end)

    return choose


def _equality(wanted: bool) -> Callable[[Evaluate, Evaluate, Node], Evaluate]:
    def compile_equality(left: Evaluate, right: Evaluate, node: Node) -> Evaluate:
        start, end = node.start, node.end

        def same(frame: Frame) -> Value:
            one, other = left(frame), right(frame)
            kind = one.__class__
            if kind is other.__class__ and kind in _SAME_CLASS:
                if (kind is str or kind is bytes) and len(one) > _SHORT:  # type: ignore[arg-type] # a text
                    budget_of(frame).spend(of_text(len(one)))  # type: ignore[arg-type]
                return (one == other) is wanted
            try:
                return equal(one, other, budget_of(frame)) is wanted
            except EvaluationError as error:
                if not wanted and not isinstance(error, BudgetError):
                    budget_of(frame).spend(ERROR)
                    return True  # what cannot be compared is not equal
                error.at(start, end)
                raise

        return same

    return compile_equality


def _binary(compute: Callable[[Value, Value, Frame], Value]) -> Callable[[Evaluate, Evaluate, Node], Evaluate]:
    """Return the compiler of an operator that computes both sides."""

    def compile_binary(left: Evaluate, right: Evaluate, node: Node) -> Evaluate:
        start, end, operator = node.start, node.end, node.function if isinstance(node, Call) else ""

        def apply(frame: Frame) -> Value:
            one, other = left(frame), right(frame)
            try:
                return compute(one, other, frame)
            except EvaluationError as error:
                error.at(start, end)
                _name_operator(error, operator, one)
                raise

        return apply

    return compile_binary


def _name_operator(error: EvaluationError, operator: str, left: Value) -> None:
    """Add the operator to the message if it takes no left value of that type, as cel-go does (`evalBinary`)."""
    supported = _LEFT_TYPES.get(operator)
    if supported is not None and error.message == str(no_such_overload()) and type_name(left) not in supported:
        error.message = f"{error.message}: {operator}"


_RECEIVERS: Final = frozenset({"string", "google.protobuf.Duration", "google.protobuf.Timestamp"})
"""Types with methods: cel-go looks for an operator among them, too, and has a shorter message if there is none."""
_NUMBERS: Final = _RECEIVERS | {"int", "uint", "double"}
_ORDERED_TYPES: Final = _NUMBERS | {"bool", "bytes"}
_LEFT_TYPES: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys((Operator.LESS, Operator.LESS_EQUALS, Operator.GREATER, Operator.GREATER_EQUALS), _ORDERED_TYPES),
    Operator.ADD: _NUMBERS | {"bytes", "list"},
    **dict.fromkeys((Operator.SUBTRACT, Operator.MULTIPLY, Operator.DIVIDE), _NUMBERS),
    Operator.MODULO: _NUMBERS - {"double"},
    Operator.NEGATE: _NUMBERS - {"uint"} | {"bool"},
}
"""The types of left sides that each operator takes, those with methods included."""


def _ordering(holds: Callable[[Value, Value, Budget], Value]) -> Callable[[Value, Value, Frame], Value]:
    """Return the comparison that is false beside NaN, whatever the right side is."""

    def compare_sides(left: Value, right: Value, frame: Frame) -> Value:
        if (is_nan(right) or is_nan(left)) and is_ordered(left):
            return False
        return holds(left, right, budget_of(frame))

    return compare_sides


def _less(left: Value, right: Value, budget: Budget) -> Value:
    if left.__class__ is int and right.__class__ is int:
        return left < right
    return compare(left, right, budget) < 0


def _less_equals(left: Value, right: Value, budget: Budget) -> Value:
    if left.__class__ is int and right.__class__ is int:
        return left <= right
    return compare(left, right, budget) <= 0


def _add(left: Value, right: Value, frame: Frame) -> Value:
    if left.__class__ is int and right.__class__ is int:
        total = left + right
        if MIN_INT <= total <= MAX_INT:
            return total
    return operators.add(left, right, budget_of(frame))


def _in(wanted: Value, container: Value, frame: Frame) -> Value:
    if is_map(container):
        spend_key(frame, wanted)
        return find(container, wanted) is not MISSING
    if isinstance(container, ListValue):
        return _is_in_cluster_list(wanted, container, budget_of(frame))
    if is_list(container):
        budget = budget_of(frame)
        budget.spend(ELEMENT * len(container))
        return any(is_equal(wanted, element, budget) for element in container)
    raise no_such_overload()


def _is_in_cluster_list(wanted: Value, container: ListValue, budget: Budget) -> bool:
    """Return whether a value is in a list; raises the first error of a comparison where none says that it is."""
    budget.spend((ELEMENT + READ) * len(container))
    failure: EvaluationError | None = None
    for element in container:
        try:
            if value_equals(element, wanted, budget):
                return True
        except BudgetError:
            raise
        except EvaluationError as error:
            failure = failure or error
            budget.spend(ERROR)
    if failure is not None:
        raise failure
    return False


BINARY: Final[Mapping[str, Callable[[Evaluate, Evaluate, Node], Evaluate]]] = {
    Operator.EQUALS: _equality(True),
    Operator.NOT_EQUALS: _equality(False),
    Operator.LESS: _binary(_ordering(_less)),
    Operator.LESS_EQUALS: _binary(_ordering(_less_equals)),
    Operator.GREATER: _binary(_ordering(lambda left, right, budget: _less(right, left, budget))),
    Operator.GREATER_EQUALS: _binary(_ordering(lambda left, right, budget: _less_equals(right, left, budget))),
    Operator.IN: _binary(_in),
    Operator.ADD: _binary(_add),
    Operator.SUBTRACT: _binary(lambda left, right, _: operators.subtract(left, right)),
    Operator.MULTIPLY: _binary(lambda left, right, _: operators.multiply(left, right)),
    Operator.DIVIDE: _binary(lambda left, right, _: operators.divide(left, right)),
    Operator.MODULO: _binary(lambda left, right, _: operators.modulo(left, right)),
}
"""Compilers of the operators with two sides, `&&` and `||` aside."""


def _compile_not(operand: Evaluate, node: Node) -> Evaluate:
    start, end = node.start, node.end

    def invert(frame: Frame) -> Value:
        value = operand(frame)
        if value.__class__ is not bool:
            raise EvaluationError("no such overload", start, end)
        return not value

    return invert


def _compile_negate(operand: Evaluate, node: Node) -> Evaluate:
    start, end = node.start, node.end

    def negated(frame: Frame) -> Value:
        value = operand(frame)
        try:
            return operators.negate(value)
        except EvaluationError as error:
            error.at(start, end)
            _name_operator(error, Operator.NEGATE, value)
            raise

    return negated


UNARY: Final[Mapping[str, Callable[[Evaluate, Node], Evaluate]]] = {
    Operator.NOT: _compile_not,
    Operator.NEGATE: _compile_negate,
}
"""Compilers of the operators with one side."""
