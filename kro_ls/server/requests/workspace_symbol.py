"""`workspace/symbol`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from kro_ls.server.background import in_thread
from kro_ls.server.request import Mode, Request

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer


async def _symbol(server: KroLanguageServer, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    from kro_ls.features.navigation.workspace_symbols import workspace_symbols

    files = await server.symbols.files()
    return await in_thread("symbols", lambda: workspace_symbols(params.query, files, server.encoding))


REGISTERED = (Request(types.WORKSPACE_SYMBOL, Mode.IN_STEPS, _symbol, empty=lambda _: []),)
