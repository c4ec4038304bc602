"""The pages: a dependency graph, and the passes of a preview under a scenario that the user edits there."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

from kro_ls.render.pictures import WAITING, skeleton, view_script
from kro_ls.server.connection.loopback import Page
from kro_ls.server.connection.protocol import NoAnswerError, OvertakenError
from kro_ls.server.delays import AGAIN_SECONDS
from kro_ls.server.previews.graphs import AskedGraph
from kro_ls.server.views.assistance import assistance
from kro_ls.server.views.conversation import Conversation
from kro_ls.server.views.scenarios import preview_answer, test_answer
from kro_ls.server.views.virtual_documents import View, render

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from websockets.asyncio.server import ServerConnection

    from kro_ls.server.server import KroLanguageServer


def graph_page(server: KroLanguageServer, uri: str, definition: int) -> Page:
    """Return the page of a document's graph. Raises ViewsNotBuiltError if this copy of kro-ls has no views."""
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


T = TypeVar("T")

logger = logging.getLogger(__name__)


def preview_page(server: KroLanguageServer, uri: str, definition: int) -> Page:
    """Return the page of a document's preview. Raises ViewsNotBuiltError if this copy of kro-ls has no views."""
    name = uri.rpartition("/")[2]

    async def talk(connection: ServerConnection) -> None:
        conversation = _PreviewConversation(server, connection, uri, definition)
        try:
            await conversation.run()
        finally:
            server.previews.explorations.left(conversation, uri, definition)

    scripts = {"view.js": view_script("preview"), "editor.js": view_script("editor")}
    return Page(f"{name} – preview", scripts, *skeleton("Making the preview…"), talk)


class _PreviewConversation(Conversation):
    def __init__(self, server: KroLanguageServer, connection: ServerConnection, uri: str, definition: int) -> None:
        super().__init__(server, connection, uri)
        self._definition = definition
        self._asked = self._params({})

    async def shown(self) -> dict[str, Any]:
        return {"type": "preview", "preview": await _answered(lambda: preview_answer(self.server, self._asked, self))}

    def concerns(self, uris: set[str]) -> bool:
        return bool(uris)  # the instance is in another document

    async def receive(self, message: Any) -> bool:
        match message:
            case {"type": "preview", "scenario": dict(scenario)}:
                self._asked = self._params(scenario)
                self.show()
            case {"type": "test", "scenario": dict(scenario)}:
                await self._send_test(self._params(scenario))
            case {"type": "assist", "number": int(number), "question": dict(question)}:
                answer = await self._assistance(question)
                await self.send({"type": "assistance", "number": number, "answer": answer})
            case _:
                return False
        return True

    async def _send_test(self, asked: SimpleNamespace) -> None:
        try:
            answer = await _answered(lambda: test_answer(self.server, asked, self))
            await self.send({"type": "text", **answer})
        except NoAnswerError as error:
            await self.send({"type": "problem", "message": str(error)})
        self.show()

    async def _assistance(self, question: dict[str, Any]) -> Any:
        try:
            return await assistance(self.server, self.uri, self._definition, question)
        except NoAnswerError:
            return None  # the definition is gone, which the page shows anyway
        except Exception:
            logger.exception("could not help with a text of %s", self.uri)
            return None

    def _params(self, scenario: Mapping[str, object]) -> SimpleNamespace:
        given = SimpleNamespace(**scenario)
        if isinstance(readable := scenario.get("readable"), dict):
            given.readable = SimpleNamespace(**readable)
        return SimpleNamespace(uri=self.uri, definition=self._definition, scenario=given)


async def _answered(ask: Callable[[], Awaitable[T]]) -> T:
    """Return an answer, and repeat the request while edits and newer questions replace it."""
    while True:
        try:
            return await ask()
        except OvertakenError:
            await asyncio.sleep(AGAIN_SECONDS)
