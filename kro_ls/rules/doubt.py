"""Lowers what rests on kinds of which nobody can tell whether the cluster has them like this.

A diagnostic rests on them if there is none at its place without them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kro_ls.analysis.analysis import Edited, analyze
from kro_ls.graphs import frames_in
from kro_ls.openapi.kind_schema import Trust
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.findings import find_at
from kro_ls.rules.placing import place_all
from kro_ls.yaml_positions.reparse import Change

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.settings import Settings
    from kro_ls.yaml_positions.positions import Span

Diagnostics = tuple["Diagnostic", ...]

_RANKS: Final = {severity: rank for rank, severity in enumerate(Severity)}
_GRAVE: Final = (Severity.ERROR, Severity.WARNING)

_AT_MOST: Final = ((Trust.GENERAL, Severity.INFORMATION), (Trust.FULL, Severity.WARNING))
"""What a diagnostic is at most that there is not where all kinds have this trust."""

_MOST_SOURCES: Final = 2


def without_doubtful(found: Diagnostics, analysis: Analysis, settings: Settings) -> Diagnostics:
    """Return the diagnostics of an analysis, none of them graver than the kinds are sure that it rests on."""
    kinds = (rgd.find_kind(name) for rgd in frames_in(analysis) for name in rgd.table.kinds)
    doubtful = [kind for kind in kinds if kind is not None and kind.trust < Trust.FULL]
    for trust, severity in _AT_MOST:
        if any(kind.trust < trust for kind in doubtful):
            schemas = analysis.rgds[0].schemas.with_trust(trust)
            refuted = refuted_by(schemas, found, analysis, settings)
            reasons = {each: _source(analysis, each.span, doubtful) for each in refuted}
            found = lowered(found, reasons, severity, is_doubtful=True)
    return found


def refuted_by(
    schemas: SchemaIndex, found: Diagnostics, analysis: Analysis, settings: Settings
) -> tuple[Diagnostic, ...]:
    """Return the errors and warnings of an analysis that there are not with the kinds of another index.

    Only the parts of the text that have any are looked at again.
    """
    suspects = [each for each in found if each.severity in _GRAVE and not each.is_doubtful]
    if not suspects or all(rgd.has_kinds_of(schemas) for rgd in frames_in(analysis)):
        return ()
    is_final = analysis.rgds[0].reader.revision.is_final
    same_text = Edited(analysis, Change(0, 0, 0))
    other = analyze(analysis.text, schemas, settings.features, same_text, is_final=is_final)
    standing: dict[Span, int] = {}
    findings = find_at(other, {each.span.start for each in suspects}, frozenset(each.code for each in suspects))
    for each in place_all(other, settings, findings).shown:
        standing[each.span] = min(_RANKS[each.severity], standing.get(each.span, len(_RANKS)))
    return tuple(each for each in suspects if standing.get(each.span, len(_RANKS)) > _RANKS[each.severity])


def lowered(
    found: Diagnostics, reasons: dict[Diagnostic, str], severity: Severity, *, is_doubtful: bool = False
) -> Diagnostics:
    """Return diagnostics of which those that have a reason are no graver than a severity, and tell the reason."""
    if not reasons:
        return found
    return tuple(
        replace(
            each,
            severity=max(each.severity, severity, key=_RANKS.__getitem__),
            message=f"{each.message} ({reasons[each]})",
            is_doubtful=is_doubtful,
        )
        if each in reasons
        else each
        for each in found
    )


def _source(analysis: Analysis, span: Span, doubtful: Iterable[KindSchema]) -> str:
    """Return where the kind comes from that a diagnostic rests on: that of the resource at its place, if doubtful."""
    for rgd in frames_in(analysis):
        for number, placed in enumerate(rgd.rgd.places):
            kind = rgd.kind(rgd.parts[number]) if placed.start <= span.start <= placed.end else None
            if kind is not None and kind.trust < Trust.FULL:
                return kind.source
    return " or ".join(sorted({kind.source for kind in doubtful})[:_MOST_SOURCES])
