"""Diagnoses a text: runs the rules, places their findings, and lowers those that rest on doubtful kinds.

Nobody can tell whether the cluster has a doubtful kind in this form. A diagnostic rests on it if it disappears without
that kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.analysis import Analysis, Edited, analyze, frames_in
from kro_ls.analysis.facts import facts_of
from kro_ls.analysis.model.reading import CUTS, MOST_DOCUMENTS
from kro_ls.analysis.model.resource_reading import read_resource_of
from kro_ls.kro.versions.dialect import dialect_with
from kro_ls.openapi.kind_schema import Trust
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.findings import find, find_at, find_in_beginning, find_in_part, find_one_by_one
from kro_ls.rules.placing import place_all
from kro_ls.rules.settings import Settings
from kro_ls.yaml_positions.documents.stream import parse_in_steps
from kro_ls.yaml_positions.text import Change, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.placing import Placed
    from kro_ls.yaml_positions.positions import Span


Diagnostics: TypeAlias = "tuple[Diagnostic, ...]"

_CHUNKS_OF_A_SCREEN: Final = 40
_RANKS: Final = {severity: rank for rank, severity in enumerate(Severity)}
_GRAVE: Final = (Severity.ERROR, Severity.WARNING)

_AT_MOST: Final = ((Trust.GENERAL, Severity.INFORMATION), (Trust.FULL, Severity.WARNING))
"""The highest severity of a diagnostic that disappears without the kinds of less trust than this."""

_MOST_SOURCES: Final = 2


class Diagnosis(Struct, frozen=True, eq=False):
    """The diagnostics of an analysed text, in its order. `silenced` are those that comments turn off.

    `hidden` are those that may be due to an error of the YAML. They are shown once that is mended, if they remain.
    """

    analysis: Analysis
    diagnostics: Diagnostics
    silenced: Diagnostics
    hidden: Diagnostics = ()


DEFAULT_SETTINGS = Settings()


def diagnose_text(text: Text, settings: Settings = DEFAULT_SETTINGS, schemas: SchemaIndex | None = None) -> Diagnosis:
    """Return the analysis of a text with its diagnostics."""
    return diagnose(analyze(text, schemas, settings.features), settings)


def diagnose(analysis: Analysis, settings: Settings) -> Diagnosis:
    """Return the diagnostics of an analysis."""
    return _diagnosis(analysis, settings, place_all(analysis, settings, find(analysis)))


def diagnose_beginning(analysis: Analysis, settings: Settings) -> Diagnosis:
    """Return the diagnostics of an unfinished text: of those parts that use no name which may be declared later."""
    findings = find_in_beginning(analysis)
    return _diagnosis(analysis, settings, place_all(analysis, settings, findings, goes_on=True))


def _diagnosis(analysis: Analysis, settings: Settings, placed: Placed) -> Diagnosis:
    shown = _without_doubtful(placed.shown, analysis, settings)
    return Diagnosis(analysis, shown, placed.silenced, placed.hidden)


def prepare(text: Text, settings: Settings, schemas: SchemaIndex | None) -> Iterator[object]:
    """Analyse and diagnose a large text in small steps; yield after each, so that others get their turn.

    A `Diagnosis` of the first screen is yielded early, that of the whole text last. The results are cached by the
    chunks of the text, where `analyze` and `diagnose` find them. The iterator holds the chunks, so that another one
    over a text with the same chunks can reuse the results.
    """
    held = []
    for run, chunk, end in parse_in_steps(text, CUTS, MOST_DOCUMENTS):
        held.append(chunk)
        resource = read_resource_of(chunk, dialect_with(settings.features)) if run.is_sequence else None
        if resource:
            facts_of(resource)
        yield chunk
        if len(held) == _CHUNKS_OF_A_SCREEN:
            yield diagnose_beginning(analyze(Text(text.content[:end]), schemas, settings.features), settings)
    analysis = analyze(text, schemas, settings.features)
    yield analysis
    for rgd in frames_in(analysis):
        for resource in rgd.parts:
            find_in_part(rgd.reader, resource)
            yield resource
    yield from find_one_by_one(analysis)
    yield diagnose(analysis, settings)


def _without_doubtful(found: Diagnostics, analysis: Analysis, settings: Settings) -> Diagnostics:
    """Return the diagnostics of an analysis; those that rest on doubtful kinds get a lower severity."""
    kinds = (kind for rgd in frames_in(analysis) for kind in rgd.kinds.values())
    doubtful = [kind for kind in kinds if kind is not None and kind.trust < Trust.FULL]
    for trust, severity in _AT_MOST:
        if any(kind.trust < trust for kind in doubtful):
            schemas = analysis.rgds[0].schemas.with_trust(trust)
            refuted = refuted_by(schemas, found, analysis, settings)
            reasons = {each: _source(analysis, each.span, doubtful) for each in refuted}
            found = lowered(found, reasons, severity, is_doubtful=True)
    return found


def refuted_by(schemas: SchemaIndex, found: Diagnostics, analysis: Analysis, settings: Settings) -> Diagnostics:
    """Return the errors and warnings of an analysis that disappear with the kinds of another index.

    Only the parts of the text that have any are checked again.
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
    """Return the diagnostics; those with a reason are at most of a severity, and their messages give the reason."""
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
    """Return the source of the doubtful kind that a diagnostic rests on: of the resource there, or of any."""
    for rgd in frames_in(analysis):
        for number, placed in enumerate(rgd.rgd.places):
            kind = rgd.kind(rgd.parts[number]) if placed.start <= span.start <= placed.end else None
            if kind is not None and kind.trust < Trust.FULL:
                return kind.source
    return " or ".join(sorted({kind.source for kind in doubtful})[:_MOST_SOURCES])
