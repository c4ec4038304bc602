"""Holds back diagnostics that the next letters will most likely take away, and shows them when the user pauses.

A rule reports everything that is wrong with a text as it stands. In the middle of a line nearly every text is wrong, so
new diagnostics wait until the user leaves the line, or, where something is missing, stops typing. Diagnostics that were
shown stay, and fixed ones disappear at once. The server does not know the cursor; it is taken to be where the last edit
ended.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kro_ls.server.background import Timers
from kro_ls.server.delays import PAUSE_SECONDS, UNFINISHED_SECONDS
from kro_ls.server.documents.open_documents import What

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.rule import WaitsFor
    from kro_ls.server.documents.open_documents import DocumentChanged, Kinds
    from kro_ls.workspace.documents import Document
    from kro_ls.yaml_positions.text import Change


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

    def document_changed(self, event: DocumentChanged) -> None:
        """Follow an edit or the closing of a document."""
        if event.what is What.EDITED:
            self.edited(event.document)
        elif event.what is What.CLOSED:
            self._closed(event.uri)

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

    def paused(self, uri: str) -> None:
        """Show everything but what further lines may fix, since the user pauses."""
        self._pausing.add(uri)
        self._pauses.stop(uri)
        self._show_again(uri)

    def stopped(self, uri: str) -> None:
        """Show everything that was held back, since the user saved the document."""
        self._cursors.pop(uri, None)
        self._pausing.discard(uri)
        if self._pauses.stop(uri):
            self._show_again(uri)

    def _finished(self, uri: str) -> None:
        """Show everything, since the text has been unchanged for so long that it seems finished."""
        self._cursors.pop(uri, None)
        self._pausing.discard(uri)
        self._show_again(uri)

    def _closed(self, uri: str) -> None:
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
            seconds, next_step = (UNFINISHED_SECONDS, self._finished) if is_pausing else (PAUSE_SECONDS, self.paused)
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
