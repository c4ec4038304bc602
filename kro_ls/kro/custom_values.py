"""The values that only kro's CEL has: conditions, the variable `runtime`, and the marker that omits a field.

Source: kro `pkg/cel/library/{runtime,omit}.go`.
"""

from __future__ import annotations

from typing import ClassVar, Final

from msgspec import Struct

from kro_ls.cel.evaluation.failures import EvaluationError
from kro_ls.cel.evaluation.printing import go_text
from kro_ls.cel.evaluation.values import CustomValue, Value
from kro_ls.kro.conditions import CONDITION_FIELDS


class Omit(CustomValue, Struct, frozen=True, eq=False):
    """The marker for a field or element to leave out."""

    type_name: ClassVar[str] = "kro.run.omit"

    def __str__(self) -> str:
        return "omit()"

    def equals(self, other: Value) -> bool:  # noqa: ARG002
        """Raise EvaluationError: the marker is not a value."""
        raise EvaluationError("omit() is a field-removal sentinel and cannot be compared")


OMIT: Final = Omit()
"""The value of `omit()`."""


class Condition(CustomValue, Struct, frozen=True):
    """A status condition; its fields are strings, empty when not given."""

    type: str = ""
    status: str = ""
    reason: str = ""
    message: str = ""
    type_name: ClassVar[str] = "kro.run.Condition"

    @property
    def size(self) -> int:
        """The number of characters."""
        return sum(map(len, self.fields.values()))

    @property
    def fields(self) -> dict[str, str]:
        """The four texts by the names of the fields."""
        return {name: getattr(self, name) for name in CONDITION_FIELDS}

    def field(self, name: Value) -> Value:
        """Return one of the four texts. Raises EvaluationError for any other field."""
        if name not in CONDITION_FIELDS:
            raise EvaluationError(f"no such field '{go_text(name)}'")
        return getattr(self, str(name))


class Runtime(CustomValue, Struct, frozen=True):
    """The value of the variable `runtime`, which has methods only."""

    type_name: ClassVar[str] = "kro.run.Runtime"

    def equals(self, other: Value) -> bool:
        """Return whether another value is the same variable."""
        return isinstance(other, Runtime)


RUNTIME: Final = Runtime()
