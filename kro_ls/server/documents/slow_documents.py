"""Works on slow documents in threads, one for each, so that they do not delay other documents.

A document is slow while it is not yet analysed and is large or has aliases, while much of its text is new, and after a
job about it took long. Requests about all of a large text, of which editors send several after each edit, count as slow
as well.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from kro_ls.server.background import Lane, give_memory_back, in_loop
from kro_ls.server.connection.protocol import OvertakenError
from kro_ls.server.delays import LONG_SECONDS, REST_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.workspace.documents import Document

_MUCH_TEXT = 10_000
_ALWAYS_SLOW = 500_000
"""Characters. About a longer text every request is slow, even a list of its parts."""

T = TypeVar("T")


class SlowDocuments:
    """Decides which documents are slow, and works on them. `documents` are the open ones by URI."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._slow: set[str] = set()
        self._lanes: dict[str, Lane] = {}
        self._given_up: dict[str, Iterator[Diagnosis | None]] = {}
        self._being_prepared: set[str] = set()
        self._freeing = Lane("what was replaced", REST_SECONDS)

    def is_slow(self, document: Document, *, about_all: bool = False) -> bool:
        """Whether a job about a version of a document, `about_all` of its text or a place, could delay others."""
        return (
            document.uri in self._slow
            or document.is_cold
            or document.change.length > _MUCH_TEXT
            or len(document.text.content) > (_MUCH_TEXT if about_all else _ALWAYS_SLOW)
        )

    def took(self, document: Document, seconds: float) -> None:
        """Record the processor time of a diagnosis: the next one is likely to take as long.

        After a change of kinds alone a diagnosis is quick, which says nothing about other jobs.
        """
        if seconds > LONG_SECONDS:
            self._slow.add(document.uri)
        elif not document.is_renewed:
            self._slow.discard(document.uri)

    def diagnosed(self, document: Document) -> tuple[Diagnostic, ...]:
        """Return the diagnostics of a document, and record how long they and the analysis took."""
        from kro_ls.workspace.check import check_document

        _ = document.analysis  # its time is recorded, maybe by a previous request
        started = time.thread_time()
        found = check_document(document).diagnostics
        self.took(document, document.analysis_seconds + time.thread_time() - started)
        return found

    def is_being_prepared(self, uri: str) -> bool:
        """Whether a document is being prepared; until then, other readers of its text would repeat the work."""
        return uri in self._being_prepared

    @property
    def is_preparing(self) -> bool:
        """Whether any document is being prepared."""
        return bool(self._being_prepared)

    def forget(self, uri: str) -> None:
        """Forget a document that was closed."""
        self._slow.discard(uri)
        self._lanes.pop(uri, None)
        self._given_up.pop(uri, None)

    def let_go(self, replaced: list[Document]) -> None:
        """Empty a list with a replaced version, in a thread if freeing it may be slow.

        The caller must drop its own reference before the next step of the event loop.
        """
        if self.is_slow(replaced[0]):
            asyncio.get_running_loop().call_soon(self._freeing.submit, replaced.clear)

    def settled(self, document: Document) -> None:
        """Free the version that a document replaced, now that its diagnostics are shown."""
        replaced = [document.without_before()]
        if self.is_slow(document):
            self._freeing.submit(replaced.clear)

    def give_memory_back(self) -> None:
        """Return free memory to the system: there is much after a large text was opened or closed."""
        self._freeing.submit(give_memory_back)

    async def worked_out(self, document: Document, work: Callable[[Document], T], *, about_all: bool = False) -> T:
        """Return the result of a job about a document; jobs about a slow one run in its thread, in order.

        The document may have newer settings and kinds then. Raises OvertakenError if its text has changed.
        """
        if not self.is_slow(document, about_all=about_all):
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
        self._slow.add(document.uri)  # until this version or a later one is done

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
            self.took(document, time.thread_time() - started)

        self._being_prepared.add(document.uri)
        is_new = document.is_cold
        try:
            await lane.submit(now)
        finally:
            self._being_prepared.discard(document.uri)
            if document.uri not in self._documents:
                self.forget(document.uri)  # its thread may have stored something after it was closed
            if is_new:
                self.give_memory_back()

    def _lane(self, uri: str) -> Lane:
        return self._lanes.setdefault(uri, Lane(f"slow document {uri}", REST_SECONDS))
