"""How much one preview may do, over all of its expressions and passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.cel.evaluation.errors import Budget, BudgetError

if TYPE_CHECKING:
    from kro_ls.runtime.expressions import CompiledExpression

PREVIEW_STEPS: Final = 3_000_000
"""Steps of all evaluations together: one to two seconds, a hundred times what the largest known definitions take."""


class PreviewCancelledError(Exception):
    """Nobody waits for the preview any more."""


class PreviewBudget(Budget):
    """The steps of a preview. It remembers which expressions use them up, and can be cancelled from another thread."""

    __slots__ = ("_current", "_since", "_used", "is_cancelled")

    def __init__(self, steps: int = PREVIEW_STEPS) -> None:
        super().__init__(steps)
        self.is_cancelled = False
        self._used: dict[CompiledExpression, int] = {}
        self._current: CompiledExpression | None = None
        self._since = steps

    def begin(self, expression: CompiledExpression) -> None:
        """Count what is spent from now on for an expression."""
        self._count()
        self._current = expression

    def check(self) -> None:
        """Raise PreviewCancelledError where the preview was cancelled."""
        if self.is_cancelled:
            raise PreviewCancelledError

    def spend(self, amount: int) -> None:
        """Use up some of it. Raises BudgetError when that is more than is left, and PreviewCancelledError."""
        self.check()
        self.remaining -= amount
        if self.remaining < 0:
            raise BudgetError(self._explanation())

    def _count(self) -> None:
        if self._current is not None:
            self._used[self._current] = self._used.get(self._current, 0) + self._since - max(self.remaining, 0)
        self._since = max(self.remaining, 0)

    def _explanation(self) -> str:
        self._count()
        text = f"the preview was stopped after {self.steps} steps (loop turns, and elements and characters of values)"
        if not self._used:
            return text
        costliest = max(self._used, key=lambda each: self._used[each])
        share = 100 * self._used[costliest] // self.steps
        return f"{text}; {share}% of them took {costliest.quoted} of {costliest.owner}"
