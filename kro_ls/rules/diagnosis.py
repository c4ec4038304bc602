"""Runs the rules over an analysis and places what they find in the document.

Findings are remembered under the part and what they depend on, so that an edit pays for what it changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from kro_ls.analysis.analysis import Analysis, analyze
from kro_ls.rules.diagnostics import (
    Diagnostic,
    DocumentSpan,
    Finding,
    Fix,
    PlacedRelated,
    Related,
    Replacement,
    ResourceDeclaration,
)
from kro_ls.rules.ignores import separate
from kro_ls.rules.registry import RULES, SHARED_CHECKS
from kro_ls.rules.settings import Settings
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.model import Resource, SchemaSection
    from kro_ls.analysis.scope import Scope
    from kro_ls.analysis.surroundings import Surroundings
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.yaml_positions.document import PlacedChunk, YamlDocument
    from kro_ls.yaml_positions.text import Text


@dataclass(frozen=True, slots=True, eq=False)
class Diagnosis:
    """What is wrong with an analysed text, in its order. `silenced` are the diagnostics that comments turn off."""

    analysis: Analysis
    diagnostics: tuple[Diagnostic, ...]
    silenced: tuple[Diagnostic, ...]


DEFAULT_SETTINGS = Settings()


def diagnose_text(text: Text, settings: Settings = DEFAULT_SETTINGS, schemas: SchemaIndex | None = None) -> Diagnosis:
    """Return the analysis of a text with its diagnostics."""
    return diagnose(analyze(text, schemas, settings.feature_gates), settings)


def diagnose(analysis: Analysis, settings: Settings) -> Diagnosis:
    """Return the diagnostics of an analysis."""
    found = [diagnostic for rgd in analysis.rgds for diagnostic in _diagnostics(rgd, settings)]
    found.sort(key=lambda diagnostic: (diagnostic.span.start, diagnostic.span.end, diagnostic.code))
    shown, silenced = separate(analysis.stream, found)
    return Diagnosis(analysis, shown, silenced)


def _diagnostics(analysis: RgdAnalysis, settings: Settings) -> Iterator[Diagnostic]:
    severities = {rule.code: rule.severity for rule in RULES} | dict(settings.severities)
    for placed, code, finding in _findings(analysis):
        severity = severities[code]
        if severity is not None:
            yield Diagnostic(
                code,
                severity,
                placed.document_span(finding.span),
                finding.message,
                tuple(_place_related(analysis, placed, finding)),
                tuple(_place_fix(placed, fix) for fix in finding.fixes),
            )


def _findings(analysis: RgdAnalysis) -> Iterator[tuple[PlacedChunk, str, Finding]]:
    rgd = analysis.rgd
    yield from ((placed, code, finding) for placed, code, finding in _yaml_findings(rgd.document))
    for placed in rgd.resources:
        for code, finding in _resource_findings(placed.resource, analysis.surroundings):
            yield placed.placed, code, finding
    if rgd.schema:
        scope = analysis.surroundings.scope(rgd.schema.section)
        yield from ((rgd.schema.placed, code, finding) for code, finding in _check_schema(rgd.schema.section, scope))
    for rule in RULES:
        if rule.check_document:
            yield from ((placed, rule.code, finding) for placed, finding in rule.check_document(analysis))
    for check in SHARED_CHECKS:
        if check.check_document:
            yield from check.check_document(analysis)


def _yaml_findings(document: YamlDocument) -> Iterator[tuple[PlacedChunk, str, Finding]]:
    for placed in (document.frame, *document.chunks):
        for error in placed.chunk.errors:
            code = "duplicate-key" if error.code == "duplicate-key" else "yaml-syntax"
            related = (Related(error.related, "the first one"),) if error.related else ()
            yield placed, code, Finding(Span(error.start, error.end), error.message, related)


@lru_cache(maxsize=8192)
def _resource_findings(resource: Resource, surroundings: Surroundings) -> tuple[tuple[str, Finding], ...]:
    """Return a resource's findings in surroundings; quick to look up, because both are compared by identity."""
    return _check_resource(resource, surroundings.scope(resource))


@lru_cache(maxsize=8192)
def _check_resource(resource: Resource, scope: Scope) -> tuple[tuple[str, Finding], ...]:
    checks = ((rule.code, rule.check_resource) for rule in RULES if rule.check_resource)
    found = [(code, finding) for code, check in checks for finding in check(resource, scope)]
    shared = (check.check_resource for check in SHARED_CHECKS if check.check_resource)
    return (*found, *(each for check in shared for each in check(resource, scope)))


@lru_cache(maxsize=1024)
def _check_schema(section: SchemaSection, scope: Scope) -> tuple[tuple[str, Finding], ...]:
    checks = ((rule.code, rule.check_schema) for rule in RULES if rule.check_schema)
    found = [(code, finding) for code, check in checks for finding in check(section, scope)]
    shared = (check.check_schema for check in SHARED_CHECKS if check.check_schema)
    return (*found, *(each for check in shared for each in check(section, scope)))


def _place_fix(placed: PlacedChunk, fix: Fix) -> Fix:
    replacements = (Replacement(placed.document_span(each.span), each.text) for each in fix.replacements)
    return Fix(fix.title, tuple(replacements))


def _place_related(analysis: RgdAnalysis, placed: PlacedChunk, finding: Finding) -> Iterator[PlacedRelated]:
    for related in finding.related:
        if isinstance(related.target, ResourceDeclaration):
            declaring = analysis.resources.get(related.target.id)
            if declaring and declaring.resource.id_node:
                node = declaring.resource.id_node
                yield PlacedRelated(declaring.placed.document_span(Span(node.start, node.end)), related.message)
        elif isinstance(related.target, DocumentSpan):
            yield PlacedRelated(related.target.span, related.message)
        else:
            yield PlacedRelated(placed.document_span(related.target), related.message)
