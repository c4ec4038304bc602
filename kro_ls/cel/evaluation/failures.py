"""What ends an evaluation early: an error with the place of the sub-expression that failed, or the budget of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any

DEFAULT_STEPS: Final = 5_000_000
"""Steps an evaluation may take: about half a second, far more than an expression in a resource needs."""

LONGEST_TEXT: Final = 3 * 2**19
"""The most characters or bytes that a text may have: an object of Kubernetes has no room for a longer one."""

_MOST_CACHED: Final = 16

T = TypeVar("T")

WHAT_STEPS_ARE: Final = "operations, loop turns, and elements and characters of values"


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
        """Set the place of the failure, unless it is set already."""
        if self.start < 0:
            self.start, self.end = start, end


class BudgetError(EvaluationError):
    """The evaluation would take too long or make values too large. No operator absorbs this error."""


class Budget:
    """The steps that an evaluation may take; see `costs` for the cost of each operation."""

    __slots__ = ("_cached", "remaining", "steps")

    def __init__(self, steps: int = DEFAULT_STEPS) -> None:
        self.steps = steps
        self.remaining = steps
        self._cached: dict[Hashable, Any] = {}

    def spend(self, amount: int) -> None:
        """Spend steps before the work is done. Raises BudgetError if fewer are left."""
        self.remaining -= amount
        if self.remaining < 0:
            raise BudgetError(
                f"evaluation stopped: the expression takes more than {self.steps} steps ({WHAT_STEPS_ARE})"
            )

    def cached(self, key: Hashable, make: Callable[[], T], cost: int) -> T:
        """Return the result of `make`, charged for unless it is cached. Raises BudgetError and what `make` raises."""
        if key in self._cached:
            found: T = self._cached.pop(key)
        else:
            self.spend(cost)
            found = make()
        self._cached[key] = found
        if len(self._cached) > _MOST_CACHED:
            del self._cached[next(iter(self._cached))]
        return found

    def spend_text(self, length: int, *, is_ascii: bool) -> None:
        """Spend the steps of making a text, one for 16 bytes. Raises BudgetError also if it would be too long."""
        if length > LONGEST_TEXT:
            raise BudgetError(f"evaluation stopped: a text would have more than {LONGEST_TEXT} characters")
        self.spend(length >> (4 if is_ascii else 2))


def no_such_overload(function: str = "", *type_names: str) -> EvaluationError:
    """Return the error of a call whose arguments fit no signature; operators have no name in it."""
    detail = f": {function}({', '.join(type_names)})" if function else ""
    return EvaluationError(f"no such overload{detail}")


def succeeds(read: Callable[[str], object]) -> Callable[[str], bool]:
    """Return the test of whether a function that reads a text raises no EvaluationError."""

    def test(text: str) -> bool:
        try:
            read(text)
        except EvaluationError:
            return False
        return True

    return test
