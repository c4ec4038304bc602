"""`textDocument/diagnostic` and `workspace/diagnostic`, for clients that pull diagnostics."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from kro_ls.server.background import in_thread
from kro_ls.server.delays import LOOK_AGAIN_SECONDS
from kro_ls.server.diagnostics.publishing import diagnosed
from kro_ls.server.request import Mode, Request

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.features.lsp_types import SentReport
    from kro_ls.server.server import KroLanguageServer


async def _diagnostic(
    server: KroLanguageServer, params: types.DocumentDiagnosticParams
) -> types.DocumentDiagnosticReport | SentReport:
    from kro_ls.features.diagnostics import diagnostics
    from kro_ls.features.lsp_types import SentReport

    document = server.documents.get(params.text_document.uri)
    if document is None:
        return _empty(params)
    found = await server.slow_documents.worked_out(document, diagnosed)
    server.publisher.settled(document)
    found = server.held_back.without(document, found)
    result_id = f"{document.version}/{hash(found)}"
    if params.previous_result_id == result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=result_id)
    items = diagnostics(document, found, links=server.client_takes_content)
    return SentReport(items, result_id)


async def _workspace(server: KroLanguageServer, params: types.WorkspaceDiagnosticParams) -> Any:
    # Clients repeat this request all the time; it must not delay answers while the user types.
    while server.open_documents.is_being_edited:
        await asyncio.sleep(LOOK_AGAIN_SECONDS)
    report = await workspace_report(server, params)
    return await in_thread("workspace diagnostics", lambda: server.protocol.written(report))


async def workspace_report(
    server: KroLanguageServer, params: types.WorkspaceDiagnosticParams
) -> types.WorkspaceDiagnosticReport:
    """Return a report for each closed file; the report of an unchanged file only says so.

    The files are checked one by one in a thread, so that other requests are answered meanwhile.
    """
    previous = {each.uri: each.value for each in params.previous_result_ids}
    found: list[types.WorkspaceDocumentDiagnosticReport] = []
    for path in await server.reporting.submit(server.closed_files.paths):
        report = await server.reporting.submit(partial(_report, server, path, previous))
        if report and report.uri not in server.documents:
            found.append(report)
    gone = previous.keys() - {each.uri for each in found} - server.documents.keys()
    found += [types.WorkspaceFullDocumentDiagnosticReport(uri, []) for uri in sorted(gone)]
    return types.WorkspaceDiagnosticReport(found)


def _report(
    server: KroLanguageServer, path: str, previous: Mapping[str, str]
) -> types.WorkspaceDocumentDiagnosticReport | None:
    from kro_ls.features.diagnostics import MOST_SHOWN, to_lsp

    answer = server.closed_files.found(path)
    if answer is None:
        return None
    document, found = answer
    uri, result_id = document.uri, f"{hash(found)}"
    if previous.get(uri) == result_id:
        return types.WorkspaceUnchangedDocumentDiagnosticReport(uri, result_id=result_id)
    links = server.client_takes_content
    items = [to_lsp(document, each, links=links) for each in found[:MOST_SHOWN]]
    return types.WorkspaceFullDocumentDiagnosticReport(uri, items, result_id=result_id)


def _empty(_params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport | SentReport:
    return types.RelatedFullDocumentDiagnosticReport(items=[])


# Kinds come from other files: CRDs, and definitions that are chained.
_OPTIONS = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier="kro")

REGISTERED = (
    Request(types.TEXT_DOCUMENT_DIAGNOSTIC, Mode.IN_STEPS, _diagnostic, _empty, _OPTIONS),
    Request(types.WORKSPACE_DIAGNOSTIC, Mode.IN_STEPS, _workspace, lambda _: types.WorkspaceDiagnosticReport([])),
)
