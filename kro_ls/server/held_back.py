"""Keeps back, for each open document, what is not to be shown yet, and has it shown when it is time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from kro_ls.server.calm import PAUSE_SECONDS, is_key_stroke, shown_while_typing

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.reparse import Change

_NEEDS_ALL_KINDS = "unknown-kind"


class HeldBack:
    """What the clients were shown, and what waits.

    `is_possible` tells whether the client can be told later; else nothing is kept back. `kinds_are_known` tells whether
    the files of the workspace have been read. `show_again` is called with a URI whose diagnostics are to be shown all.
    """

    def __init__(
        self,
        is_possible: Callable[[], bool],
        kinds_are_known: Callable[[], bool],
        show_again: Callable[[str], None],
    ) -> None:
        self._is_possible = is_possible
        self._kinds_are_known = kinds_are_known
        self._show_again = show_again
        self._shown: dict[str, tuple[Diagnostic, ...]] = {}
        self._changes: dict[str, Change] = {}
        """What was done to the text since that was shown."""
        self._cursors: dict[str, int] = {}
        """Where somebody types; nothing for a document in which nobody does."""
        self._pauses: dict[str, asyncio.TimerHandle] = {}

    def edited(self, document: Document) -> None:
        """Take note of an edit."""
        uri, change = document.uri, document.change
        before = self._changes.get(uri)
        self._changes[uri] = before.then(change.start, change.end, change.length) if before else change
        self._cancel(uri)
        if is_key_stroke(document.text.content, change):
            self._cursors[uri] = change.start + change.length
        else:
            self._cursors.pop(uri, None)

    def stopped(self, uri: str) -> None:
        """Show everything if something was kept back: somebody pauses, or has saved the document."""
        self._cursors.pop(uri, None)
        if self._cancel(uri):
            self._show_again(uri)

    def closed(self, uri: str) -> None:
        """Forget a document."""
        self._cancel(uri)
        for known in (self._shown, self._changes, self._cursors):
            known.pop(uri, None)

    def without(self, document: Document, found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        """Return what to show now of all that was found in a document, and see to it that the rest follows."""
        if not self._is_possible():
            return found
        if not self._kinds_are_known():
            found = tuple(each for each in found if each.code != _NEEDS_ALL_KINDS)
        uri = document.uri
        shown, cursor, change = found, self._cursors.get(uri), self._changes.pop(uri, None)
        if cursor is not None:
            shown = shown_while_typing(found, document.text.content, cursor, self._shown.get(uri, ()), change)
        self._shown[uri] = shown
        if len(shown) < len(found) and uri not in self._pauses:
            self._pauses[uri] = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self.stopped, uri)
        return shown

    def _cancel(self, uri: str) -> bool:
        """Wait no more for a pause; return whether something was waiting."""
        handle = self._pauses.pop(uri, None)
        if handle:
            handle.cancel()
        return handle is not None
