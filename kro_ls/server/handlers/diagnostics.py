"""Diagnostics for clients that ask for them."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from kro_ls.server.handlers.registration import register
from kro_ls.server.worker import Worker, apart
from kro_ls.server.workspace_publishing import IDLE_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kro_ls.features.diagnostics import SentReport
    from kro_ls.server.closed_files import ClosedFiles
    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document


def register_diagnostics(server: KroLanguageServer) -> None:
    """Register the request for diagnostics."""

    async def diagnostic(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport | SentReport:
        from kro_ls.features.diagnostics import SentReport, diagnostics

        document = server.documents.get(params.text_document.uri)
        if document is None:
            return _empty(params)
        known = await server.slow_documents.worked_out(document, server.slow_documents.diagnosed)
        server.slow_documents.settled(document)
        found = server.held_back.without(document, known)
        result_id = f"{document.version}/{hash(found)}"
        if params.previous_result_id == result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id=result_id)
        items = diagnostics(document, found, links=server.client_takes_content)
        return SentReport(items, result_id)

    # Kinds come from other files: CRDs, and definitions that are chained.
    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier="kro")
    register(server, types.TEXT_DOCUMENT_DIAGNOSTIC, diagnostic, empty=_empty, options=options)
    reports = WorkspaceDiagnostics(server.documents, server.closed_files, lambda: server.client_takes_content)

    async def calm() -> None:
        while server.is_being_edited:
            await asyncio.sleep(IDLE_SECONDS / 5)

    async def workspace(params: types.WorkspaceDiagnosticParams) -> Any:
        await calm()  # whoever types waits for nobody; a client asks again and again, as long as it is open
        report = await reports.report(params)
        return await apart("workspace diagnostics", lambda: server.protocol.written(report))

    register(server, types.WORKSPACE_DIAGNOSTIC, workspace, empty=_nothing)


class WorkspaceDiagnostics:
    """Reports on the files that are not open, in a thread, so that other requests are answered meanwhile.

    `opened` are the documents that are open, by their URIs. `links` tells whether the client can show the pages of
    rules.
    """

    def __init__(self, opened: Mapping[str, Document], files: ClosedFiles, links: Callable[[], bool]) -> None:
        self._opened = opened
        self._files = files
        self._links = links
        self._worker = Worker("workspace diagnostics")

    async def report(self, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        """Return a report for each file on disk; what did not change since the client's last one says so."""
        previous = {each.uri: each.value for each in params.previous_result_ids}
        found: list[types.WorkspaceDocumentDiagnosticReport] = []
        for path in await self._worker.submit(self._files.paths):
            report = await self._worker.submit(partial(self._report, path, previous))
            if report and report.uri not in self._opened:
                found.append(report)
        gone = previous.keys() - {each.uri for each in found} - self._opened.keys()
        found += [types.WorkspaceFullDocumentDiagnosticReport(uri, []) for uri in sorted(gone)]
        return types.WorkspaceDiagnosticReport(found)

    def _report(self, path: str, previous: Mapping[str, str]) -> types.WorkspaceDocumentDiagnosticReport | None:
        from kro_ls.features.diagnostics import MOST_SHOWN, to_lsp

        answer = self._files.found(path)
        if answer is None:
            return None
        document, found = answer
        uri, result_id = document.uri, f"{hash(found)}"
        if previous.get(uri) == result_id:
            return types.WorkspaceUnchangedDocumentDiagnosticReport(uri, result_id=result_id)
        items = [to_lsp(document, each, types.Diagnostic, links=self._links()) for each in found[:MOST_SHOWN]]
        return types.WorkspaceFullDocumentDiagnosticReport(uri, items, result_id=result_id)


def _nothing(_params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    return types.WorkspaceDiagnosticReport([])


def _empty(_params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport | SentReport:
    return types.RelatedFullDocumentDiagnosticReport(items=[])
