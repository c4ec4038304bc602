"""The budget of one preview, over all of its expressions and passes."""

from __future__ import annotations

from typing import Final, Protocol

from kro_ls.cel.evaluation.costs import WHAT_STEPS_ARE, Budget, BudgetError

PREVIEW_STEPS: Final = 8_000_000
"""The steps of a whole preview: about a second, fifty times what the largest known definitions take."""


class PreviewCancelledError(Exception):
    """The preview was cancelled."""


class Costly(Protocol):
    """Something that a preview spends time on."""

    @property
    def named(self) -> str:
        """Return the words for it in a message."""


class PreviewBudget(Budget):
    """The steps of a preview. It records what uses them up, and can be cancelled from another thread."""

    __slots__ = ("_current", "_since", "_used", "is_cancelled")

    def __init__(self, steps: int = PREVIEW_STEPS) -> None:
        super().__init__(steps)
        self.is_cancelled = False
        self._used: dict[Costly, int] = {}
        self._current: Costly | None = None
        self._since = steps

    def begin(self, what: Costly) -> None:
        """Count what is spent from now on for something."""
        self._count()
        self._current = what

    def check(self) -> None:
        """Raise PreviewCancelledError where the preview was cancelled."""
        if self.is_cancelled:
            raise PreviewCancelledError

    def spend(self, amount: int) -> None:
        """Use up some of it. Raises BudgetError when that is more than is left, and PreviewCancelledError."""
        if self.is_cancelled:
            raise PreviewCancelledError
        self.remaining -= amount
        if self.remaining < 0:
            raise BudgetError(self._explanation())

    def _count(self) -> None:
        if self._current is not None:
            self._used[self._current] = self._used.get(self._current, 0) + self._since - max(self.remaining, 0)
        self._since = max(self.remaining, 0)

    def _explanation(self) -> str:
        self._count()
        text = f"the preview was stopped after {self.steps} steps ({WHAT_STEPS_ARE})"
        if not self._used:
            return text
        costliest = max(self._used, key=lambda each: self._used[each])
        share = 100 * self._used[costliest] // self.steps
        return f"{text}; {share}% of them took {costliest.named}"


def count_for(what: Costly, budget: Budget | None) -> None:
    """Count what is spent from now on for something, where the budget is that of a preview."""
    if isinstance(budget, PreviewBudget):
        budget.begin(what)
