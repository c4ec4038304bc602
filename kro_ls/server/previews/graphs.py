"""Dependency graphs for clients that draw them: the request, and who is told when one may be another one."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.server.background import Timers
from kro_ls.server.connection.no_answer import NoAnswerError
from kro_ls.server.delays import BURST_SECONDS
from kro_ls.server.previews.commits import CommittedDefinitions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kro_ls.render.page_data import Graph
    from kro_ls.server.events import DocumentChanged
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
    """Answers for graphs, and tells those who watch that documents changed.

    `documents` are those that are open, by their URIs. `graph_changed` is called with the URI of a document whose graph
    was asked for and may be another one now, once until it is asked for again.
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
        self._changed: set[str] = set()
        self._commits = CommittedDefinitions()
        self._due = Timers()
        self._told_at = 0.0

    async def answer(self, asked: AskedGraph) -> Graph:
        """Return the graph with all that a drawing shows. Raises NoAnswerError where there is none."""
        from kro_ls.features.previews.graph import graph_answer

        # Whoever is refused now hears of the edit that makes an answer possible.
        self._asked.add(asked.uri)
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

    def watch(self, told: Callable[[set[str]], None]) -> Callable[[], None]:
        """Have a function called with the URIs of documents that changed; the answer ends that."""
        self._watching.append(told)
        return lambda: self._watching.remove(told)

    def watch_cursor(self, told: Callable[[str, dict[str, int]], None]) -> Callable[[], None]:
        """Have a function called with a URI and a position when the user's cursor goes there; the answer ends that."""
        self._watching_cursor.append(told)
        return lambda: self._watching_cursor.remove(told)

    def cursor_moved(self, uri: str, position: dict[str, int]) -> None:
        """Tell of the cursor's new place: `line` and `character` in the client's units."""
        for told in tuple(self._watching_cursor):
            told(uri, position)

    def document_changed(self, event: DocumentChanged) -> None:
        """Tell soon of whatever happens to a document."""
        self.changed(event.uri)

    def changed(self, uri: str) -> None:
        """Take note of an edit, and tell of it soon: diagnostics come first."""
        if None not in self._due and (self._watching or uri in self._asked):
            rest = self._told_at + BURST_SECONDS - asyncio.get_running_loop().time()
            self._due.start(None, max(rest, 0), self._tell)
        if None in self._due:
            self._changed.add(uri)

    def close(self) -> None:
        """Tell nobody any more."""
        self._watching.clear()
        self._commits.close()
        self._due.stop(None)

    def _tell(self) -> None:
        changed, self._changed = self._changed, set()
        self._told_at = asyncio.get_running_loop().time()
        for told in tuple(self._watching):
            try:
                told(changed)
            except Exception:
                logger.exception("could not tell that %s changed", changed)
        for uri in changed & self._asked:
            self._asked.discard(uri)
            self._graph_changed(uri)
