"""Publishes the diagnostics of open documents: when they are computed, and which of them are shown.

A rule reports everything that is wrong with a text as it stands. In the middle of a line nearly every text is wrong, so
new diagnostics wait until the user leaves the line, or, where something is missing, stops typing. Diagnostics that were
shown stay, and fixed ones disappear at once. The server does not know the cursor; it is taken to be where the last edit
ended.
"""

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
from kro_ls.server.delays import (
    BURST_SECONDS,
    DEBOUNCE_SECONDS,
    FOLLOW_SECONDS,
    LONGEST_WAIT_SECONDS,
    PAUSE_SECONDS,
    UNFINISHED_SECONDS,
)
from kro_ls.server.documents.open_documents import What

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from msgspec import Raw

    from kro_ls.analysis.analysis import Analysis
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.rule import WaitsFor
    from kro_ls.server.documents.open_documents import DocumentChanged, Kinds
    from kro_ls.server.documents.slow_documents import SlowDocuments
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.text import Change

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
        self.held_back = held_back
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
        uri, is_edited = event.document.uri, event.what is What.EDITED
        if event.what is What.CLOSED:
            self.clear(uri)
            return
        if is_edited:
            self.held_back.edited(event.document)
        self.schedule(uri, at_once=not is_edited)

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
        self.held_back.closed(uri)
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
        shown = self.held_back.without(document, found)
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


class HeldBack:
    """The diagnostics that the client shows of each open document, and those that wait.

    `kinds` says whether the files of the workspace have been read. `show_again` gets the URI of a document whose
    diagnostics are to be published again; `shown_again` is called when they changed though the text did not.
    """

    def __init__(self, kinds: Kinds, show_again: Callable[[str], None], shown_again: Callable[[], None]) -> None:
        self._kinds = kinds
        self._show_again = show_again
        self._shown_again = shown_again
        self._shown: dict[str, tuple[Diagnostic, ...]] = {}
        self._changes: dict[str, Change] = {}
        """The change of the text since then."""
        self._cursors: dict[str, int] = {}
        """The offset at which the user types, for documents that are being edited."""
        self._pauses = Timers()
        self._pausing: set[str] = set()
        """Documents whose user pauses, or inserted a text in one piece."""

    def edited(self, document: Document) -> None:
        """Record an edit."""
        uri, change = document.uri, document.change
        before = self._changes.get(uri)
        self._changes[uri] = before.then(change.start, change.end, change.length) if before else change
        self._pauses.stop(uri)
        cursor = self._cursors.get(uri)
        # A completion that is accepted replaces what was just typed.
        is_accepted = cursor is not None and change.start <= cursor <= change.end
        if is_accepted or is_key_stroke(document.text.content, change):
            self._pausing.discard(uri)
        else:
            self._pausing.add(uri)
        self._cursors[uri] = change.start + change.length

    def _paused(self, uri: str) -> None:
        """Show everything but what further lines may fix, since the user pauses."""
        self._pausing.add(uri)
        self._show_again(uri)

    def saved(self, uri: str) -> None:
        """Show everything that was held back, since the user saved the document."""
        self._cursors.pop(uri, None)
        if self._pauses.stop(uri):
            self._finished(uri)

    def _finished(self, uri: str) -> None:
        """Show everything, since the text has been unchanged for so long that it seems finished."""
        self._cursors.pop(uri, None)
        self._pausing.discard(uri)
        self._show_again(uri)

    def closed(self, uri: str) -> None:
        """Forget a document."""
        self._pauses.stop(uri)
        self._pausing.discard(uri)
        for cached in (self._shown, self._changes, self._cursors):
            cached.pop(uri, None)

    def without(self, document: Document, found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        """Return which diagnostics of a document to show now, and schedule the others."""
        if not self._kinds.is_loaded:
            found = tuple(each for each in found if not waits_for(each, "kinds"))
        uri = document.uri
        shown, cursor, change = found, self._cursors.get(uri), self._changes.pop(uri, None)
        if cursor is not None:
            show = shown_in_pause if uri in self._pausing else shown_while_typing
            shown = show(found, document.text.content, cursor, self._shown.get(uri, ()), change)
        if change is None and shown != self._shown.get(uri, shown):
            self._shown_again()
        self._shown[uri] = shown
        if len(shown) < len(found) and uri not in self._pauses:
            is_pausing = uri in self._pausing
            seconds, next_step = (UNFINISHED_SECONDS, self._finished) if is_pausing else (PAUSE_SECONDS, self._paused)
            self._pauses.start(uri, seconds, partial(next_step, uri))
        return shown

    def shown_of(self, uri: str, errors: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        """Return those of a document's errors that are not held back."""
        if uri not in self._cursors:
            return errors
        shown = {(each.code, each.message) for each in self._shown.get(uri, ())}
        return tuple(each for each in errors if (each.code, each.message) in shown)


_MOST_TYPED = 2
"""A key inserts one character, or a bracket with the one that closes it; blanks are indentation."""

_OPENING = (":", "-", ",", "[", "{", "|", ">")
"""How a line ends that the next one continues."""


def is_key_stroke(content: str, change: Change) -> bool:
    """Whether the edit that left this text was typed; a paste, for example, inserts more at once."""
    return len(content[change.start : change.start + change.length].strip()) <= _MOST_TYPED


def shown_while_typing(
    found: tuple[Diagnostic, ...], content: str, cursor: int, before: tuple[Diagnostic, ...], change: Change | None
) -> tuple[Diagnostic, ...]:
    """Return which diagnostics of a text to show while the user types at the offset `cursor`.

    `before` are those shown of a previous text, and `change` the edit since, if there was one.
    """
    shown = _places(before, change)
    if all((each.code, each.span.start) in shown for each in found):
        return found
    if _open_line(content, cursor) == cursor:
        return shown_in_pause(found, content, cursor, before, change)
    return tuple(each for each in found if (each.code, each.span.start) in shown)


def _places(before: tuple[Diagnostic, ...], change: Change | None) -> set[tuple[str, int]]:
    """Return the codes of previous diagnostics with the offsets where they start now."""
    return {(each.code, change.moved(each.span.start) if change else each.span.start) for each in before}


def shown_in_pause(
    found: tuple[Diagnostic, ...],
    content: str,
    cursor: int,
    before: tuple[Diagnostic, ...] = (),
    change: Change | None = None,
) -> tuple[Diagnostic, ...]:
    """Return which diagnostics to show when the user, typing at the offset `cursor`, stops for a moment.

    Those that were shown stay, as in `shown_while_typing`. New ones about something that is missing or has no value yet
    wait. While there are any of these, or the text is written at its end, so do unknown names that may be declared
    further down; one that resembles a declared name waits until the line with the cursor is complete. At the end of a
    text, whatever is wrong with that line waits, too.
    """
    unwritten = tuple(each for each in found if _is_unwritten(each, content))
    is_at_end = not content[cursor:].strip()
    is_open = bool(unwritten) or is_at_end
    open_line = _open_line(content, cursor) if is_at_end else cursor
    shown = _places(before, change)
    return tuple(
        each
        for each in found
        if (each.code, each.span.start) in shown
        or not (
            each in unwritten
            or (is_open and waits_for(each, "declaration") and (open_line < cursor or not each.fixes))
            or open_line <= each.span.start < cursor
        )
    )


def waits_for(found: Diagnostic, what: WaitsFor) -> bool:
    """Whether the rule of a diagnostic says that the user may still write what is missing."""
    from kro_ls.rules.registry import RULE_OF  # which imports all rules: a server does that when it has started

    return RULE_OF[found.code].waits_for == what


def _open_line(content: str, cursor: int) -> int:
    """Return the start of the line that is being written or continued; the cursor where there is none."""
    written = content[:cursor].rstrip()
    if "\n" in content[len(written) : cursor] and not written.endswith(_OPENING):
        return cursor
    return written.rfind("\n") + 1


def _is_unwritten(found: Diagnostic, content: str) -> bool:
    return waits_for(found, "rest") or not content[found.span.start : found.span.end].strip(" -\n")
