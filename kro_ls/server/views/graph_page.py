"""The dependency graph as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kro_ls.render.graph_page import WAITING
from kro_ls.render.view_files import skeleton, view_script
from kro_ls.server.connection.loopback import Page
from kro_ls.server.connection.no_answer import NoAnswerError
from kro_ls.server.previews.graphs import AskedGraph
from kro_ls.server.views.conversation import Conversation
from kro_ls.server.views.virtual_documents import View, render

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

    from kro_ls.server.server import KroLanguageServer


def graph_page(server: KroLanguageServer, uri: str, definition: int) -> Page:
    """Return the page of a document's graph. Raises ViewsNotBuiltError where this copy of kro-ls has no views."""
    name = uri.rpartition("/")[2]

    async def talk(connection: ServerConnection) -> None:
        await _GraphConversation(server, connection, AskedGraph(uri, definition)).run()

    return Page(f"{name} – dependency graph", {"view.js": view_script("graph")}, *skeleton(WAITING), talk)


class _GraphConversation(Conversation):
    def __init__(self, server: KroLanguageServer, connection: ServerConnection, asked: AskedGraph) -> None:
        super().__init__(server, connection, asked.uri)
        self._asked = asked

    async def shown(self) -> dict[str, Any]:
        return {"type": "graph", "graph": await self.server.graphs.answer(self._asked)}

    def concerns(self, uris: set[str]) -> bool:
        return self.uri in uris or self._asked.with_instance

    async def receive(self, message: Any) -> bool:
        match message:
            case {
                "type": "show",
                "definition": int(number),
                "fields": bool(fields),
                "instance": bool(instance),
                "comparison": bool(comparison),
            }:
                self._asked = AskedGraph(self.uri, number, fields, instance, comparison)
                self.show()
            case {"type": "export", "format": "mermaid" | "dot" as output_format}:
                view = View("graph", self.uri, self._asked.definition, output_format)
                try:
                    await self.send({"type": "text", **await render(self.server, view)})
                except NoAnswerError as error:
                    await self.send({"type": "gone", "message": str(error)})
            case _:
                return False
        return True
