"""What pages have in common: they get updates while the user types, and can reveal places in the editor."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from lsprotocol import types
from websockets.exceptions import ConnectionClosed

from kro_ls.server.background import Tasks
from kro_ls.server.connection.protocol import NoAnswerError

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

    from kro_ls.server.server import KroLanguageServer

logger = logging.getLogger(__name__)


class Conversation:
    """One browser tab with a view of a document. The messages are those of `editors/views/src/messages.ts`."""

    def __init__(self, server: KroLanguageServer, connection: ServerConnection, uri: str) -> None:
        self.server = server
        self.uri = uri
        self._connection = connection
        self._has_news = asyncio.Event()
        self._is_stale = False
        self._sent = ""
        self._cursor_at: dict[str, int] | None = None

    async def shown(self) -> dict[str, Any]:
        """Return the message with the content of the view. Raises NoAnswerError if there is none."""
        raise NotImplementedError

    async def receive(self, message: Any) -> bool:
        """Handle a message of the view; return whether it was understood."""
        raise NotImplementedError

    def concerns(self, uris: set[str]) -> bool:
        """Return whether edits of these documents may change the content."""
        return self.uri in uris

    async def run(self) -> None:
        """Talk until the tab is closed or the server ends."""
        unwatch = self.server.graphs.watch(self._documents_changed)
        uncursor = self.server.graphs.watch_cursor(self._cursor)
        sending = Tasks()
        sending.start(self._send_changes())
        try:
            async for message in self._connection:
                await self._receive(json.loads(message))
        except (ConnectionClosed, ValueError, RecursionError):
            pass
        finally:
            sending.cancel()
            unwatch()
            uncursor()

    def show(self) -> None:
        """Send the view its content unless it has that."""
        self._is_stale = True
        self._has_news.set()

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message, if the tab is still there."""
        with suppress(ConnectionClosed):
            await self._connection.send(json.dumps(message))

    def _documents_changed(self, uris: set[str]) -> None:
        if self.concerns(uris):
            self.show()

    def _cursor(self, uri: str, position: dict[str, int]) -> None:
        if uri == self.uri:
            self._cursor_at = position
            self._has_news.set()

    async def _send_changes(self) -> None:
        while True:
            await self._has_news.wait()
            self._has_news.clear()
            if self._cursor_at is not None:
                cursor, self._cursor_at = self._cursor_at, None
                await self.send({"type": "cursor", **cursor})
            if not self._is_stale:
                continue
            self._is_stale = False
            try:
                message = await self.shown()
            except NoAnswerError as error:
                message = {"type": "gone", "message": str(error)}
            except Exception:
                logger.exception("could not make a view of %s", self.uri)
                continue
            text = msgspec.json.encode(message).decode()
            if text != self._sent:
                self._sent = text
                with suppress(ConnectionClosed):
                    await self._connection.send(text)

    async def _receive(self, message: Any) -> None:
        match message:
            case {
                "type": "reveal",
                "range": {
                    "start": {"line": int(line), "character": int(character)},
                    "end": {"line": int(end_line), "character": int(end_character)},
                },
                "takesFocus": bool(takes_focus),
            }:
                place = types.Range(types.Position(line, character), types.Position(end_line, end_character))
                self._reveal(place, takes_focus=takes_focus)
            case {"type": "choose", "definition": int(number), "instance": str() | None as instance}:
                if instance is not None:
                    await self.server.previews.instances.text_of(instance)
                self.server.previews.instances.choose(self.uri, number, instance)
                self.show()
            case _:
                if not await self.receive(message):
                    logger.warning("a page sent what no page sends: %.200s", message)

    def _reveal(self, selection: types.Range, *, takes_focus: bool) -> None:
        if self.server.client_shows_documents:
            shown = types.ShowDocumentParams(self.uri, take_focus=takes_focus, selection=selection)
            self.server.window_show_document(shown)
