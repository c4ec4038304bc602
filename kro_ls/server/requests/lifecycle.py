"""The beginning and the end of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.connection.client import SECTION
from kro_ls.server.connection.warm_up import start_warming_up
from kro_ls.server.inputs.schemas import watcher_registration
from kro_ls.server.request import Notification, register
from kro_ls.server.requests import diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.server.server import KroLanguageServer


def _initialize(server: KroLanguageServer, params: types.InitializeParams) -> None:
    server.initialize(params)
    if not server.publisher.enabled:
        for each in diagnostic.REGISTERED:
            register(server, each)


async def _initialized(server: KroLanguageServer, _params: types.InitializedParams) -> None:
    start_warming_up(server.protocol)
    if server.client_follows_graphs:
        server.graphs.load_later(server.open_documents.idle)
    server.schema_keeper.start()
    registrations = list(_registrations(server.client_capabilities.workspace))
    if registrations:
        await server.client_register_capability_async(types.RegistrationParams(registrations))
    await server.settings.pull()


def _shutdown(server: KroLanguageServer, _params: None) -> None:
    server.close_all()


def _registrations(workspace: types.WorkspaceClientCapabilities | None) -> Iterator[types.Registration]:
    """Yield the notifications to register for, as far as the client supports that."""
    if workspace is None:
        return
    if workspace.did_change_configuration and workspace.did_change_configuration.dynamic_registration:
        yield types.Registration("configuration", types.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": SECTION})
    if workspace.did_change_watched_files and workspace.did_change_watched_files.dynamic_registration:
        yield watcher_registration()


REGISTERED = (
    Notification(types.INITIALIZE, _initialize),
    Notification(types.INITIALIZED, _initialized),
    Notification(types.SHUTDOWN, _shutdown),
)
