"""The request for the data of a dependency graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kro_ls.server.server import KroLanguageServer

REQUEST = "kro-ls/graph"


def register_graphs(server: KroLanguageServer) -> None:
    """Register what clients ask that draw graphs themselves."""

    @server.feature(REQUEST)
    async def graph(params: Any) -> dict[str, Any]:
        from pygls.exceptions import JsonRpcInvalidParams

        from kro_ls.server.graphs import AskedGraph
        from kro_ls.server.views import ViewError

        uri, number = getattr(params, "uri", None), getattr(params, "definition", 0)
        if not isinstance(uri, str) or not isinstance(number, int | float):
            raise JsonRpcInvalidParams(f"{REQUEST}: 'uri' must be a string, 'definition' a number")
        wanted = [getattr(params, name, False) is True for name in ("fields", "instance", "comparison")]
        await server.slow_documents.newest(uri)
        try:
            return await server.graphs.answer(AskedGraph(uri, int(number), *wanted))
        except ViewError as error:
            raise JsonRpcInvalidParams(f"{REQUEST}: {error}") from error
