"""Diagnostics as LSP sends them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.features.convert import to_quick_range
from kro_ls.features.lsp_types import CodeDescription, Location, Position, Range, RelatedInformation, SentDiagnostic
from kro_ls.rules.diagnostics import Diagnostic, Severity
from kro_ls.rules.registry import RULE_OF
from kro_ls.rules.rule import Tag
from kro_ls.uris import file_uri
from kro_ls.workspace.check import check_document

if TYPE_CHECKING:
    from kro_ls.workspace.documents import Document

SOURCE = "kro"

MOST_SHOWN = 1000
"""Editors slow down with more, and nobody reads them."""

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}

_TAGS = {
    Tag.UNNECESSARY: [types.DiagnosticTag.Unnecessary],
    Tag.DEPRECATED: [types.DiagnosticTag.Deprecated],
    None: None,
}


RULE_PAGES = "kro-preview:/rule/"
"""The beginning of the addresses of virtual documents that show pages of rules."""


def diagnostics(
    document: Document, shown: tuple[Diagnostic, ...] | None = None, *, links: bool = False
) -> list[SentDiagnostic]:
    """Return the document's diagnostics, or the `shown` ones; with `links` each leads to its rule's page."""
    chosen = check_document(document).diagnostics if shown is None else shown
    placed = [to_sent(document, each, links=links) for each in chosen[:MOST_SHOWN]]
    if len(chosen) > MOST_SHOWN:
        place = to_quick_range(document, chosen[MOST_SHOWN].span)
        text = f"and {len(chosen) - MOST_SHOWN:,} more; `kro-ls check` lists them all"
        placed.append(SentDiagnostic(place, text, types.DiagnosticSeverity.Information, source=SOURCE))
    return placed


def to_sent(document: Document, diagnostic: Diagnostic, *, links: bool = False) -> SentDiagnostic:
    """Return one diagnostic with ranges in the client's units."""
    place = to_quick_range(document, diagnostic.span)
    related = [
        RelatedInformation(Location(document.uri, to_quick_range(document, each.span)), each.message)
        for each in diagnostic.related
    ]
    for file in diagnostic.files:
        start = Position(max(0, file.line - 1), 0)
        related.append(RelatedInformation(Location(file_uri(file.path), Range(start, start)), file.message))
    if note := diagnostic.kro_note:
        related.append(RelatedInformation(Location(document.uri, place), note))
    return SentDiagnostic(
        place,
        diagnostic.message,
        _SEVERITIES[diagnostic.severity],
        diagnostic.code,
        CodeDescription(f"{RULE_PAGES}{diagnostic.code}.md") if links else None,
        SOURCE,
        related or None,
        _TAGS[RULE_OF[diagnostic.code].tag],
    )


def to_lsp(document: Document, diagnostic: Diagnostic, *, links: bool = False) -> types.Diagnostic:
    """Return the same as lsprotocol has it, for answers that consist of its types."""
    sent = to_sent(document, diagnostic, links=links)
    related = [
        types.DiagnosticRelatedInformation(types.Location(each.location.uri, _range(each.location.range)), each.message)
        for each in sent.related_information or ()
    ]
    return types.Diagnostic(
        range=_range(sent.range),
        message=sent.message,
        severity=sent.severity,
        code=sent.code,
        code_description=types.CodeDescription(sent.code_description.href) if sent.code_description else None,
        source=sent.source,
        related_information=related or None,
        tags=sent.tags,
    )


def _range(found: Range) -> types.Range:
    start, end = (types.Position(each.line, each.character) for each in (found.start, found.end))
    return types.Range(start, end)
