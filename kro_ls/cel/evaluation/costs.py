"""What evaluating costs, in steps. A step stands for about a tenth of a microsecond.

Everything is charged before it is done, from what is known by then: a sub-expression by its nodes, a turn of a loop by
those of its body, a call by the cost that its library declares and by the sizes of its arguments, a text by its length.
What depends on more, such as how deep a value is, the function itself charges as it goes. The frame of a running
expression carries the budget, and exceeding it ends the evaluation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

from msgspec import Struct

from kro_ls.cel.evaluation.values import EvaluationError, ListValue, MapValue, Value

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    T = TypeVar("T")

DEFAULT_STEPS: Final = 5_000_000
"""Steps an evaluation may take: about half a second, far more than an expression in a resource needs."""

LONGEST_TEXT: Final = 3 * 2**19
"""The most characters or bytes that a text may have: an object of Kubernetes has no room for a longer one."""

_MOST_CACHED: Final = 16

WHAT_STEPS_ARE: Final = "operations, loop turns, and elements and characters of values"

ERROR: Final = 20
"""Raising an error that an operator or a macro absorbs."""
NEW_LIST: Final = 8
NEW_MAP: Final = 14
"""Making a list and a map, elements aside."""
ELEMENT: Final = 4
"""Looking at an element of a list, or at an entry of a map, with a function of ours."""

READ: Final = 6
"""Reading an element or a field of a value that computes it when it is read."""

_LOOKED_AT: Final = 32
"""Characters that are looked at in a step where the interpreter does it, at worst."""
_SHORT_TEXT: Final = 2_500
_MIDDLING_TEXT: Final = 30_000
_SHORT_PART: Final = 100
_COMPARED: Final = 500
"""Pairs of characters that a quadratic search compares in a step."""


class BudgetError(EvaluationError):
    """The evaluation would take too long or make values too large. No operator absorbs this error."""


class Budget:
    """The steps that an evaluation may take."""

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


class Cost(Struct, frozen=True):
    """What a call of a function costs: for itself, for 64 characters of a text, and for an element of a list or map.

    The texts, lists and maps are its arguments. A value of a custom type has as many characters as its `size`. A text
    that is not all ASCII costs `quoted` times as much.
    """

    call: int = 10
    characters: int = 64 // _LOOKED_AT
    elements: int = 1
    quoted: int = 1

    def of(self, arguments: Iterable[Value]) -> int:
        """Return the steps of a call."""
        steps = self.call
        for each in arguments:
            kind = each.__class__
            if kind is str or kind is bytes:
                cost = len(each) * self.characters >> 6  # type: ignore[arg-type] # a text
                steps += cost if each.isascii() else cost * self.quoted  # type: ignore[attr-defined]
            elif kind is list or kind is dict:
                steps += len(each) * self.elements  # type: ignore[arg-type] # a list or a map
            elif isinstance(each, (ListValue, MapValue)):
                steps += len(each) * (self.elements and self.elements + READ)
            elif kind not in _SMALL:
                steps += getattr(each, "size", 0) * self.characters >> 6
        return steps


_SMALL: Final = frozenset({int, float, bool, type(None)})

LOOKING: Final = Cost()
"""The cost of a call if its library declares no other: the interpreter looks once at the arguments."""
CONSTANT: Final = Cost(characters=0, elements=0)
"""The size of the arguments does not matter."""
READING: Final = Cost(50, characters=2 * 64, quoted=12)
"""Functions of ours read a text character by character, and quote it in the message if they cannot read it."""


def of_text(length: int) -> int:
    """Return the steps of looking at a text once."""
    return length // _LOOKED_AT


def of_search(text: int, part: int) -> int:
    """Return the steps of searching a text of some length for a part: Python is quadratic where one is short."""
    steps = (text + part) // (_LOOKED_AT // 2)
    if text < _MIDDLING_TEXT:
        steps += text * (part if text < _SHORT_TEXT else min(part, _SHORT_PART)) // _COMPARED
    return steps


def of_sort(count: int) -> int:
    """Return the steps of sorting elements."""
    return count * ELEMENT * max(count, 2).bit_length()


Frame: TypeAlias = dict[str, Value]
"""Global variables under their names, those of macros under names that no global variable can have."""

Evaluate: TypeAlias = Callable[[Frame], Value]
"""A compiled sub-expression. Raises EvaluationError."""

StructMaker: TypeAlias = Callable[[Budget, dict[str, Any]], Value]
"""Makes the value of a struct from fields that have been checked. Raises EvaluationError."""

BUDGET: Final = "@budget"


def budget_of(frame: Frame) -> Budget:
    """Return the budget of the evaluation."""
    return cast("Budget", frame[BUDGET])


def spend_key(frame: Frame, key: Value) -> None:
    """Charge for looking up a key, which is compared with one of the map's."""
    if key.__class__ is str:
        budget_of(frame).spend(of_text(len(key)))
