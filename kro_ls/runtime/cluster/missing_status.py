"""Why parts of the status have no value: single fields, conditions of the author, or all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.model.paths import format_path
from kro_ls.runtime.passes.reasons import missing_reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.runtime.nodes.errors import Cause
    from kro_ls.runtime.passes.results import Pass


class MissingStatus(Struct, frozen=True):
    """A part of the status that is not there: why, for people and in kro's words, and which expression decides.

    `path` is that of a field in kro's notation, empty for what is no single field. `plain` says what is missing,
    `reason` also how far the node is that should have it.
    """

    path: str
    reason: str
    plain: str
    text: str
    cause: Cause | None = None

    @property
    def sentence(self) -> str:
        """What is missing, for readers who also see the states of the nodes."""
        return f"status.{self.path} has no value: {self.plain}" if self.path else self.plain


def missing_status(result: Pass) -> Iterator[MissingStatus]:
    """Yield what a pass left out of the status."""
    for field in result.missing_fields:
        reason = missing_reason(field, result.nodes)
        yield MissingStatus(format_path(field.path), reason, field.plain, field.text, field.cause)
    error = result.status_error
    if error is not None:
        reason = f"kro writes no status: {error.plain or error.text}"
        yield MissingStatus("", reason, reason, error.text, error.cause)
    for field in result.conditions.pending:
        start = "a condition is missing: "
        reason = missing_reason(field, result.nodes)
        yield MissingStatus("", start + reason, start + field.plain, field.text, field.cause)
    for failure in result.conditions.failures:
        reason = f"a condition is dropped: {failure}"
        yield MissingStatus("", reason, reason, failure)
