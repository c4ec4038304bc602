"""Connects LSP messages to the server and the features.

Features are imported when they are first used, so that a client's `initialize` is answered without them. A feature
that fails answers empty, is logged, and the server lives on.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from lsprotocol import types

from kro_ls.server.commands import register_commands
from kro_ls.server.schemas import watcher_registration
from kro_ls.server.server import SECTION, KroLanguageServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.workspace.documents import Document

logger = logging.getLogger(__name__)

Params = ParamSpec("Params")
Result = TypeVar("Result")


def create_server() -> KroLanguageServer:
    """Return a server with every feature registered."""
    server = KroLanguageServer()
    _register_lifecycle(server)
    _register_synchronisation(server)
    _register_features(server)
    register_commands(server)
    return server


def _register_lifecycle(server: KroLanguageServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.initialize(params)
        if not server.publisher.enabled:
            _register_pull_diagnostics(server)

    @server.feature(types.INITIALIZED)
    async def initialized(_params: types.InitializedParams) -> None:
        server.schema_keeper.start()
        registrations = list(_registrations(server.client_capabilities.workspace))
        if registrations:
            await server.client_register_capability_async(types.RegistrationParams(registrations))
        await _pull_configuration(server)

    @server.feature(types.SHUTDOWN)
    def shutdown(_params: None) -> None:
        server.schema_keeper.close()
        server.previews.close()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(params: types.DidChangeWatchedFilesParams) -> None:
        server.schema_keeper.files_changed(params.changes)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_workspace_folders(_params: types.DidChangeWorkspaceFoldersParams) -> None:
        server.schema_keeper.reload()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        if not await _pull_configuration(server):
            server.configure(params.settings)


def _registrations(workspace: types.WorkspaceClientCapabilities | None) -> Iterator[types.Registration]:
    """Yield what to ask the client to tell us, as far as it can be asked."""
    if workspace is None:
        return
    if workspace.did_change_configuration and workspace.did_change_configuration.dynamic_registration:
        yield types.Registration("configuration", types.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": SECTION})
    if workspace.did_change_watched_files and workspace.did_change_watched_files.dynamic_registration:
        yield watcher_registration()


async def _pull_configuration(server: KroLanguageServer) -> bool:
    """Ask the client for its settings; return False where it cannot be asked."""
    workspace = server.client_capabilities.workspace
    if workspace is None or not workspace.configuration:
        return False
    params = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
    try:
        (value,) = await server.workspace_configuration_async(params)
    except Exception:
        logger.exception("the client did not answer workspace/configuration; the settings stay as they are")
        return True
    if value is not None:
        server.configure(value)
    return True


def _register_synchronisation(server: KroLanguageServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        server.open(server.make_document(item.uri, item.version, item.text))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        from kro_ls.workspace.documents import Edit

        document = server.documents.get(params.text_document.uri)
        if document is None:
            logger.warning("an edit of %s, which is not open", params.text_document.uri)
            return
        if document.version is not None and params.text_document.version < document.version:
            logger.warning("edits of %s came out of order: %s", document.uri, params.text_document)
        edits = []
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = change.range.start, change.range.end
                edits.append(Edit(change.text, (start.line, start.character), (end.line, end.character)))
            else:
                edits.append(Edit(change.text))
        server.change(document.edited(params.text_document.version, tuple(edits)))

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)


def _register_pull_diagnostics(server: KroLanguageServer) -> None:
    options = types.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=False, identifier="kro")

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def diagnostic(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        from kro_ls.features.diagnostics import found_diagnostics, to_lsp

        document = server.documents.get(params.text_document.uri)
        if document is None:
            return types.RelatedFullDocumentDiagnosticReport(items=[])
        try:
            if document.is_cold:
                await asyncio.wait([server.preparer.start(document, lambda _: None)])
            found = found_diagnostics(document, document.diagnosis)
        except Exception:
            logger.exception("could not analyse %s, version %s", document.uri, document.version)
            return types.RelatedFullDocumentDiagnosticReport(items=[])
        result_id = f"{document.version}/{hash(found)}"
        if params.previous_result_id == result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id=result_id)
        items = [to_lsp(document, diagnostic) for diagnostic in found]
        return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=result_id)


def _contained(
    document: Document | None,
    feature: Callable[Concatenate[Document, Params], Result],
    *args: Params.args,
    **kwargs: Params.kwargs,
) -> Result | None:
    """Call the feature; None where it fails or the document is not open."""
    if document is None:
        return None
    try:
        return feature(document, *args, **kwargs)
    except Exception:
        logger.exception("a feature failed on %s, version %s", document.uri, document.version)
        return None


def _register_features(server: KroLanguageServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        from kro_ls.features.hover.hover import definition_of_expression
        from kro_ls.features.hover.hover import hover as feature

        document = server.documents.get(params.text_document.uri)
        number = _contained(document, definition_of_expression, params.position)
        preview = None if document is None or number is None else await server.previews.at_hand(document, number)
        return _contained(document, feature, params.position, preview)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> types.Location | None:
        from kro_ls.features.navigation.definition import definition as feature

        return _contained(server.documents.get(params.text_document.uri), feature, params.position)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(params: types.ReferenceParams) -> list[types.Location] | None:
        from kro_ls.features.navigation.references import references as feature

        include = params.context.include_declaration
        return _contained(
            server.documents.get(params.text_document.uri), feature, params.position, include_declaration=include
        )

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def document_highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
        from kro_ls.features.navigation.references import document_highlights as feature

        return _contained(server.documents.get(params.text_document.uri), feature, params.position)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def document_symbol(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        from kro_ls.features.navigation.symbols import document_symbols as feature

        return _contained(server.documents.get(params.text_document.uri), feature)

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding_range(params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
        from kro_ls.features.navigation.folding import folding_ranges as feature

        return _contained(server.documents.get(params.text_document.uri), feature)

    _register_completion(server)
    _register_inlay_hints(server)
    _register_code_lenses(server)
    _register_changes(server)


def _register_completion(server: KroLanguageServer) -> None:
    completion_options = types.CompletionOptions(trigger_characters=[".", "{", "[", '"', "'"], resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, completion_options)
    def completion(params: types.CompletionParams) -> types.CompletionList | None:
        from kro_ls.features.completion.completion import completion as feature

        return _contained(
            server.documents.get(params.text_document.uri),
            feature,
            params.position,
            snippets=server.client_takes_snippets,
            shared_range=server.client_takes_shared_range,
        )

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    def resolve(item: types.CompletionItem) -> types.CompletionItem:
        from kro_ls.features.completion.completion import resolve as feature

        try:
            return feature(item, server.documents)
        except Exception:
            logger.exception("could not describe the completion %s", item.label)
            return item

    @server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=["(", ","]))
    def signature_help(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        from kro_ls.features.hints.signature_help import signature_help as feature

        return _contained(
            server.documents.get(params.text_document.uri),
            feature,
            params.position,
            label_offsets=server.client_takes_label_offsets,
        )


def _register_inlay_hints(server: KroLanguageServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hint(params: types.InlayHintParams) -> list[types.InlayHint] | None:
        from kro_ls.features.hints.inlay_hints import inlay_hints as feature

        document = server.documents.get(params.text_document.uri)
        previews = await server.previews.all_at_hand(document) if document and server.shows_values else []
        return _contained(document, feature, params.range, server.settings.inlay_hints, previews)


def _register_code_lenses(server: KroLanguageServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def code_lens(params: types.CodeLensParams) -> list[types.CodeLens] | None:
        from kro_ls.features.hints.code_lenses import code_lenses as feature

        return _contained(server.documents.get(params.text_document.uri), feature)

    @server.feature(types.CODE_LENS_RESOLVE)
    async def resolve_code_lens(lens: types.CodeLens) -> types.CodeLens:
        from kro_ls.features.hints.code_lenses import place_of
        from kro_ls.features.hints.code_lenses import resolve as feature

        uri, number = place_of(lens)
        document = server.documents.get(uri)
        preview = None
        if document and number < len(document.analysis.rgds):
            preview = await server.previews.at_hand(document, number)
        return feature(lens, preview)


def _register_changes(server: KroLanguageServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([types.CodeActionKind.QuickFix]))
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction] | None:
        from kro_ls.features.actions.code_actions import code_actions as feature

        return _contained(server.documents.get(params.text_document.uri), feature, params.range)

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        from kro_ls.features.actions.rename import prepare_rename as feature

        return _contained(server.documents.get(params.text_document.uri), feature, params.position)

    @server.feature(types.TEXT_DOCUMENT_RENAME)
    def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        from pygls.exceptions import JsonRpcInvalidParams

        from kro_ls.features.actions.rename import RenameError
        from kro_ls.features.actions.rename import rename as feature

        document = server.documents.get(params.text_document.uri)
        try:
            return feature(document, params.position, params.new_name) if document else None
        except RenameError as error:
            raise JsonRpcInvalidParams(str(error)) from error
