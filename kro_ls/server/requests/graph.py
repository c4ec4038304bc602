"""`kro-ls/graph`: the data of a dependency graph, for clients that draw it themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.server.connection.protocol import NoAnswerError
from kro_ls.server.request import Mode, Request

if TYPE_CHECKING:
    from kro_ls.render.page_data import Graph
    from kro_ls.server.server import KroLanguageServer


async def _graph(server: KroLanguageServer, params: Any) -> Graph:
    from kro_ls.server.previews.graphs import AskedGraph

    uri, number = getattr(params, "uri", None), getattr(params, "definition", 0)
    if not isinstance(uri, str) or not isinstance(number, int | float):
        raise NoAnswerError("'uri' must be a string, 'definition' a number")
    wanted = [getattr(params, name, False) is True for name in ("fields", "instance", "comparison")]
    await server.slow_documents.newest(uri)
    return await server.graphs.answer(AskedGraph(uri, int(number), *wanted))


REGISTERED = (Request("kro-ls/graph", Mode.IN_STEPS, _graph),)
