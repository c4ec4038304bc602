"""Publishes the diagnostics of files that are not open, while the user does not type.

Those of open files are published by `publishing.py`.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from kro_ls.server.background import Lane, Tasks, Timers
from kro_ls.server.delays import IDLE_SECONDS
from kro_ls.uris import file_path, file_uri

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from msgspec import Raw

    from kro_ls.server.diagnostics.closed_files import ClosedFiles
    from kro_ls.server.documents.open_documents import DocumentChanged, OpenDocuments
    from kro_ls.workspace.documents import Document

MOST_DIAGNOSTICS = 10_000
"""Of all closed files together."""

logger = logging.getLogger(__name__)


class WorkspacePublisher:
    """Checks one file after the other in a thread, and pauses while open documents are edited or the server is busy.

    `opened` are the open documents by URI. `written` converts a message to JSON, and `send` sends it to the client.
    """

    def __init__(
        self,
        open_documents: OpenDocuments,
        opened: Mapping[str, Document],
        files: ClosedFiles,
        written: Callable[[object], Raw],
        send: Callable[[Raw], None],
    ) -> None:
        self._opened = opened
        self._files = files
        self._open_documents = open_documents
        self._written = written
        self._send = send
        self._lane = Lane("workspace diagnostics")
        self._published: dict[str, tuple[int, int]] = {}
        """The number of diagnostics that the client shows of each closed file, by URI, and a hash of them."""
        self._due = Timers()
        self._passes = Tasks()
        self.enabled = False
        self.links = False
        """Whether the client can show the pages of rules."""

    def inputs_changed(self) -> None:
        """Check all files again soon; the results for unchanged ones are cached."""
        if self.enabled:
            self._due.start(None, IDLE_SECONDS, self._start)

    def enable(self, *, enabled: bool) -> None:
        """Start or stop publishing the diagnostics of closed files."""
        if enabled == self.enabled:
            return
        self.enabled = enabled
        if enabled:
            self.inputs_changed()
        else:
            self.close()
            self._take_back(self._published.keys() - self._opened.keys())
            self._published.clear()

    def document_opened(self, event: DocumentChanged) -> None:
        """Leave a file to `publishing.py` from now on."""
        self._published.pop(event.uri, None)

    def takes_over(self, uri: str, shown: int) -> bool:
        """Replace the diagnostics of a document that was closed, of which so many are shown, with those of its file.

        Return whether closed files are shown.
        """
        if self.enabled:
            if shown:
                self._published[uri] = shown, 0
            self._start((path,) if (path := file_path(uri)) else ())
        return self.enabled

    def close(self) -> None:
        """Stop checking."""
        self._due.stop(None)
        self._passes.cancel()

    def _start(self, first: tuple[str, ...] = ()) -> None:
        self._due.stop(None)
        self._passes.cancel()
        self._passes.start(self._look_at_all(first))

    async def _look_at_all(self, first: tuple[str, ...]) -> None:
        try:
            for path in first:  # it was closed just now, so it comes before all others
                await self._look_at(path)
            await self._open_documents.idle()
            paths = await self._lane.submit(self._files.paths)
            for path in paths:
                await self._open_documents.idle()
                await self._look_at(path)
        except Exception:
            logger.exception("could not look at the files of the workspace")
            return
        self._take_back(self._published.keys() - set(map(file_uri, paths)) - self._opened.keys())

    async def _look_at(self, path: str) -> None:
        uri = file_uri(path)
        if uri in self._opened:
            return
        before = self._published.get(uri)
        room = MOST_DIAGNOSTICS - sum(number for number, _ in self._published.values()) + (before[0] if before else 0)
        try:
            number, digest, message = await self._lane.submit(lambda: self._message(path, uri, before, room))
        except Exception:
            logger.exception("could not look at %s", path)
            return
        if uri in self._opened:
            return
        if message is not None:
            self._send(message)
        if number:
            self._published[uri] = number, digest
        else:
            self._published.pop(uri, None)

    def _message(self, path: str, uri: str, before: tuple[int, int] | None, room: int) -> tuple[int, int, Raw | None]:
        """Return the number of diagnostics of a file, a hash of them, and the message; None if the client has them."""
        from kro_ls.features.diagnostics import diagnostics
        from kro_ls.features.lsp_types import SentDiagnostics

        answer = self._files.found(path)
        document, found = answer or (None, ())
        found = found[: max(room, 0)]
        digest = hash(found)
        if (not found and not before) or (before and before == (len(found), digest)):
            return len(found), digest, None
        sent = diagnostics(document, found, links=self.links) if document else []
        return len(found), digest, self._written(SentDiagnostics(uri, sent))

    def _take_back(self, uris: Iterable[str]) -> None:
        from kro_ls.features.lsp_types import SentDiagnostics

        for uri in sorted(uris):
            self._published.pop(uri, None)
            self._send(self._written(SentDiagnostics(uri, [])))
