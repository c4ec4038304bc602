"""Selects the fixes that keep the meaning of a definition and can be made without asking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.graphs import frames_in
from kro_ls.yaml_positions.nodes import Alias, walk

if TYPE_CHECKING:
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.rules.diagnostics import Diagnostic, Fix
    from kro_ls.yaml_positions.positions import Span


def safe_fixes(diagnosis: Diagnosis) -> list[tuple[Diagnostic, Fix]]:
    """Return the fixes that keep the meaning; of those that touch the same text, the first.

    Fixes of misnamed fields come alone, because the value of such a field has not been checked yet. A text with an
    alias is not changed, because it may mean something else in another place, and no fix rests on doubtful kinds.
    """
    shared = _shared_spans(diagnosis)
    sure = (each for each in diagnosis.diagnostics if not each.is_doubtful)
    safe = [(each, fix) for each in sure for fix in each.fixes if fix.keeps_meaning]
    fixable = [each for each in safe if not any(_touches(edit.span, shared) for edit in each[1].replacements)]
    of_fields = [(each, fix) for each, fix in fixable if each.code in ("unknown-field", "invalid-value")]
    chosen: list[tuple[Diagnostic, Fix]] = []
    mended: set[Diagnostic] = set()
    taken: list[Span] = []
    for diagnostic, fix in of_fields or fixable:
        if diagnostic not in mended and not any(_touches(edit.span, taken) for edit in fix.replacements):
            chosen.append((diagnostic, fix))
            mended.add(diagnostic)
            taken += [edit.span for edit in fix.replacements]
    return chosen


def _shared_spans(diagnosis: Diagnosis) -> list[Span]:
    """Return the spans of the nodes that an alias repeats."""
    if "*" not in diagnosis.analysis.text.content:
        return []
    frames = [each.rgd.frame for each in frames_in(diagnosis.analysis) if each.outer is None]
    return [
        frame.document_span(node.target.span)
        for frame in frames
        for node in (walk(frame.chunk.root) if frame.chunk.root else ())
        if isinstance(node, Alias) and node.target
    ]


def _touches(span: Span, others: list[Span]) -> bool:
    return any(span.start <= other.end and other.start <= span.end for other in others)
