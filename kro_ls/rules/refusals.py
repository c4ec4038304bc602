"""Decides whether kro refuses a definition; nothing else does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.rules.diagnostics import Severity

if TYPE_CHECKING:
    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.rules.diagnostics import Diagnostic


def refusals(diagnosis: Diagnosis, rgd: RgdAnalysis) -> tuple[Diagnostic, ...]:
    """Return the errors for which kro refuses a definition; none if kro accepts it.

    Errors outside of all definitions keep kubectl from reading the file, and count for each of them.
    """
    errors = [each for each in diagnosis.diagnostics if each.severity is Severity.ERROR]
    if not errors:
        return ()
    own = rgd.rgd.document
    others = [each.rgd.document for each in diagnosis.analysis.rgds if each.rgd.document is not own]
    return tuple(
        each
        for each in errors
        if own.start <= each.span.start <= own.end
        or not any(other.start <= each.span.start <= other.end for other in others)
    )


def refused_text(errors: tuple[Diagnostic, ...]) -> str:
    """Return the sentence that begins every report of a refused definition."""
    return f"kro refuses this: {len(errors)} error{'' if len(errors) == 1 else 's'}"
