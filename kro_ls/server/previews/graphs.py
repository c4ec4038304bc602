"""Dependency graphs for clients that draw them: the answers, and reports when a graph may have changed."""

from __future__ import annotations

import asyncio
import logging
from importlib import import_module
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.server.background import Tasks, Timers, in_thread
from kro_ls.server.connection.protocol import NoAnswerError
from kro_ls.server.delays import BURST_SECONDS, DRAWING_SECONDS
from kro_ls.server.inputs.commits import CommittedDefinitions

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from types import ModuleType

    from kro_ls.render.page_data import Graph
    from kro_ls.server.documents.open_documents import DocumentChanged
    from kro_ls.server.previews.keeper import PreviewKeeper
    from kro_ls.workspace.documents import Document

logger = logging.getLogger(__name__)


class AskedGraph(Struct, frozen=True):
    """Which graph is asked for: of a definition by its 0-based place in `uri`, and what to add to it."""

    uri: str
    definition: int = 0
    with_fields: bool = False
    with_instance: bool = False
    with_comparison: bool = False


class GraphKeeper:
    """Answers requests for graphs, and reports changed documents to watchers.

    `documents` are the open ones by URI. `graph_changed` gets the URI of a document whose graph was requested and may
    have changed, once until the next request.
    """

    def __init__(
        self, documents: Mapping[str, Document], previews: PreviewKeeper, graph_changed: Callable[[str], None]
    ) -> None:
        self._documents = documents
        self._previews = previews
        self._graph_changed = graph_changed
        self._watching: list[Callable[[set[str]], None]] = []
        self._watching_cursor: list[Callable[[str, dict[str, int]], None]] = []
        self._asked: set[str] = set()
        self.shown = self._watching, self._asked
        """Without any of these, an edit need not be reported here."""
        self._changed: set[str] = set()
        self._commits = CommittedDefinitions()
        self._due = Timers()
        self._reported_at = 0.0
        self._loading: asyncio.Future[ModuleType] | None = None
        self._tasks = Tasks()

    def load_later(self, idle: Callable[[], Awaitable[None]]) -> None:
        """Load what graphs are drawn with in a moment that is `idle`, so that the first one need not wait for it."""

        async def load() -> None:
            await asyncio.sleep(DRAWING_SECONDS)
            await idle()
            await self.loaded()

        self._tasks.start(load())

    async def loaded(self) -> None:
        """Load what graphs are drawn with, in a thread: it takes longer than other requests should wait."""
        if self._loading is None:
            self._loading = in_thread("drawing", lambda: import_module("kro_ls.analysis.names.longest_chains"))
        await asyncio.shield(self._loading)

    async def answer(self, asked: AskedGraph) -> Graph:
        """Return the graph with all that a drawing shows. Raises NoAnswerError where there is none."""
        from kro_ls.features.previews.graph import graph_answer

        # A client that gets an error now is informed of the edit that makes an answer possible.
        self._asked.add(asked.uri)
        await self.loaded()
        document, preview = self._document(asked), None
        committed = await self._commits.of(document) if asked.with_comparison else None
        document = self._document(asked)
        while asked.with_instance:
            preview = await self._previews.preview(document, asked.definition)
            previewed, document = document, self._document(asked)
            if document.text is previewed.text:
                break
        before = committed.definitions if committed else None
        answer = graph_answer(document, asked.definition, with_fields=asked.with_fields, preview=preview, before=before)
        if committed:
            answer["comparison"] = {"ref": committed.ref, "message": committed.message}
        if asked.with_instance:
            answer["instances"] = self._previews.instances.listed(asked.uri, document.analysis.rgds[asked.definition])
        return answer

    def _document(self, asked: AskedGraph) -> Document:
        document = self._documents.get(asked.uri)
        if document is None:
            raise NoAnswerError(f"'{asked.uri}' is not open in the editor; open it first")
        count = len(document.analysis.rgds)
        if count == 0:
            raise NoAnswerError("No definition can be read in the text at the moment.")
        if not 0 <= asked.definition < count:
            raise NoAnswerError(f"'{asked.uri}' has no definition with the number {asked.definition}, it has {count}")
        return document

    def watch(self, watcher: Callable[[set[str]], None]) -> Callable[[], None]:
        """Call a function with the URIs of documents that changed, until the function that is returned is called."""
        self._watching.append(watcher)
        return lambda: self._watching.remove(watcher)

    def watch_cursor(self, watcher: Callable[[str, dict[str, int]], None]) -> Callable[[], None]:
        """Call a function with the URI and the position of the user's cursor; ends as `watch` does."""
        self._watching_cursor.append(watcher)
        return lambda: self._watching_cursor.remove(watcher)

    def cursor_moved(self, uri: str, position: dict[str, int]) -> None:
        """Report the cursor's position: `line` and `character` in the client's units."""
        for watcher in tuple(self._watching_cursor):
            watcher(uri, position)

    def document_changed(self, event: DocumentChanged) -> None:
        """Report any change of a document soon."""
        self.changed(event.uri)

    def changed(self, uri: str) -> None:
        """Report soon that a document changed; diagnostics come first."""
        if None not in self._due and (self._watching or uri in self._asked):
            rest = self._reported_at + BURST_SECONDS - asyncio.get_running_loop().time()
            self._due.start(None, max(rest, 0), self._report)
        if None in self._due:
            self._changed.add(uri)

    def close(self) -> None:
        """Stop reporting."""
        self._watching.clear()
        self._commits.close()
        self._tasks.cancel()
        self._due.stop(None)

    def _report(self) -> None:
        changed, self._changed = self._changed, set()
        self._reported_at = asyncio.get_running_loop().time()
        for watcher in tuple(self._watching):
            try:
                watcher(changed)
            except Exception:
                logger.exception("could not report that %s changed", changed)
        for uri in changed & self._asked:
            self._asked.discard(uri)
            self._graph_changed(uri)
