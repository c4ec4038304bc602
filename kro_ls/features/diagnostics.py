"""Diagnostics as LSP sends them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types

from kro_ls.features.convert import to_location, to_range
from kro_ls.features.lsp_types import SentDiagnostic
from kro_ls.rules.diagnostics import Diagnostic, Severity
from kro_ls.rules.registry import RULE_OF
from kro_ls.rules.rule import Tag
from kro_ls.uris import file_uri
from kro_ls.workspace.check import check_document

if TYPE_CHECKING:
    from collections.abc import Callable

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


T = TypeVar("T")

RULE_PAGES = "kro-preview:/rule/"
"""The beginning of the addresses of virtual documents that show pages of rules."""


def diagnostics(
    document: Document, shown: tuple[Diagnostic, ...] | None = None, *, links: bool = False
) -> list[SentDiagnostic]:
    """Return the document's diagnostics, or the `shown` ones; with `links` each leads to its rule's page."""
    chosen = check_document(document).diagnostics if shown is None else shown
    placed = [to_lsp(document, each, SentDiagnostic, links=links) for each in chosen[:MOST_SHOWN]]
    if len(chosen) > MOST_SHOWN:
        place = to_range(document, chosen[MOST_SHOWN].span)
        text = f"and {len(chosen) - MOST_SHOWN:,} more; `kro-ls check` lists them all"
        placed.append(SentDiagnostic(place, text, types.DiagnosticSeverity.Information, source=SOURCE))
    return placed


def to_lsp(document: Document, diagnostic: Diagnostic, make: Callable[..., T], *, links: bool = False) -> T:
    """Return one diagnostic with ranges in the client's units. `make` is a type with the fields of LSP's."""
    place = to_range(document, diagnostic.span)
    related = [
        types.DiagnosticRelatedInformation(to_location(document, each.span), each.message)
        for each in diagnostic.related
    ]
    for file in diagnostic.files:
        start = types.Position(max(0, file.line - 1), 0)
        line = types.Location(file_uri(file.path), types.Range(start, start))
        related.append(types.DiagnosticRelatedInformation(line, file.message))
    if diagnostic.kro_note:
        here = types.Location(document.uri, place)
        related.append(types.DiagnosticRelatedInformation(here, diagnostic.kro_note))
    return make(
        range=place,
        message=diagnostic.message,
        severity=_SEVERITIES[diagnostic.severity],
        code=diagnostic.code,
        code_description=types.CodeDescription(f"{RULE_PAGES}{diagnostic.code}.md") if links else None,
        source=SOURCE,
        related_information=related or None,
        tags=_TAGS[RULE_OF[diagnostic.code].tag],
    )
