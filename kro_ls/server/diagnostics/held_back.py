"""Keeps back, for each open document, what is not to be shown yet, and has it shown when it is time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kro_ls.server.background import Timers
from kro_ls.server.delays import PAUSE_SECONDS, UNFINISHED_SECONDS
from kro_ls.server.diagnostics.calm import (
    is_key_stroke,
    shown_in_pause,
    shown_while_typing,
    waits_for,
)
from kro_ls.server.events import What

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.server.events import DocumentChanged
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.reparse import Change


class HeldBack:
    """What the clients were shown, and what waits.

    `is_possible` tells whether the client can be told later; else nothing is kept back. `kinds_are_known` tells whether
    the files of the workspace have been read. `show_again` is called with a URI whose diagnostics are to be shown all,
    and `shown_again` when others are shown than before though the text is the same.
    """

    def __init__(
        self,
        is_possible: Callable[[], bool],
        kinds_are_known: Callable[[], bool],
        show_again: Callable[[str], None],
        shown_again: Callable[[], None],
    ) -> None:
        self._is_possible = is_possible
        self._kinds_are_known = kinds_are_known
        self._show_again = show_again
        self._shown_again = shown_again
        self._shown: dict[str, tuple[Diagnostic, ...]] = {}
        self._changes: dict[str, Change] = {}
        """What was done to the text since that was shown."""
        self._cursors: dict[str, int] = {}
        """Where somebody types; nothing for a document in which nobody does."""
        self._pauses = Timers()
        self._pausing: set[str] = set()
        """Documents that nobody has typed in for a moment, or that got a text in one piece."""

    def document_changed(self, event: DocumentChanged) -> None:
        """Follow an edit, or the end of a document."""
        if event.what is What.EDITED:
            self.edited(event.document)
        elif event.what is What.CLOSED:
            self._closed(event.uri)

    def edited(self, document: Document) -> None:
        """Take note of an edit."""
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

    def paused(self, uri: str) -> None:
        """Show what is not about lines that are still to come: somebody pauses."""
        self._pausing.add(uri)
        self._pauses.stop(uri)
        self._show_again(uri)

    def stopped(self, uri: str) -> None:
        """Show everything if something was kept back: somebody has saved the document."""
        self._cursors.pop(uri, None)
        self._pausing.discard(uri)
        if self._pauses.stop(uri):
            self._show_again(uri)

    def _finished(self, uri: str) -> None:
        """Show everything: nobody has typed for so long that the text is taken to be finished."""
        self._cursors.pop(uri, None)
        self._pausing.discard(uri)
        self._show_again(uri)

    def _closed(self, uri: str) -> None:
        self._pauses.stop(uri)
        self._pausing.discard(uri)
        for known in (self._shown, self._changes, self._cursors):
            known.pop(uri, None)

    def without(self, document: Document, found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        """Return what to show now of all that was found in a document, and see to it that the rest follows."""
        if not self._is_possible():
            return found
        if not self._kinds_are_known():
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
            seconds, next_step = (UNFINISHED_SECONDS, self._finished) if is_pausing else (PAUSE_SECONDS, self.paused)
            self._pauses.start(uri, seconds, partial(next_step, uri))
        return shown

    def shown_of(self, uri: str, errors: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        """Return those of a document's errors that are not kept back."""
        if uri not in self._cursors or not self._is_possible():
            return errors
        shown = {(each.code, each.message) for each in self._shown.get(uri, ())}
        return tuple(each for each in errors if (each.code, each.message) in shown)
