"""Decides when diagnostics are computed and pushed to the client."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from kro_ls.server.background import Tasks, Timers
from kro_ls.server.connection.protocol import OvertakenError
from kro_ls.server.connection.transport import settle
from kro_ls.server.delays import BURST_SECONDS, DEBOUNCE_SECONDS, FOLLOW_SECONDS, LONGEST_WAIT_SECONDS
from kro_ls.server.documents.open_documents import What

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from msgspec import Raw

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.server.diagnostics.held_back import HeldBack
    from kro_ls.server.documents.open_documents import DocumentChanged
    from kro_ls.server.documents.slow_documents import SlowDocuments
    from kro_ls.workspace.documents import Document

logger = logging.getLogger(__name__)


class DiagnosticPublisher:
    """Publishes a document's diagnostics with its version, only after the last edit of a burst, and nothing twice.

    `documents` are the open ones by URI. `written` converts diagnostics to JSON, and `send` sends them to the client,
    except those that are `held_back`. `takes_over` gets the URI of a document that was closed with the number of its
    diagnostics that the client shows, and returns whether these stay.
    """

    def __init__(
        self,
        documents: Mapping[str, Document],
        slow: SlowDocuments,
        held_back: HeldBack,
        written: Callable[[object], Raw],
        send: Callable[[Raw], None],
        takes_over: Callable[[str, int], bool],
    ) -> None:
        self._documents = documents
        self._written = written
        self._send = send
        self._takes_over = takes_over
        self._slow = slow
        self._held_back = held_back
        self._due = Timers()
        self._finding: dict[str, asyncio.Task[None]] = {}
        self._published: dict[str, tuple[int | None, tuple[Diagnostic, ...]]] = {}
        self._edited: dict[str, float] = {}
        self._waiting_since: dict[str, float] = {}
        self._tasks = Tasks()
        self.enabled = True
        self.links = False
        """Whether the client can show the pages of rules."""

    def document_changed(self, event: DocumentChanged) -> None:
        """Publish the diagnostics of the document."""
        if event.what is What.CLOSED:
            self.clear(event.uri)
        else:
            self.schedule(event.uri, at_once=event.what is not What.EDITED)

    def schedule(self, uri: str, *, at_once: bool = False) -> None:
        """Publish the document's diagnostics soon unless it changes before; a key after a pause does not wait."""
        self._cancel(uri)
        if self.enabled:
            delay = 0 if at_once else self._delay(uri, asyncio.get_running_loop().time())
            self._due.start(uri, delay, partial(self._publish, uri))

    def _delay(self, uri: str, now: float) -> float:
        """Return how long an edit waits; a CRD, which is read as a whole each time, waits until its author pauses."""
        from kro_ls.rules.kinds.broken_crd import may_hold_crds

        document = self._documents.get(uri)
        if document and may_hold_crds(document.text):
            return FOLLOW_SECONDS
        before = self._edited.get(uri)
        self._edited[uri] = now
        if before is None or now - before > BURST_SECONDS:
            return 0
        waiting = now - self._waiting_since.setdefault(uri, now)
        return DEBOUNCE_SECONDS if waiting < LONGEST_WAIT_SECONDS else 0

    def clear(self, uri: str) -> None:
        """Forget a document that was closed, and remove its diagnostics unless they are taken over."""
        self._cancel(uri)
        self._edited.pop(uri, None)
        self._waiting_since.pop(uri, None)
        self._slow.forget(uri)
        _, shown = self._published.pop(uri, (None, ()))
        if not self._takes_over(uri, len(shown)) and shown:
            from kro_ls.features.lsp_types import SentDiagnostics

            self._send(self._written(SentDiagnostics(uri, [])))

    def _cancel(self, uri: str) -> None:
        self._due.stop(uri)
        if finding := self._finding.pop(uri, None):
            finding.cancel()

    def _publish(self, uri: str) -> None:
        self._waiting_since.pop(uri, None)
        document = self._documents.get(uri)
        if document is None:
            return
        if document.is_slow():
            self._tasks.start(self._publish_slow(document))
        else:
            self._finding[uri] = self._tasks.start(self._publish_after_requests(document))

    async def _publish_after_requests(self, document: Document) -> None:
        """Publish after the answers to requests that came with the edit, for which the user waits."""
        with suppress(Exception):  # it is raised again, and logged, below
            _ = document.analysis  # requests need it as well, and arrive meanwhile
        await settle()  # finishes what the edit started ...
        await settle()  # ... and what the next request did
        self._finding.pop(document.uri, None)
        self._find_and_show(document)
        if document.uri in self._edited:
            # Edits that arrived meanwhile count as one burst however long this took.
            self._edited[document.uri] = asyncio.get_running_loop().time()
        self.settled(document)

    async def _publish_slow(self, document: Document) -> None:
        """Publish the intermediate and the final diagnostics of a slow document."""
        from kro_ls.workspace.check import check_document

        def show(diagnosis: Diagnosis) -> None:
            self._tasks.start(self._show_slow(document, diagnosis.diagnostics, diagnosis.analysis))

        try:
            await self._slow.prepare(document, show)
            found = await self._slow.worked_out(document, lambda current: check_document(current).diagnostics)
        except OvertakenError:
            return
        except Exception:
            logger.exception("could not analyse %s, version %s", document.uri, document.version)
            return
        await self._show_slow(document, found, document.analysis)
        self.settled(document)

    def settled(self, document: Document) -> None:
        """Free the version that a document replaced, now that its diagnostics are shown."""
        replaced = [document.without_before()]
        if document.is_slow():
            self._slow.free(replaced)

    async def _show_slow(self, document: Document, found: tuple[Diagnostic, ...], analysis: Analysis) -> None:
        shown = self._to_show(document, found, analysis)
        if shown is None:
            return
        with suppress(OvertakenError):
            message = await self._slow.worked_out(document, lambda current: self._message(current, shown))
            if self._published.get(document.uri) == (document.version, shown):  # and nothing newer
                self._send(message)

    def _find_and_show(self, document: Document) -> None:
        try:
            found, analysis = diagnosed(document), document.analysis
        except Exception:
            logger.exception("could not analyse %s, version %s", document.uri, document.version)
            return
        shown = self._to_show(document, found, analysis)
        if shown is not None:
            self._send(self._message(document, shown))

    def _to_show(
        self, document: Document, found: tuple[Diagnostic, ...], analysis: Analysis
    ) -> tuple[Diagnostic, ...] | None:
        """Return the diagnostics to show of a document, None if the client shows them already."""
        uri = document.uri
        if self._documents.get(uri) is not document:
            return None
        shown = self._held_back.without(document, found)
        if not shown and uri not in self._published and not analysis.rgds:
            return None
        if self._published.get(uri) == (document.version, shown):
            return None
        self._published[uri] = document.version, shown
        return shown

    def _message(self, document: Document, shown: tuple[Diagnostic, ...]) -> Raw:
        from kro_ls.features.diagnostics import diagnostics
        from kro_ls.features.lsp_types import SentDiagnostics

        found = diagnostics(document, shown, links=self.links)
        return self._written(SentDiagnostics(document.uri, found, document.version))


def diagnosed(document: Document) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a document, and record how long they and the analysis took."""
    from kro_ls.workspace.check import check_document

    _ = document.analysis  # its time is recorded, maybe by a previous request
    started = time.thread_time()
    found = check_document(document).diagnostics
    document.took(document.analysis_seconds + time.thread_time() - started)
    return found
