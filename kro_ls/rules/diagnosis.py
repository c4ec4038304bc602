"""Diagnoses a text: runs the rules, and turns their findings into diagnostics at their places in the document.

The settings decide which are shown, and with which severity. Diagnostics that rest on doubtful kinds are lowered:
nobody can tell whether the cluster has a doubtful kind in this form. A diagnostic rests on it if it disappears without
that kind.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.analysis.analysis import Analysis, Edited, analyze
from kro_ls.analysis.facts import facts_of
from kro_ls.analysis.model.reading import CUTS, MOST_DOCUMENTS
from kro_ls.analysis.model.resource_reading import read_resource_of
from kro_ls.graphs import frames_in
from kro_ls.kro.versions.dialect import dialect_with
from kro_ls.kro.versions.version import ALL
from kro_ls.openapi.kind_schema import Trust
from kro_ls.rules.diagnostics import (
    Diagnostic,
    Finding,
    Fix,
    Part,
    PartReplacement,
    PartSpan,
    PlacedRelated,
    ResourceDeclaration,
    Section,
    Severity,
)
from kro_ls.rules.findings import find, find_at, find_in_beginning, find_in_part, find_one_by_one
from kro_ls.rules.ignores import separate
from kro_ls.rules.registry import RULE_OF, RULES
from kro_ls.rules.rule import CodedFindings, InTemplates
from kro_ls.rules.settings import Settings
from kro_ls.rules.text import other_documents
from kro_ls.rules.text.unrendered import to_merge, to_render
from kro_ls.rules.text.yaml_syntax import YAML_SYNTAX, line_of_misplaced, may_follow, yaml_findings
from kro_ls.yaml_positions.documents.stream import parse_in_steps
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.writing import Replacement
from kro_ls.yaml_positions.text import Change, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.kro.forms import DefinitionForm
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.rules.findings import RgdFindings
    from kro_ls.rules.rule import CodedFinding
    from kro_ls.yaml_positions.documents.chunks import Chunk
    from kro_ls.yaml_positions.documents.runs import PlacedChunk


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
    return _without_doubtful(_placed(analysis, settings, find(analysis)), settings)


def diagnose_beginning(analysis: Analysis, settings: Settings) -> Diagnosis:
    """Return the diagnostics of an unfinished text: of those parts that use no name which may be declared later."""
    return _without_doubtful(_placed(analysis, settings, find_in_beginning(analysis), goes_on=True), settings)


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
    for each in _placed(other, settings, findings).diagnostics:
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


def _without_doubtful(diagnosis: Diagnosis, settings: Settings) -> Diagnosis:
    """Return a diagnosis in which the diagnostics that rest on doubtful kinds have a lower severity."""
    analysis, found = diagnosis.analysis, diagnosis.diagnostics
    kinds = (kind for rgd in frames_in(analysis) for kind in rgd.kinds.values())
    doubtful = [kind for kind in kinds if kind is not None and kind.trust < Trust.FULL]
    for trust, severity in _AT_MOST:
        if any(kind.trust < trust for kind in doubtful):
            schemas = analysis.rgds[0].schemas.with_trust(trust)
            refuted = refuted_by(schemas, found, analysis, settings)
            reasons = {each: _source(analysis, each.span, doubtful) for each in refuted}
            found = lowered(found, reasons, severity, is_doubtful=True)
    return replace(diagnosis, diagnostics=found) if doubtful else diagnosis


def _source(analysis: Analysis, span: Span, doubtful: Iterable[KindSchema]) -> str:
    """Return the source of the doubtful kind that a diagnostic rests on: of the resource there, or of any."""
    for rgd in frames_in(analysis):
        for number, placed in enumerate(rgd.rgd.places):
            kind = rgd.kind(rgd.parts[number]) if placed.start <= span.start <= placed.end else None
            if kind is not None and kind.trust < Trust.FULL:
                return kind.source
    return " or ".join(sorted({kind.source for kind in doubtful})[:_MOST_SOURCES])


_Severities: TypeAlias = "dict[tuple[str, Severity | None], Severity | None]"
"""The reported severities by a rule's code and a finding's own severity; None for what is not shown."""

_UNREAD = f"not checked from here on; the file has more than {MOST_DOCUMENTS:,} documents, put them in several files"


def _placed(
    analysis: Analysis, settings: Settings, findings: Sequence[RgdFindings], *, goes_on: bool = False
) -> Diagnosis:
    """Return the diagnostics of a text: the findings in its RGDs, and the faults outside of them."""
    severities = _severities(settings)
    found: list[Diagnostic] = []
    hidden: list[Diagnostic] = []
    for rgd, each in zip(frames_in(analysis), findings, strict=True):
        is_shown = partial(_is_shown, settings, _severities(settings, rgd.rgd.form))
        placed_findings = _placed_findings(analysis.text.content, rgd, each, is_shown, partial(_is_error, severities))
        for placed, code, finding, follows in placed_findings:
            severity = severities[code, finding.severity]
            if severity is not None:
                (hidden if follows else found).append(
                    Diagnostic(
                        code,
                        severity,
                        placed.document_span(finding.span),
                        finding.message,
                        tuple(_place_related(rgd, placed, finding)) if finding.related else (),
                        tuple([_place_fix(rgd, placed, fix) for fix in finding.fixes]),
                        finding.kro_message,
                    )
                )
    if analysis.actions.spans:
        found = [diagnostic for diagnostic in found if _is_certain(diagnostic, analysis)]
    if settings.is_patch:
        found = [diagnostic for diagnostic in found if RULE_OF[diagnostic.code].in_patches]
    for code, finding in _outside(analysis, settings, goes_on=goes_on):
        severity = severities[code, finding.severity]
        if severity is not None:
            found.append(
                Diagnostic(code, severity, finding.span, finding.message, (), finding.fixes, finding.kro_message)
            )
    if analysis.stream.unread is not None:
        place = Span(analysis.stream.unread, analysis.stream.unread + 3)
        found.append(Diagnostic(YAML_SYNTAX.code, Severity.INFORMATION, place, _UNREAD))
    found.sort(key=lambda diagnostic: (diagnostic.span.start, diagnostic.span.end, diagnostic.code))
    shown, silenced = separate(analysis.stream, found) if found else ((), ())
    return Diagnosis(analysis, shown, silenced, tuple(hidden))


def _is_shown(settings: Settings, severities: _Severities, found: CodedFinding) -> bool:
    code, finding = found
    if severities[code, finding.severity] is None:
        return False
    return finding.versions is ALL or settings.version in finding.versions


def _is_error(severities: _Severities, found: CodedFinding) -> bool:
    return severities[found[0], found[1].severity] is Severity.ERROR


def _is_certain(diagnostic: Diagnostic, analysis: Analysis) -> bool:
    """Whether a finding in a template of Helm is true of every rendering."""
    shown, actions = RULE_OF[diagnostic.code].in_templates, analysis.actions
    if shown is InTemplates.NEVER or (actions.add_text and shown is InTemplates.UNLESS_TEXT_IS_ADDED):
        return False
    content = analysis.text.content
    start = content.rfind("\n", 0, diagnostic.span.start) + 1
    end = content.find("\n", diagnostic.span.end)
    end = len(content) if end < 0 else end
    return not any(span.start < end and start < span.end for span in actions.spans)


@lru_cache(maxsize=8)  # few settings and forms are in use
def _severities(settings: Settings, form: DefinitionForm | None = None) -> _Severities:
    """Return the severities in a form of definitions."""
    chosen = dict(settings.severities)
    version = settings.version
    shown = {
        rule.code for rule in RULES if version in rule.versions and (not form or version in rule.versions_in(form))
    }
    own_severities = (None, *Severity)
    return {
        (rule.code, own): chosen.get(rule.code, own or rule.severity) if rule.code in shown else None
        for rule in RULES
        for own in own_severities
    }


def _outside(analysis: Analysis, settings: Settings, *, goes_on: bool) -> CodedFindings:
    """Yield the findings about the text as a whole and about other documents in it, in document offsets."""
    if not analysis.actions.spans:
        if analysis.stream.documents and not goes_on:  # the rest of an unfinished text may refute them
            yield from ((YAML_SYNTAX.code, each) for each in other_documents.faults(analysis))
    elif not settings.is_patch:
        yield from to_render(analysis)
    if settings.is_patch:
        yield from to_merge(analysis)


def _placed_findings(
    content: str,
    rgd: RgdAnalysis,
    findings: RgdFindings,
    is_shown: Callable[[CodedFinding], bool],
    is_error: Callable[[CodedFinding], bool],
) -> Iterator[tuple[PlacedChunk, str, Finding, bool]]:
    """Yield the shown findings, each with the chunk that its span is relative to, and its rule's code.

    The last of the four says whether the finding may be due to an error of the YAML.
    """
    reported: dict[Chunk, set[int]] = {}
    for placed, code, finding in _shown_findings(rgd, findings, is_shown):
        if not placed.chunk.errors:
            yield placed, code, finding, False
            continue
        shown = RULE_OF[code].in_broken_yaml
        follows = may_follow(placed.chunk, shown, finding.span)
        yield placed, code, finding, follows
        line = None if follows else line_of_misplaced(placed.chunk, shown, finding.span)
        if line is not None and is_error((code, finding)):
            reported.setdefault(placed.chunk, set()).add(line)
    if rgd.outer is None:
        for placed, code, finding, follows in yaml_findings(content, rgd.rgd.document, reported):
            if is_shown((code, finding)):
                yield placed, code, finding, follows


def _shown_findings(
    rgd: RgdAnalysis, findings: RgdFindings, is_shown: Callable[[CodedFinding], bool]
) -> Iterator[tuple[PlacedChunk, str, Finding]]:
    places = rgd.rgd.places
    for start, values in findings.resources:
        for number, in_resource in enumerate(values, start):
            for found in in_resource:
                if is_shown(found):
                    yield (places[number], *found)
    if rgd.rgd.schema:
        yield from ((placed, *found) for placed, found in findings.section.placed(rgd.rgd.schema, is_shown))
    for in_whole in findings.whole:
        for part, code, finding in in_whole:
            if is_shown((code, finding)):
                yield _place(rgd, part), code, finding


def _place(rgd: RgdAnalysis, part: Part) -> PlacedChunk:
    if part is Section.SCHEMA and rgd.rgd.schema:
        return rgd.rgd.schema.placed
    return rgd.rgd.frame if isinstance(part, Section) else rgd.rgd.places[part]


def _place_fix(rgd: RgdAnalysis, placed: PlacedChunk, fix: Fix) -> Fix:
    replacements = []
    for each in fix.replacements:
        chunk = _place(rgd, each.part) if isinstance(each, PartReplacement) else placed
        replacements.append(Replacement(chunk.document_span(each.span), each.text))
    return Fix(fix.title, tuple(replacements), fix.keeps_meaning)


def _place_related(rgd: RgdAnalysis, placed: PlacedChunk, finding: Finding) -> Iterator[PlacedRelated]:
    for related in finding.related:
        if isinstance(related.target, ResourceDeclaration):
            declaring = rgd.resources.get(related.target.id)
            if declaring and declaring.resource.id_node:
                yield PlacedRelated(declaring.placed.span(declaring.resource.id_node), related.message)
        elif isinstance(related.target, PartSpan):
            other = _place(rgd, related.target.part)
            yield PlacedRelated(other.document_span(related.target.span), related.message)
        else:
            yield PlacedRelated(placed.document_span(related.target), related.message)
