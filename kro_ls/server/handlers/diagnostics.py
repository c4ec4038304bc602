"""Diagnostics for clients that ask for them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.handlers.registration import register

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer


def register_diagnostics(server: KroLanguageServer) -> None:
    """Register the request for diagnostics."""

    async def diagnostic(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        from kro_ls.features.diagnostics import found_diagnostics, to_lsp

        document = server.documents.get(params.text_document.uri)
        if document is None:
            return _empty(params)
        if document.is_cold:
            await asyncio.wait([server.preparer.start(document, lambda _: None)])
        found = found_diagnostics(document)
        result_id = f"{document.version}/{hash(found)}"
        if params.previous_result_id == result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id=result_id)
        items = [to_lsp(document, diagnostic) for diagnostic in found]
        return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=result_id)

    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="kro")
    register(server, types.TEXT_DOCUMENT_DIAGNOSTIC, diagnostic, empty=_empty, options=options)


def _empty(_params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    return types.RelatedFullDocumentDiagnosticReport(items=[])
