"""Diagnostics as LSP sends them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.analysis.diagnostics import Diagnostic, Severity
from kro_ls.features.convert import to_location, to_range

if TYPE_CHECKING:
    from kro_ls.workspace.documents import Document

SOURCE = "kro"

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}


def diagnostics(document: Document) -> list[types.Diagnostic]:
    """Return the document's diagnostics in the order of the text."""
    return [to_lsp(document, diagnostic) for diagnostic in document.analysis.diagnostics]


def to_lsp(document: Document, diagnostic: Diagnostic) -> types.Diagnostic:
    """Return one diagnostic with ranges in the client's units."""
    related = [
        types.DiagnosticRelatedInformation(to_location(document, each.span), each.message)
        for each in diagnostic.related
    ]
    return types.Diagnostic(
        range=to_range(document, diagnostic.span),
        message=diagnostic.message,
        severity=_SEVERITIES[diagnostic.severity],
        code=diagnostic.code,
        source=SOURCE,
        related_information=related or None,
    )
