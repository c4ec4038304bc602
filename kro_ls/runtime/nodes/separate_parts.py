"""A text whose expressions are evaluated one by one, as kro did before 0.9.0.

Source: kro `pkg/runtime/resolver` and `pkg/cel/conversions.go` at 0.8.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cel.evaluation.failures import EvaluationError
from kro_ls.cel.evaluation.values import Optional
from kro_ls.kro.conversion import to_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.cel.evaluation.failures import Budget
    from kro_ls.cel.evaluation.program import Program
    from kro_ls.cel.evaluation.values import Value

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
