"""Expressions at run time: compiled once per text and types, evaluated at most once per pass.

Before 0.9.0, kro evaluated the expressions of a text one by one (`TextProgram`).
Source: kro `pkg/runtime/{state,eval,runtime}.go`, `pkg/cel/expression.go`; `pkg/runtime/resolver` and
`pkg/cel/conversions.go` at 0.8.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from msgspec import Struct

from kro_ls.cel.evaluation.costs import BudgetError
from kro_ls.cel.evaluation.plain_words import plain_words
from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.evaluation.values import EvaluationError, Optional
from kro_ls.golang.quoting import go_quoted
from kro_ls.kro.conversion import OMIT, of_written, to_json
from kro_ls.kro.environment import LIBRARIES
from kro_ls.kro.krep_2 import places
from kro_ls.openapi.validation.keywords import json_type
from kro_ls.openapi.validation.plain import a_type
from kro_ls.queries.cells import cached
from kro_ls.runtime.nodes.budget import count_for
from kro_ls.runtime.nodes.errors import Cause, ExpressionError
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.names.inspection import Inspection
    from kro_ls.cel.evaluation.costs import Budget
    from kro_ls.cel.evaluation.program import Program
    from kro_ls.cel.evaluation.values import Value
    from kro_ls.cel.types.check_result import CheckResult


_MOST_SHOWN: Final = 60
"""How much of an expression stands in a sentence."""


@cached
def program_of(inspection: Inspection, checked: CheckResult | None) -> Program:
    """Return the program of an expression; `checked` is what its check found, None where it was not checked."""
    return compile_program(inspection.parsed.root, LIBRARIES, checked)


class Evaluable(Protocol):
    """What runs an expression: its program, or what does so in its place."""

    def evaluate(self, variables: Mapping[str, Value], budget: Budget | None = None) -> Value:
        """Return the value. Raises EvaluationError."""


class CompiledExpression:
    """An expression of a node, ready to run. `references` are the names that it is given; none means all there are."""

    __slots__ = ("expression", "owner", "program", "references")

    def __init__(self, expression: Expression, owner: str, references: tuple[str, ...], program: Evaluable) -> None:
        self.expression = expression
        self.owner = owner
        self.references = references
        self.program = program

    @property
    def named(self) -> str:
        """Its name in the message that it takes too long."""
        return f"{self.quoted} of {self.owner}"

    @property
    def quoted(self) -> str:
        """The text as the user wrote it, as kro quotes it."""
        return go_quoted(self.expression.compiled.user_text)

    def value(self, variables: Mapping[str, Value], budget: Budget | None = None) -> Value:
        """Return the value as CEL has it. Raises ExpressionError."""
        count_for(self, budget)
        try:
            return self.program.evaluate(variables, budget)
        except EvaluationError as error:
            raise self._failure("eval", error) from None

    def evaluate(self, variables: Mapping[str, Value], budget: Budget | None = None) -> Any:
        """Return the value as plain data; `omit()` stays in it. Raises ExpressionError.

        A `budget` is shared by several evaluations; without one each has its own.
        """
        value = self.value(variables, budget)
        try:
            return to_json(value, budget)
        except EvaluationError as error:
            raise self._failure("convert", error) from None

    def pay_for_copy(self, written: int, budget: Budget) -> None:
        """Charge for a further object that holds a value of `written` steps. Raises ExpressionError."""
        count_for(self, budget)
        try:
            budget.spend(written)
        except EvaluationError as error:
            raise self._failure("convert", error) from None

    def failure(self, text: str, plain: str = "") -> ExpressionError:
        """Return an error about the value as a whole, in kro's words and for people."""
        return ExpressionError(text, Cause(self.owner, self.expression), plain)

    def _failure(self, what: str, error: EvaluationError) -> ExpressionError:
        cause = Cause(self.owner, self.expression, error.start, error.end)
        plain = f"cannot evaluate '{shortened(cause.failing, _MOST_SHOWN)}': {plain_words(error.message)}"
        if isinstance(error, BudgetError):
            plain = error.message
        return ExpressionError(f"{what} {self.quoted}: {error.message}", cause, plain)


def gives(compiled: CompiledExpression, value: Any, wanted: str) -> str:
    """Return for people that a value has the wrong type; `wanted` is the right one, with its article."""
    expression = compiled.expression
    given = "null" if value is None else a_type("object" if value is OMIT else json_type(value))
    return f"{expression.place.value} must be {wanted}, but '{shortened(expression.text, _MOST_SHOWN)}' is {given}"


class _Evaluation:
    """The value of a text in a pass. As in kro, its first use decides which names it is given."""

    __slots__ = ("first", "number", "value", "written")

    def __init__(self, first: CompiledExpression) -> None:
        self.first = first
        self.number = -1
        self.value: Any = None
        self.written = 0
        """The steps of writing the value into an object."""


class SharedExpression:
    """One use of a text that is evaluated once in a pass; a value is cached, an error is tried again."""

    __slots__ = ("_evaluation", "_shared", "compiled")

    def __init__(self, compiled: CompiledExpression, evaluation: _Evaluation, shared: SharedExpressions) -> None:
        self.compiled = compiled
        self._evaluation = evaluation
        self._shared = shared

    @property
    def references(self) -> tuple[str, ...]:
        """The names that the text is given; none means all there are."""
        return self._evaluation.first.references

    def evaluate(self, variables: Mapping[str, Value]) -> Any:
        """Return the value as plain data. Raises ExpressionError, about this use of the text."""
        evaluation = self._evaluation
        if evaluation.number != self._shared.number:
            if self.references:
                variables = {name: variables[name] for name in self.references if name in variables}
            evaluation.value = self.compiled.evaluate(variables, self._shared.budget)
            evaluation.written = of_written(evaluation.value)
            evaluation.number = self._shared.number
        else:
            self.pay_for_copy()
        return evaluation.value

    def pay_for_copy(self) -> None:
        """Charge for the value in a further object: evaluating it charged for the first. Raises ExpressionError."""
        if self._evaluation.written and self._shared.budget is not None:
            self.compiled.pay_for_copy(self._evaluation.written, self._shared.budget)

    def evaluate_bool(self, variables: Mapping[str, Value]) -> bool:
        """Return the value, null as false. Raises ExpressionError, also where it is not a bool."""
        value = self.evaluate(variables)
        if value is None:
            return False
        if not isinstance(value, bool):
            text = f"expression {self.compiled.quoted} did not return bool"
            raise self.compiled.failure(text, gives(self.compiled, value, "a bool"))
        return value

    def evaluate_items(self, variables: Mapping[str, Value], *, by_place: bool) -> list[Any]:
        """Return the items of a list, or with `by_place` the places in a list or map, which `each` of KREP-2 is.

        Raises ExpressionError, also for any other value.
        """
        value = self.evaluate(variables)
        items = places(value) if by_place else value
        if isinstance(items, list):
            return items
        wanted = "a list or a map" if by_place else "a list"
        what = "returned null, expected list" if value is None and not by_place else f"did not return {wanted}"
        raise self.compiled.failure(f"expression {self.compiled.quoted} {what}", gives(self.compiled, value, wanted))


class SharedExpressions:
    """The evaluations of one pass after the other, all within one budget where there is one."""

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget
        self.number = 0
        self._by_text: dict[str, _Evaluation] = {}

    def begin(self) -> None:
        """Drop all values."""
        self.number += 1

    def share(self, compiled: CompiledExpression) -> SharedExpression:
        """Return a use of the expression's text."""
        evaluation = self._by_text.setdefault(compiled.expression.text, _Evaluation(compiled))
        return SharedExpression(compiled, evaluation, self)

    def alone(self, compiled: CompiledExpression) -> SharedExpression:
        """Return a use that shares its value with no other."""
        return SharedExpression(compiled, _Evaluation(compiled), self)


_NIL = "<nil>"
"""Go's text for nil."""


class TextProgram(Struct, frozen=True, eq=False):
    """The programs of a text's expressions, each with the span of the text that its value takes the place of.

    `starts` are where they begin in the CEL text of the whole.
    """

    text: str
    parts: tuple[tuple[int, int, Program], ...]
    starts: tuple[int, ...]

    def evaluate(self, variables: Mapping[str, Value], budget: Budget | None = None) -> Value:
        """Return the text with the values in it. Raises EvaluationError."""
        found, position = [], 0
        for (start, end, program), offset in zip(self.parts, self.starts, strict=True):
            try:
                value = _printed(program.evaluate(variables, budget), budget)
            except EvaluationError as error:
                error.start, error.end = error.start + offset, error.end + offset
                raise
            found += [self.text[position:start], value]
            position = end
        found.append(self.text[position:])
        if budget is not None:
            budget.spend_text(sum(map(len, found)), is_ascii=all(map(str.isascii, found)))
        return "".join(found)


def text_program(whole: Expression, programs: Sequence[Program]) -> TextProgram:
    """Return the program of a text that has been joined to one expression; `programs` are those of its parts."""
    pieces = [piece for piece in whole.compiled.pieces if piece.exact]
    around = len("${"), len("}")
    return TextProgram(
        whole.scalar.text,
        tuple(
            (piece.value.start - around[0], piece.value.end + around[1], program)
            for piece, program in zip(pieces, programs, strict=True)
        ),
        tuple(piece.compiled.start for piece in pieces),
    )


def _printed(value: Value, budget: Budget | None) -> str:
    if isinstance(value, Optional):
        return _printed(value.value, budget) if value.is_present else _NIL
    data = to_json(value, budget)
    if data is None:
        return _NIL
    return str(data).lower() if isinstance(data, bool) else str(data)
