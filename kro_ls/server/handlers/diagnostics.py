"""Diagnostics for clients that ask for them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from kro_ls.server.handlers.registration import register
from kro_ls.server.worker import Worker, apart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from kro_ls.features.diagnostics import SentReport
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

    def definitions() -> Iterable[Document]:
        from kro_ls.analysis.analysis import may_hold_rgd

        return server.all_documents.definitions(may_hold_rgd)

    # Kinds come from other files: CRDs, and definitions that are chained.
    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier="kro")
    register(server, types.TEXT_DOCUMENT_DIAGNOSTIC, diagnostic, empty=_empty, options=options)
    reports = WorkspaceDiagnostics(server.documents, definitions, lambda: server.client_takes_content)

    async def workspace(params: types.WorkspaceDiagnosticParams) -> Any:
        report = await reports.report(params)
        return await apart("workspace diagnostics", lambda: server.protocol.written(report))

    register(server, types.WORKSPACE_DIAGNOSTIC, workspace, empty=_nothing)


class WorkspaceDiagnostics:
    """Reports on the definitions that are not open, in a thread, so that other requests are answered meanwhile.

    `opened` are the documents that are open, by their URIs. `definitions` gives all documents that may hold some, open
    or on disk. `links` tells whether the client can show the pages of rules.
    """

    def __init__(
        self, opened: Mapping[str, Document], definitions: Callable[[], Iterable[Document]], links: Callable[[], bool]
    ) -> None:
        self._opened = opened
        self._definitions = definitions
        self._links = links
        self._worker = Worker("workspace diagnostics")
        self._known: dict[str, tuple[str, object, object, str]] = {}
        """By URI the text, the kinds and the settings that were looked at, and the result's id."""

    async def report(self, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        """Return a report for each definition on disk; what did not change since the client's last one says so."""
        previous = {each.uri: each.value for each in params.previous_result_ids}
        found: list[types.WorkspaceDocumentDiagnosticReport] = [
            await self._worker.submit(partial(self._report, document, previous.get(document.uri)))
            for document in self._definitions()
            if document.uri not in self._opened
        ]
        uris = {each.uri for each in found}
        for uri in self._known.keys() - uris:
            self._known.pop(uri, None)
        gone = previous.keys() - uris - self._opened.keys()
        found += [types.WorkspaceFullDocumentDiagnosticReport(uri, []) for uri in sorted(gone)]
        return types.WorkspaceDiagnosticReport(found)

    def _report(self, document: Document, previous: str | None) -> types.WorkspaceDocumentDiagnosticReport:
        from kro_ls.features.diagnostics import found_diagnostics, to_lsp

        uri, inputs = document.uri, (document.text.content, document.schemas, document.settings)
        known = self._known.get(uri)
        if known and previous == known[3] and known[:3] == inputs:
            return types.WorkspaceUnchangedDocumentDiagnosticReport(uri, result_id=previous)
        found = found_diagnostics(document)
        result_id = f"{hash(found)}"
        self._known[uri] = (*inputs, result_id)
        if previous == result_id:
            return types.WorkspaceUnchangedDocumentDiagnosticReport(uri, result_id=result_id)
        items = [to_lsp(document, diagnostic, types.Diagnostic, links=self._links()) for diagnostic in found]
        return types.WorkspaceFullDocumentDiagnosticReport(uri, items, result_id=result_id)


def _nothing(_params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    return types.WorkspaceDiagnosticReport([])


def _empty(_params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport | SentReport:
    return types.RelatedFullDocumentDiagnosticReport(items=[])
