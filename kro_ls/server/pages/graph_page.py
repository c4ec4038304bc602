"""The dependency graph as a page: what its script asks for, and what it is sent while the user types."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from lsprotocol import types
from websockets.exceptions import ConnectionClosed

from kro_ls.render.view_files import view_script
from kro_ls.server.graphs import AskedGraph
from kro_ls.server.pages.loopback import Page
from kro_ls.server.views import View, ViewError, render

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

    from kro_ls.server.server import KroLanguageServer

logger = logging.getLogger(__name__)


def graph_page(server: KroLanguageServer, uri: str, definition: int) -> Page:
    """Return the page of a document's graph. Raises ViewsNotBuiltError where this copy of kro-ls has no views."""
    name = uri.rpartition("/")[2]

    async def talk(connection: ServerConnection) -> None:
        await _Conversation(server, connection, AskedGraph(uri, definition)).run()

    return Page(f"{name} – dependency graph", view_script(), talk)


class _Conversation:
    """One browser tab. The messages are those of `editors/views/src/host.ts`."""

    def __init__(self, server: KroLanguageServer, connection: ServerConnection, asked: AskedGraph) -> None:
        self._server = server
        self._connection = connection
        self._asked = asked
        self._changed = asyncio.Event()
        self._sent = ""

    async def run(self) -> None:
        """Talk until the tab is closed or the server ends."""
        unwatch = self._server.graphs.watch(self._told)
        uncursor = self._server.graphs.watch_cursor(self._cursor)
        sender = asyncio.create_task(self._send_changes())
        try:
            async for message in self._connection:
                await self._receive(json.loads(message))
        except (ConnectionClosed, ValueError):
            pass
        finally:
            sender.cancel()
            unwatch()
            uncursor()

    def _told(self, uris: set[str]) -> None:
        if self._asked.uri in uris or self._asked.with_instance:
            self._changed.set()

    def _cursor(self, uri: str, position: dict[str, int]) -> None:
        if uri == self._asked.uri:
            task = asyncio.ensure_future(self._send({"type": "cursor", **position}))
            task.add_done_callback(lambda done: done.exception())

    async def _send_changes(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            await self._send_graph()

    async def _send_graph(self) -> None:
        """Send the graph, unless it is the one that was sent."""
        try:
            message: dict[str, Any] = {"type": "graph", "graph": await self._server.graphs.answer(self._asked)}
        except ViewError as error:
            message = {"type": "gone", "message": str(error)}
        except Exception:
            logger.exception("could not make the graph of %s", self._asked.uri)
            return
        text = msgspec.json.encode(message).decode()
        if text != self._sent:
            self._sent = text
            with suppress(ConnectionClosed):
                await self._connection.send(text)

    async def _send(self, message: dict[str, Any]) -> None:
        with suppress(ConnectionClosed):
            await self._connection.send(json.dumps(message))

    async def _receive(self, message: Any) -> None:
        match message:
            case {"type": "show", "definition": int(number), "fields": bool(fields), "instance": bool(instance)}:
                self._asked = AskedGraph(self._asked.uri, number, fields, instance)
                await self._send_graph()
            case {
                "type": "reveal",
                "range": {
                    "start": {"line": int(line), "character": int(character)},
                    "end": {"line": int(end_line), "character": int(end_character)},
                },
            }:
                self._reveal(types.Range(types.Position(line, character), types.Position(end_line, end_character)))
            case {"type": "export", "format": "mermaid" | "dot" as output_format}:
                view = View("graph", self._asked.uri, self._asked.definition, output_format)
                await self._send({"type": "text", **await render(self._server, view)})
            case _:
                logger.warning("a page sent what no page sends: %.200s", message)

    def _reveal(self, selection: types.Range) -> None:
        if self._server.client_shows_documents:
            shown = types.ShowDocumentParams(self._asked.uri, take_focus=True, selection=selection)
            self._server.window_show_document(shown)
