"""Runs the rules over an analysis and places what they find in the document."""

from __future__ import annotations

from functools import cache, lru_cache, partial
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple

from kro_ls.analysis.analysis import Analysis, analyze
from kro_ls.analysis.model.reading import MOST_DOCUMENTS
from kro_ls.analysis.scope import Scope
from kro_ls.graphs.children import frames_in
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
from kro_ls.rules.ignores import separate
from kro_ls.rules.overview import Overview, present
from kro_ls.rules.registry import CHECKS, EXPRESSION_CHECK, RULE_OF, RULES, SHARED_CHECKS
from kro_ls.rules.rule import InTemplates
from kro_ls.rules.section_findings import SectionFindings, find_in_section
from kro_ls.rules.settings import Settings
from kro_ls.rules.text import damage, other_documents
from kro_ls.rules.text.unrendered import HELM_TEMPLATE, KUSTOMIZE_PATCH, to_merge, to_render
from kro_ls.rules.text.yaml_syntax import YAML_SYNTAX, yaml_findings
from kro_ls.steps import result_of
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.writing import Replacement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.rules.shared_check import CodedFinding, PlacedFinding, SharedCheck
    from kro_ls.steps import Steps
    from kro_ls.yaml_positions.chunks import Chunk
    from kro_ls.yaml_positions.runs import PlacedChunk
    from kro_ls.yaml_positions.text import Text


class Diagnosis(Struct, frozen=True, eq=False):
    """What is wrong with an analysed text, in its order. `silenced` are the diagnostics that comments turn off.

    `hidden` are those that may be due to an error of the YAML, and come up again if they are not when that is mended.
    `findings` are what the rules found in each RGD, before they were placed; the next diagnosis goes on from there.
    """

    analysis: Analysis
    diagnostics: tuple[Diagnostic, ...]
    silenced: tuple[Diagnostic, ...]
    findings: tuple[RgdFindings, ...] = ()
    hidden: tuple[Diagnostic, ...] = ()


class RgdFindings(Struct, frozen=True, eq=False):
    """What the rules found in one RGD; `conclusions` are those of the checks of whole RGDs, in their order."""

    overview: Overview
    section: SectionFindings
    conclusions: tuple[Conclusion, ...]


class Conclusion(Struct, frozen=True, eq=False):
    """What a check of the whole RGD found. `involved` are the parts that its places are in."""

    key: object
    found: tuple[PlacedFinding, ...]
    involved: frozenset[Part] = frozenset()


_ResourceChecks: TypeAlias = "tuple[tuple[tuple[str, ...], _ResourceCheck, frozenset[str] | None], ...]"
_ResourceCheck: TypeAlias = "Callable[[Resource, Scope], Iterator[Finding] | Iterator[CodedFinding]]"
_Check: TypeAlias = "Callable[[Resource, Scope, None], tuple[CodedFinding, ...]]"

DEFAULT_SETTINGS = Settings()

_UNREAD = f"not checked from here on; the file has more than {MOST_DOCUMENTS:,} documents, put them in several files"


def diagnose_text(text: Text, settings: Settings = DEFAULT_SETTINGS, schemas: SchemaIndex | None = None) -> Diagnosis:
    """Return the analysis of a text with its diagnostics."""
    return diagnose(analyze(text, schemas, settings.features), settings)


def diagnose(analysis: Analysis, settings: Settings, before: Diagnosis | None = None) -> Diagnosis:
    """Return the diagnostics of an analysis.

    `before` is the diagnosis of an earlier version, if there is one: it makes this quicker and changes nothing.
    """
    return result_of(diagnose_in_steps(analysis, settings, before))


def diagnose_in_steps(analysis: Analysis, settings: Settings, before: Diagnosis | None = None) -> Steps[Diagnosis]:
    """Return the diagnostics of an analysis, and yield on the way, so that others get their turn."""
    frames = tuple(frames_in(analysis))
    known = before.findings if before and len(before.findings) == len(frames) else (None,) * len(frames)
    findings = []
    for rgd, each in zip(frames, known, strict=True):
        found = yield from _findings(rgd, each)
        findings.append(found)
    return _place_all(analysis, settings, tuple(findings))


def diagnose_beginning(analysis: Analysis, settings: Settings) -> Diagnosis:
    """Return the diagnostics of a text that goes on: of the parts alone that use no name which may come later."""
    findings = []
    for rgd in frames_in(analysis):
        scope = rgd.surroundings.scope_of_section
        section = SectionFindings() if scope is None or scope.candidates else find_in_section(rgd, None)
        findings.append(RgdFindings(Overview(rgd), section, ()))
    return _place_all(analysis, settings, tuple(findings), _check_complete_resource)


def _place_all(
    analysis: Analysis, settings: Settings, findings: tuple[RgdFindings, ...], check: _Check | None = None
) -> Diagnosis:
    severities = _severities(settings)
    found: list[Diagnostic] = []
    hidden: list[Diagnostic] = []
    for rgd, each in zip(frames_in(analysis), findings, strict=True):
        is_shown = partial(_is_shown, rgd, settings, severities)
        placed_findings = _placed_findings(
            analysis.text.content, rgd, each, check or check_resource, is_shown, partial(_is_error, severities)
        )
        for placed, code, finding, may_follow in placed_findings:
            severity = severities[code, finding.severity]
            if severity is not None:
                (hidden if may_follow else found).append(
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
        found += to_render(analysis, severities[HELM_TEMPLATE.code, None])
    elif check is None:  # of a text that goes on, the rest could say otherwise
        found += _unreadable(analysis, severities)
    if settings.is_patch:
        found = [diagnostic for diagnostic in found if RULE_OF[diagnostic.code].in_patches]
        found += to_merge(analysis, severities[KUSTOMIZE_PATCH.code, None])
    if analysis.stream.unread is not None:
        place = Span(analysis.stream.unread, analysis.stream.unread + 3)
        found.append(Diagnostic(YAML_SYNTAX.code, Severity.INFORMATION, place, _UNREAD))
    found.sort(key=lambda diagnostic: (diagnostic.span.start, diagnostic.span.end, diagnostic.code))
    shown, silenced = separate(analysis.stream, found)
    return Diagnosis(analysis, shown, silenced, findings, tuple(hidden))


def _is_shown(
    rgd: RgdAnalysis,
    settings: Settings,
    severities: dict[tuple[str, Severity | None], Severity | None],
    found: CodedFinding,
) -> bool:
    code, finding = found
    if severities[code, finding.severity] is None or settings.version not in finding.versions:
        return False
    return settings.version in RULE_OF[code].versions_in(rgd.rgd.form)


def _is_error(severities: dict[tuple[str, Severity | None], Severity | None], found: CodedFinding) -> bool:
    return severities[found[0], found[1].severity] is Severity.ERROR


def _is_certain(diagnostic: Diagnostic, analysis: Analysis) -> bool:
    """Whether something that is found in a template must be wrong in whatever Helm makes of it."""
    shown, actions = RULE_OF[diagnostic.code].in_templates, analysis.actions
    if shown is InTemplates.NEVER or (actions.add_text and shown is InTemplates.UNLESS_TEXT_IS_ADDED):
        return False
    content = analysis.text.content
    start = content.rfind("\n", 0, diagnostic.span.start) + 1
    end = content.find("\n", diagnostic.span.end)
    end = len(content) if end < 0 else end
    return not any(span.start < end and start < span.end for span in actions.spans)


@lru_cache(maxsize=4)
def _severities(settings: Settings) -> dict[tuple[str, Severity | None], Severity | None]:
    """Return what a finding is reported as, by the code of its rule and the severity that it has of its own."""
    chosen = dict(settings.severities)
    return {
        (rule.code, own): chosen.get(rule.code, own or rule.severity) if settings.version in rule.versions else None
        for rule in RULES
        for own in (None, *Severity)
    }


def _unreadable(
    analysis: Analysis, severities: dict[tuple[str, Severity | None], Severity | None]
) -> Iterator[Diagnostic]:
    """Yield what keeps kubectl from reading the file, or parts of it, besides the faults inside of the RGDs."""
    for fault in other_documents.faults(analysis) if analysis.stream.documents else ():
        severity = severities[YAML_SYNTAX.code, fault.severity]
        if severity is not None:
            code = YAML_SYNTAX.code
            yield Diagnostic(code, severity, fault.span, fault.message, (), fault.fixes, fault.kro_message)


def _findings(rgd: RgdAnalysis, before: RgdFindings | None) -> Steps[RgdFindings]:
    overview = Overview(rgd, before.overview if before else None)
    overview.column(check_resource, None)
    yield
    section = find_in_section(rgd, before.section if before else None)
    conclusions = []
    for check, known in zip_longest(_DOCUMENT_CHECKS, before.conclusions if before else ()):
        conclusions.append(_conclude(check, overview, before, known))
        yield
    overview.forget_before()
    return RgdFindings(overview, section, tuple(conclusions))


_DOCUMENT_CHECKS = tuple(check for check in CHECKS if check.check_document)
_RESOURCE_CHECKS: _ResourceChecks = (
    *(((rule.code,), rule.check_resource, rule.reads) for rule in RULES if rule.check_resource),
    *(
        (check.codes, check.check_resource, check.reads)
        for check in (*SHARED_CHECKS, EXPRESSION_CHECK)
        if check.check_resource
    ),
)
"""They are run so often that the findings of a rule get its code when there are any."""


def check_resource(resource: Resource, scope: Scope, _shared: None) -> tuple[CodedFinding, ...]:
    """Return what is wrong with a resource; what a rule found before is kept while it would read the same."""
    kept: _KeptFindings | None = resource.memory.get(check_resource)
    if kept is None or kept[0] != scope:
        kept = resource.memory[check_resource] = (scope, _find(resource, scope, kept))
    return tuple(coded for found in kept[1].values() for coded in found)


_KeptFindings: TypeAlias = "tuple[Scope, dict[tuple[str, ...], tuple[CodedFinding, ...]]]"


def _find(
    resource: Resource, scope: Scope, kept: _KeptFindings | None
) -> dict[tuple[str, ...], tuple[CodedFinding, ...]]:
    checks = _RESOURCE_CHECKS
    found: dict[tuple[str, ...], tuple[CodedFinding, ...]] = {}
    if kept:
        values = zip(_SCOPE_FIELDS, astuple(kept[0]), astuple(scope), strict=True)
        changed = frozenset([name for name, known, value in values if not (known is value or known == value)])
        checks, asked = _reading(changed)
        found = {codes: findings for codes, findings in kept[1].items() if codes not in asked}
    for codes, check, _ in checks:
        findings = tuple(check(resource, scope))
        if findings:
            found[codes] = tuple(found if isinstance(found, tuple) else (codes[0], found) for found in findings)
    return found


@cache  # of sets of the few fields that a scope has
def _reading(changed: frozenset[str]) -> tuple[_ResourceChecks, frozenset[tuple[str, ...]]]:
    """Return the checks that may find something else when these fields of the scope have changed, and their codes."""
    checks = tuple(check for check in _RESOURCE_CHECKS if check[2] is None or not changed.isdisjoint(check[2]))
    return checks, frozenset(codes for codes, _, _ in checks)


def _check_complete_resource(resource: Resource, scope: Scope, _shared: None) -> tuple[CodedFinding, ...]:
    """Return what is wrong with a resource; nothing where it uses a name that nothing declares yet."""
    return () if scope.candidates else check_resource(resource, scope, None)


_SCOPE_FIELDS = Scope.__struct_fields__


def _conclude(
    check: SharedCheck, overview: Overview, before: RgdFindings | None, known: Conclusion | None
) -> Conclusion:
    key = check.document_key(overview) if check.document_key else object()
    if before and known and known.key == key and not _is_edited(known.involved, overview, before.overview):
        return known
    found = tuple(check.check_document(overview)) if check.check_document else ()
    if not found:
        return Conclusion(key, found)  # as nearly all are: an empty set of its own would be most of it
    others = (related.target for _, _, finding in found for related in finding.related)
    involved = {part for part, _, _ in found}.union(other.part for other in others if isinstance(other, PartSpan))
    return Conclusion(key, found, frozenset(involved))


def _is_edited(involved: frozenset[Part], overview: Overview, before: Overview) -> bool:
    start, before_end, end = overview.edited
    rgd, rgd_before = overview.rgd.rgd, before.rgd.rgd
    if before_end != end:
        return True
    edited: set[Part] = set(range(start, end))
    if rgd.frame.chunk is not rgd_before.frame.chunk:
        edited.add(Section.FRAME)
    if (rgd.schema and rgd.schema.section) is not (rgd_before.schema and rgd_before.schema.section):
        edited.add(Section.SCHEMA)
    return not involved.isdisjoint(edited)


def _placed_findings(
    content: str,
    rgd: RgdAnalysis,
    findings: RgdFindings,
    check: _Check,
    is_shown: Callable[[CodedFinding], bool],
    is_error: Callable[[CodedFinding], bool],
) -> Iterator[tuple[PlacedChunk, str, Finding, bool]]:
    """Yield the findings that are shown, each with its rule's code and where its offsets begin.

    The last of the four tells whether the finding may be due to an error of the YAML.
    """
    told: dict[Chunk, set[int]] = {}
    for placed, code, finding in _shown_findings(rgd, findings, check, is_shown):
        shown = RULE_OF[code].in_broken_yaml
        may_follow = damage.may_follow(placed.chunk, shown, finding.span)
        yield placed, code, finding, may_follow
        line = None if may_follow else damage.line_of_misplaced(placed.chunk, shown, finding.span)
        if line is not None and is_error((code, finding)):
            told.setdefault(placed.chunk, set()).add(line)
    if rgd.outer is None:
        for placed, code, finding, may_follow in yaml_findings(content, rgd.rgd.document, told):
            if is_shown((code, finding)):
                yield placed, code, finding, may_follow


def _shown_findings(
    rgd: RgdAnalysis, findings: RgdFindings, check: _Check, is_shown: Callable[[CodedFinding], bool]
) -> Iterator[tuple[PlacedChunk, str, Finding]]:
    for number, found in present(findings.overview.column(check, None)):
        if is_shown(found):
            yield (rgd.rgd.places[number], *found)
    if rgd.rgd.schema:
        yield from ((placed, *found) for placed, found in findings.section.placed(rgd.rgd.schema, is_shown))
    for conclusion in findings.conclusions:
        for part, code, finding in conclusion.found:
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
