"""Why parts of the status have no value: single fields, conditions of the author, or all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.paths import format_path
from kro_ls.runtime.reasons import missing_reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.runtime.errors import Cause
    from kro_ls.runtime.results import Pass


class MissingStatus(Struct, frozen=True):
    """A part of the status that is not there: why, for people and in kro's words, and which expression decides.

    `path` is that of a field in kro's notation, empty for what is no single field.
    """

    path: str
    reason: str
    text: str
    cause: Cause | None = None

    @property
    def sentence(self) -> str:
        """The reason as a sentence of its own."""
        return f"status.{self.path} has no value: {self.reason}" if self.path else self.reason


def missing_status(result: Pass) -> Iterator[MissingStatus]:
    """Yield what a pass left out of the status."""
    for field in result.missing_fields:
        yield MissingStatus(format_path(field.path), missing_reason(field, result.nodes), field.text, field.cause)
    error = result.status_error
    if error is not None:
        yield MissingStatus("", f"kro writes no status: {error.plain or error.text}", error.text, error.cause)
    for field in result.conditions.pending:
        reason = f"a condition is missing: {missing_reason(field, result.nodes)}"
        yield MissingStatus("", reason, field.text, field.cause)
    for failure in result.conditions.failures:
        yield MissingStatus("", f"a condition is dropped: {failure}", failure)
