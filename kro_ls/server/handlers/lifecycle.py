"""The beginning and the end of a session, settings, and files that change on disk."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.handlers.diagnostics import register_diagnostics
from kro_ls.server.schemas import watcher_registration
from kro_ls.server.server import SECTION
from kro_ls.server.warm_up import start_warming_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.server.server import KroLanguageServer

logger = logging.getLogger(__name__)


def register_lifecycle(server: KroLanguageServer) -> None:
    """Register what does not belong to a document."""

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.initialize(params)
        if not server.publisher.enabled:
            register_diagnostics(server)

    @server.feature(types.INITIALIZED)
    async def initialized(_params: types.InitializedParams) -> None:
        start_warming_up(server.protocol)
        server.schema_keeper.start()
        registrations = list(_registrations(server.client_capabilities.workspace))
        if registrations:
            await server.client_register_capability_async(types.RegistrationParams(registrations))
        await _pull_configuration(server)

    @server.feature(types.SHUTDOWN)
    def shutdown(_params: None) -> None:
        server.schema_keeper.close()
        server.previews.close()
        server.baselines.close()
        server.tested.close()
        server.workspace_publisher.close()
        server.close_pages()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(params: types.DidChangeWatchedFilesParams) -> None:
        from kro_ls.workspace.kustomize import KUSTOMIZATIONS
        from kro_ls.workspace.project_file import PROJECT_FILE

        if any(change.uri.rpartition("/")[2] in (PROJECT_FILE, *KUSTOMIZATIONS) for change in params.changes):
            server.renew()
        server.closed_files.files_changed()
        server.workspace_publisher.inputs_changed()
        server.schema_keeper.files_changed(params.changes)
        for change in params.changes:
            server.baselines.follow(change.uri)
        server.tested.inputs_changed()

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
