"""`when(...).then(...).otherwise(...)`: a conditional expression of CEL."""

from __future__ import annotations

from typing import Any, Generic, TypeVar, cast

from kro_ls.authoring.compositions import cel_text
from kro_ls.authoring.compositions.built_cel import build, built_of
from kro_ls.authoring.compositions.problems import NotInCelError
from kro_ls.authoring.compositions.reference import Reference
from kro_ls.cel.types.types import DOUBLE

T = TypeVar("T")


def when(condition: bool | int) -> When:
    """Return a choice that needs a value for where the condition holds: `when(c).then(a).otherwise(b)`."""
    return When(condition)


class When:
    """A choice that lacks the value for where its condition holds."""

    def __init__(self, condition: Any) -> None:
        self._condition = condition

    def then(self, value: T) -> Then[T]:
        """Return the choice with what it gives where the condition holds."""
        return Then(((self._condition, value),))

    def __bool__(self) -> bool:
        raise NotInCelError("when(...) is no condition of Python; write when(...).then(...).otherwise(...)")


class Then(Generic[T]):
    """A choice that lacks the value for where no condition holds."""

    def __init__(self, cases: tuple[tuple[Any, T], ...]) -> None:
        self._cases = cases

    def when(self, condition: bool | int) -> AlsoWhen[T]:
        """Return the choice with another condition, for where those before it do not hold."""
        return AlsoWhen(self._cases, condition)

    def otherwise(self, value: T) -> T:
        """Return the value that the choice gives."""
        chosen: Any = value
        for condition, case in reversed(self._cases):
            if isinstance(condition, bool):
                chosen = case if condition else chosen
                continue
            tested, first, second = built_of(condition), built_of(case), built_of(chosen)
            if DOUBLE in (first.type, second.type):
                first, second = built_of(case, DOUBLE), built_of(chosen, DOUBLE)
            text = cel_text.conditional(tested.cel, first.cel, second.cel)
            chosen = Reference(build(text, tested, first, second))
        return cast("T", chosen)

    @property
    def _kro_built(self) -> Any:
        raise NotInCelError("when(...).then(...) lacks .otherwise(...); cel.omit() leaves a field out")


class AlsoWhen(Generic[T]):
    """A choice that lacks the value for where its last condition holds."""

    def __init__(self, cases: tuple[tuple[Any, T], ...], condition: Any) -> None:
        self._cases = cases
        self._condition = condition

    def then(self, value: T) -> Then[T]:
        """Return the choice with what it gives where the condition holds."""
        return Then((*self._cases, (self._condition, value)))
