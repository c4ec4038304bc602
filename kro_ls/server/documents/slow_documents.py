"""Works on slow documents in threads, one for each, so that they do not delay other documents.

A document is slow while it is not yet analysed and is large or has aliases, while much of its text is new, and after a
diagnosis took long (`Document.is_slow`). Requests about all of a large text, of which editors send several after each
edit, count as slow as well.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from kro_ls.server.background import Lane, give_memory_back, in_loop
from kro_ls.server.connection.protocol import OvertakenError
from kro_ls.server.delays import REST_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.workspace.documents import Document

T = TypeVar("T")


class SlowDocuments:
    """The threads of slow documents. `documents` are the open ones by URI."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._lanes: dict[str, Lane] = {}
        self._given_up: dict[str, Iterator[Diagnosis | None]] = {}
        self.being_prepared: set[str] = set()
        """The URIs of documents that are being prepared; other readers of their texts would repeat the work."""
        self._freeing = Lane("what was replaced", REST_SECONDS)

    def forget(self, uri: str) -> None:
        """Forget a document that was closed."""
        self._lanes.pop(uri, None)
        self._given_up.pop(uri, None)

    def free(self, replaced: list[Any]) -> None:
        """Empty a list of what a newer version of a slow document replaced, in a thread since this may be slow.

        The caller must drop its own references before the next step of the event loop.
        """
        asyncio.get_running_loop().call_soon(self._freeing.submit, replaced.clear)

    def give_memory_back(self) -> None:
        """Return free memory to the system: there is much after a large text was opened or closed."""
        self._freeing.submit(give_memory_back)

    async def worked_out(self, document: Document, work: Callable[[Document], T], *, about_all: bool = False) -> T:
        """Return the result of a job about a document; jobs about a slow one run in its thread, in order.

        The document may have newer settings and kinds then. Raises OvertakenError if its text has changed.
        """
        if not document.is_slow(about_all=about_all):
            return work(document)
        return await self._lane(document.uri).submit(lambda: work(self.current(document)))

    def current(self, document: Document) -> Document:
        """Return the current version of a document, which may have newer settings and kinds.

        Raises OvertakenError if its text has changed or it was closed.
        """
        current = self._documents.get(document.uri)
        if current is None or current.text is not document.text:
            raise OvertakenError
        return current

    async def analysed(self, document: Document) -> Document:
        """Analyse a document and return it, maybe with newer kinds and settings. Raises OvertakenError."""
        previous = None
        while document is not previous:  # newer kinds may have come meanwhile
            await self.worked_out(document, lambda current: current.analysis)
            previous, document = document, self.current(document)
        return document

    async def newest(self, uri: object) -> Document | None:
        """Analyse the newest version of an open document and return it, None if it is not open.

        Requests about a whole document, and not a place in it, are answered for its newest text.
        """
        while isinstance(uri, str) and (document := self._documents.get(uri)):
            with suppress(OvertakenError):
                return await self.analysed(document)
        return None

    async def prepare(self, document: Document, show: Callable[[Diagnosis], None]) -> None:
        """Compute the diagnosis of a document in steps, and show intermediate results. Raises OvertakenError.

        Requests about the document are answered between the steps.
        """
        loop, lane = asyncio.get_running_loop(), self._lane(document.uri)

        def now() -> None:
            started = time.thread_time()
            steps = document.prepared()
            before = self._given_up.pop(document.uri, None)
            self._given_up[document.uri] = steps  # its results are useful for the next version, too
            for diagnosis in steps:
                if self._documents.get(document.uri) is not document:
                    raise OvertakenError
                if diagnosis is not None:
                    in_loop(loop, show, diagnosis)
                lane.do_waiting()
            del before
            self._given_up.pop(document.uri, None)
            document.took(time.thread_time() - started)

        self.being_prepared.add(document.uri)
        is_new = document.is_cold
        try:
            await lane.submit(now)
        finally:
            self.being_prepared.discard(document.uri)
            if document.uri not in self._documents:
                self.forget(document.uri)  # its thread may have stored something after it was closed
            if is_new:
                self.give_memory_back()

    def _lane(self, uri: str) -> Lane:
        return self._lanes.setdefault(uri, Lane(f"slow document {uri}", REST_SECONDS))
