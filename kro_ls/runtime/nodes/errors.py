"""Why a node has no objects yet, or never will, in kro's words and with the place in the definition.

Source: kro `pkg/runtime/errors.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.analysis.names.inspection import NameUse

HELD = "held back by the scenario"
NOT_FOUND = "not found in the cluster"

_PENDING_TEXTS = ("no such key", "no such field", "no such attribute", "index out of bounds")
E = TypeVar("E", bound="NodeError")


class Cause(Struct, frozen=True):
    """The expression that caused an error: whose it is, and which part of its CEL text failed (`[start, end)`).

    `start` is -1 where the expression as a whole is meant.
    """

    node: str
    expression: Expression
    start: int = -1
    end: int = -1

    @property
    def failing(self) -> str:
        """The part of the CEL text that failed; of data that is missing, the path to it."""
        return self.expression.text if self.start < 0 else self.expression.text[self.start : self.end]

    @property
    def uses(self) -> Sequence[NameUse]:
        """The names that the failing part reads; where it reads none, those of the whole expression."""
        uses = self.expression.inspection.names
        inside = [use for use in uses if self.start <= use.node.start < self.end] if self.start >= 0 else []
        return inside or uses


class NodeError(Exception):
    """A node has no result.

    `text` is kro's own text, `plain` is the text for people where it differs. `waits_for` is the node that must be
    ready first.
    """

    def __init__(self, text: str, cause: Cause | None = None, waits_for: str | None = None, *, plain: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.cause = cause
        self.waits_for = waits_for
        self.plain = plain


class PendingError(NodeError):
    """Data that the node needs does not exist yet; kro tries again."""


class UnfinishedError(PendingError):
    """The definition is half-typed: no object can be made of the node yet."""


class WaitingError(NodeError):
    """The node's objects exist but are not ready yet; kro tries again."""


class FatalError(NodeError):
    """The node is in error; kro stops the whole pass."""


class ExpressionError(Exception):
    """An expression has no usable value; `plain` is the text for people.

    As in kro, the text decides whether data is pending.
    """

    def __init__(self, text: str, cause: Cause, plain: str) -> None:
        super().__init__(text)
        self.text = text
        self.cause = cause
        self.plain = plain

    def to(self, error: type[E], text: str) -> E:
        """Return the error of the node that needs the value; `text` is kro's own."""
        return error(text, self.cause, plain=self.plain)

    def pending_or_fatal(self, error: type[NodeError], pending_text: str, fatal_text: str) -> NodeError:
        """Return the error of the node: of a type for data that may still come, else a FatalError."""
        return self.to(error, pending_text) if self.is_pending else self.to(FatalError, fatal_text)

    @property
    def is_pending(self) -> bool:
        """Whether kro takes this for data that may still come; the quoted expression counts as part of the text."""
        return any(each in self.text for each in _PENDING_TEXTS)
