"""What stops an evaluation: an error with the place of the sub-expression that failed, and the budget of steps."""

from __future__ import annotations

from typing import Final

DEFAULT_STEPS: Final = 5_000_000
"""Steps an evaluation may take: about a second or two of loops, far more than an expression in a resource needs."""


class EvaluationError(Exception):
    """An expression has no value. `message` is the text of cel-go or of the library that gives up.

    `start` and `end` are 0-based code point offsets of the sub-expression that failed, -1 while it is not known.
    """

    def __init__(self, message: str, start: int = -1, end: int = -1) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end

    def at(self, start: int, end: int) -> None:
        """Say where it happened, unless that is known already."""
        if self.start < 0:
            self.start, self.end = start, end


class BudgetError(EvaluationError):
    """The evaluation is stopped because it would take too long or make values too large. Nothing absorbs it."""


class Budget:
    """How much an evaluation may do: turns of loops, and elements, characters and bytes of the values it makes."""

    __slots__ = ("remaining", "steps")

    def __init__(self, steps: int = DEFAULT_STEPS) -> None:
        self.steps = steps
        self.remaining = steps

    def spend(self, amount: int) -> None:
        """Use up some of it. Raises BudgetError when that is more than is left."""
        self.remaining -= amount
        if self.remaining < 0:
            raise BudgetError(
                f"evaluation stopped: the expression takes more than {self.steps} steps (loop turns, and elements and "
                "characters of the values it makes)"
            )


def no_such_overload(function: str = "", *type_names: str) -> EvaluationError:
    """Return the error of a call whose arguments fit no signature; operators have no name in it."""
    detail = f": {function}({', '.join(type_names)})" if function else ""
    return EvaluationError(f"no such overload{detail}")
