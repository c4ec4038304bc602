"""`workspace/didChangeConfiguration`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.request import Notification

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer


async def _did_change(server: KroLanguageServer, params: types.DidChangeConfigurationParams) -> None:
    if not await server.settings.pull():
        server.settings.configure(params.settings)


REGISTERED = (Notification(types.WORKSPACE_DID_CHANGE_CONFIGURATION, _did_change),)
