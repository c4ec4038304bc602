"""Works on documents that take long in threads, one for each of them, so that all others get their turn meanwhile.

What takes long is not known before. A document is slow when nothing is known of it yet and it is large or has aliases,
while a lot of text is new in it, and after something about it took long. What an editor asks about all of a large text,
many things at once after each edit, takes long, too, compared with what a person waits for in another document.
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
"""Characters from which on something always takes long, be it only a list of all that is in the text."""

T = TypeVar("T")


class SlowDocuments:
    """Knows which documents are slow, and works on them. `documents` are those that are open, by their URIs."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._slow: set[str] = set()
        self._lanes: dict[str, Lane] = {}
        self._given_up: dict[str, Iterator[Diagnosis | None]] = {}
        self._being_prepared: set[str] = set()
        self._freeing = Lane("what was replaced", REST_SECONDS)

    def is_slow(self, document: Document, *, about_all: bool = False) -> bool:
        """Whether work on a version of a document, `about_all` of its text or a place, could hold up others."""
        return (
            document.uri in self._slow
            or document.is_cold
            or document.change.length > _MUCH_TEXT
            or len(document.text.content) > (_MUCH_TEXT if about_all else _ALWAYS_SLOW)
        )

    def took(self, document: Document, seconds: float) -> None:
        """Take note of the processor time that a diagnosis took: the next one is likely to take as long.

        That of a text whose kinds alone are new is quick, and tells nothing of what else will be asked of the text.
        """
        if seconds > LONG_SECONDS:
            self._slow.add(document.uri)
        elif not document.is_renewed:
            self._slow.discard(document.uri)

    def diagnosed(self, document: Document) -> tuple[Diagnostic, ...]:
        """Return what is found in a document, and take note of how long that and its analysis took."""
        from kro_ls.workspace.check import check_document

        _ = document.analysis  # which took its own time, maybe for a request that came before
        started = time.thread_time()
        found = check_document(document).diagnostics
        self.took(document, document.analysis_seconds + time.thread_time() - started)
        return found

    def is_being_prepared(self, uri: str) -> bool:
        """Whether a document is being worked out: until then, what else reads its text would do the same again."""
        return uri in self._being_prepared

    @property
    def is_preparing(self) -> bool:
        """Whether any document is being worked out."""
        return bool(self._being_prepared)

    def forget(self, uri: str) -> None:
        """Let go of a document that was closed."""
        self._slow.discard(uri)
        self._lanes.pop(uri, None)
        self._given_up.pop(uri, None)

    def let_go(self, replaced: list[Document]) -> None:
        """Empty a list with a version that nobody needs any more: in a thread, if much may go with it.

        What called this is to have let go of it, too, when the loop comes to the next step.
        """
        if self.is_slow(replaced[0]):
            asyncio.get_running_loop().call_soon(self._freeing.submit, replaced.clear)

    def settled(self, document: Document) -> None:
        """Free what was replaced by a version that is worked out and shown: nobody waits for it then."""
        replaced = [document.without_before()]
        if self.is_slow(document):
            self._freeing.submit(replaced.clear)

    def give_memory_back(self) -> None:
        """Have what is free returned: it is a lot after a large text was opened or closed."""
        self._freeing.submit(give_memory_back)

    async def worked_out(self, document: Document, work: Callable[[Document], T], *, about_all: bool = False) -> T:
        """Return what work on a document gives; that on a slow one is done in its thread, in the order of asking.

        The document has newer settings and kinds then, it may be. Raises OvertakenError when it has another text.
        """
        if not self.is_slow(document, about_all=about_all):
            return work(document)
        return await self._lane(document.uri).submit(lambda: work(self.current(document)))

    def current(self, document: Document) -> Document:
        """Return a document as it is now, with newer settings and kinds, it may be.

        Raises OvertakenError when it has another text, or was closed.
        """
        current = self._documents.get(document.uri)
        if current is None or current.text is not document.text:
            raise OvertakenError
        return current

    async def analysed(self, document: Document) -> Document:
        """Return a document, maybe with newer kinds and settings, once it is analysed. Raises OvertakenError."""
        previous = None
        while document is not previous:  # newer kinds may have come meanwhile
            await self.worked_out(document, lambda current: current.analysis)
            previous, document = document, self.current(document)
        return document

    async def newest(self, uri: object) -> Document | None:
        """Return an open document once its newest text is analysed, None where it is not open.

        What asks about a whole document, and not about a place in it, is answered for the text that an edit left.
        """
        while isinstance(uri, str) and (document := self._documents.get(uri)):
            with suppress(OvertakenError):
                return await self.analysed(document)
        return None

    async def prepare(self, document: Document, show: Callable[[Diagnosis], None]) -> None:
        """Work out the diagnosis of a document, and show what is known of it on the way. Raises OvertakenError.

        Requests about the document come in between the steps.
        """
        loop, lane = asyncio.get_running_loop(), self._lane(document.uri)
        self._slow.add(document.uri)  # until it has been worked out, in this version or a later one

        def now() -> None:
            started = time.thread_time()
            steps = document.prepared()
            before = self._given_up.pop(document.uri, None)
            self._given_up[document.uri] = steps  # what it holds is of use for the next version, too
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
                self.forget(document.uri)  # its thread may have kept something after it was closed
            if is_new:
                self.give_memory_back()

    def _lane(self, uri: str) -> Lane:
        return self._lanes.setdefault(uri, Lane(f"slow document {uri}", REST_SECONDS))
