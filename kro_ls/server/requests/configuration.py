"""The user's settings: `workspace/didChangeConfiguration`, and asking the client for them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.connection.client import SECTION
from kro_ls.server.request import Notification

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer

logger = logging.getLogger(__name__)


async def _did_change(server: KroLanguageServer, params: types.DidChangeConfigurationParams) -> None:
    if not await pull_configuration(server):
        server.settings.configure(params.settings)


async def pull_configuration(server: KroLanguageServer) -> bool:
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
        server.settings.configure(value)
    return True


REGISTERED = (Notification(types.WORKSPACE_DID_CHANGE_CONFIGURATION, _did_change),)
