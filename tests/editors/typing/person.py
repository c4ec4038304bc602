"""A person who types a definition with real keys: plain keys, Enter, Backspace, and wanted completions.

The person knows the final text and looks at the screen before each key: a wanted suggestion is accepted with Tab or
Enter, text that the editor inserted by itself is stepped over, and Enter is pressed at the end of a line whatever
popup is open there. After each key the text is compared with the key's intended effect.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from tests.editors.typing.snippets import gain_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.editors.typing.snippets import Proposal

PATIENCE_SECONDS = 30.0
"""How long a key may take to be seen in the text before it counts as lost: a busy machine takes seconds."""

LOOK_SECONDS = 0.02
"""How long before the next key the person looks at the screen."""

READING_SECONDS = 0.2

FALSE_SECONDS = 1.0
"""An error that is shown longer than this, of a text in which nothing is wrong, is a false one."""

FALSE_KEYS = 8
"""An error that is still shown so many keys later, and after a pause, is false however fast the machine is."""

PAUSE_SECONDS = 0.8
"""A user who pauses for about a second rightly sees unfinished text reported.

At eight keys in a second there is no such pause, unless the machine is too busy.
"""

NEARLY = 2
"""What an editor may write less of a suggestion, such as a blank that is there already."""

STOP_SECONDS = 2.0
"""After so long a Tab that goes to the next place of a snippet has found none."""

MOST_DOWNS = 2
MOST_UNEXPECTED = 10
"""After so many keys that went wrong the person gives up."""
LETTERS_OF_NAME = 4
_OBJECT = re.compile(r"apiVersion: [\w./-]+\n *kind: (\w+)\n")
_CLOSING = {"{": "}", "[": "]", "(": ")", '"': '"', "'": "'"}


@dataclass(frozen=True, slots=True)
class Screen:
    """What a person sees: the text, the selection from `start` to `end` in offsets, and the labels of a popup."""

    text: str
    start: int
    end: int
    labels: tuple[str, ...] = ()
    focused: int = -1

    @property
    def before(self) -> str:
        """The text up to the cursor or the selection."""
        return self.text[: self.start]

    @property
    def after(self) -> str:
        """The text after the cursor or the selection."""
        return self.text[self.end :]

    @property
    def rest_of_line(self) -> str:
        """The text after the cursor in its line."""
        return self.after.partition("\n")[0]


class Editor(Protocol):
    """An editor with one empty document, in the insert mode where it has modes."""

    def press(self, key: str) -> None:
        """Press a character or one of `Enter Tab Backspace Delete Escape Down Up Right End Undo`."""

    def screen(self) -> Screen:
        """Return the current screen."""

    def proposal(self, label: str) -> Proposal | None:
        """Return what the popup's item with this label inserts, None where it is not known."""

    def errors(self) -> frozenset[str]:
        """Return the errors that are shown, each by its code and what it marks."""

    def is_waiting(self) -> bool:
        """Return whether the popup is about to change, because the server has yet to answer."""


@dataclass(slots=True)
class Record:
    """What happened while one definition was typed."""

    keys: int = 0
    plain_keys: int = 0
    accepted: int = 0
    popups: int = 0
    indented_by_hand: int = 0
    unexpected: list[str] = field(default_factory=list)
    errors: dict[str, float] = field(default_factory=dict)
    """The errors that were shown, with the longest time in seconds that each was to be seen without a break."""
    lasting: set[str] = field(default_factory=set)
    """The errors that `FALSE_KEYS` more keys and a pause did not take away."""
    final: str = ""
    log: list[str] = field(default_factory=list)

    @property
    def false_errors(self) -> dict[str, float]:
        """The errors that were to be seen for too long."""
        return {error: seconds for error, seconds in self.errors.items() if seconds > FALSE_SECONDS}

    @property
    def saved(self) -> float:
        """The share of keys, in percent, that a person saved who would else have typed them."""
        return 100 * (1 - self.keys / self.plain_keys)

    def summary(self, text: str) -> str:
        """Return a line for the report; `text` was to be typed."""
        parts = [f"{self.keys} keys, {self.saved:.0f} % saved", *self.unexpected]
        parts += [f"false error for {seconds:.1f} s: {error}" for error, seconds in self.false_errors.items()]
        if self.final != without_trailing_blanks(text):
            parts.append("the text is another one")
        return "; ".join(parts)


def plain_keys(text: str) -> int:
    """Return how many keys a text takes in an editor that keeps the indentation and does nothing else.

    A step of two columns, in or out, is one key.
    """
    keys, indentation = -1, 0
    for line in text.split("\n"):
        content = line.lstrip(" ")
        keys += 1 + len(content)
        if content:
            keys += abs(len(line) - len(content) - indentation + 1) // 2
            indentation = len(line) - len(content)
    return keys


def without_trailing_blanks(text: str) -> str:
    """Return a text as a person types it, who sees no blanks at the ends of lines."""
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))


class Person:
    """Types one text into an editor, at a number of keys in a second."""

    def __init__(self, editor: Editor, text: str, keys_per_second: float) -> None:
        self._editor = editor
        self._target = without_trailing_blanks(text)
        self._pace = 1 / keys_per_second
        self._next = time.monotonic()
        self._stops = 0
        self._snippet = ""
        self._tried: set[int] = set()
        self._refused: set[tuple[int, str]] = set()
        self._visible: dict[str, float] = {}
        self._seen_after: dict[str, int] = {}
        """After how many keys an error came into view, of those in view that no pause brought there."""
        self._last_press = time.monotonic()
        self._keys_at_pause = -FALSE_KEYS
        self._had_popup = False
        self.record = Record(plain_keys=plain_keys(self._target))

    def type_all(self) -> Record:
        """Type the text; return what happened."""
        screen = self._look()
        while not self._is_done(screen) and self._goes_on():
            screen = self._step(screen)
        self.record.final = without_trailing_blanks(screen.text)
        return self.record

    def _goes_on(self) -> bool:
        return len(self.record.unexpected) < MOST_UNEXPECTED and self.record.keys < 2 * self.record.plain_keys

    def _is_done(self, screen: Screen) -> bool:
        return screen.start == screen.end and without_trailing_blanks(screen.text) == self._target

    def _step(self, screen: Screen) -> Screen:
        """Press the next key; return the screen after it."""
        before, target = screen.before, self._target
        if not target.startswith(before):
            return self._mend(screen)
        left = target[len(before) :]
        if screen.start != screen.end:
            return self._in_selection(screen, left)
        accepted = self._accept(screen, left) or self._by_name(screen, left)
        if accepted:
            return accepted
        line_left, rest = left.partition("\n")[0], screen.rest_of_line
        if rest and line_left == rest:
            return self._press("End", screen)
        if rest and not _has_in_order(line_left, rest):
            return self._press("Delete", screen)
        if rest and line_left[0] == rest[0]:
            return self._step_over(screen)
        if left.startswith("\n"):
            return self._to_next_line(screen, left)
        if left:
            return self._plain(screen, left[0])
        return self._press("Delete", screen)

    def _step_over(self, screen: Screen) -> Screen:
        """Go on behind what the editor or a snippet wrote already."""
        if self._stops and not screen.labels and screen.rest_of_line[0] not in _CLOSING.values():
            self._stops -= 1
            return self._press("Tab", screen)
        return self._press("Right", screen)  # a popup may be about to open, and would take a Tab

    def _in_selection(self, screen: Screen, left: str) -> Screen:
        """Keep the placeholder that is selected, or type over it."""
        selected = screen.text[screen.start : screen.end]
        following = left[len(selected) : len(selected) + 1]
        if left.startswith(selected) and not (following.isalnum() or following in "-_."):
            return self._press("Right", screen)
        if left.startswith("\n") or not left:
            return self._press("Delete", screen)
        return self._plain(screen, left[0])

    def _mend(self, screen: Screen) -> Screen:
        """Take away what should not be there: indentation, which is a person's business, or what a key did wrong."""
        before, target = screen.before, self._target
        if screen.start != screen.end:
            return self._press("Delete", screen)
        line = before.rpartition("\n")[2]
        same = len(_common_prefix(before, target))
        if not line.strip() and same < len(before):
            wanted = target[len(before) - len(line) :]
            indentation = len(wanted) - len(wanted.lstrip(" "))
            if before[:-1].rstrip(" ") == target[: len(before[:-1].rstrip(" "))] and indentation < len(line):
                return self._press("Backspace", screen)
        self._refused.update((same_at, label) for same_at in (same,) for label in screen.labels)
        return self._press("Backspace", screen)

    def _to_next_line(self, screen: Screen, left: str) -> Screen:
        """Go to the line that is there already, or begin a new one."""
        if screen.after.startswith("\n"):
            there, wanted = screen.after[1:].partition("\n")[0], left[1:].partition("\n")[0]
            if there.strip() and (self._is_same_line(there, wanted) or _is_in_place_of(there, left)):
                if screen.labels:
                    screen = self._press("Escape", screen)
                if self._stops:
                    self._stops -= 1
                    return self._press("Tab", screen)
                screen = self._press("Down", screen)
                return self._press("End", screen)
        if screen.labels:
            # Who sees a popup looks at it before Enter: it may be about to close.
            deadline = time.monotonic() + PATIENCE_SECONDS
            time.sleep(READING_SECONDS)
            while self._editor.is_waiting() and time.monotonic() < deadline:
                time.sleep(READING_SECONDS)
            screen = self._look()
        self.record.log.append(f"Enter after {_line(screen)!r} with {screen.labels[:4]}")
        return self._press("Enter", screen)

    def _is_same_line(self, there: str, wanted: str) -> bool:
        """Whether a line that a snippet wrote is the wanted one, but for what is to be filled in."""
        key, wanted_key = there.partition(":")[0], wanted.partition(":")[0]
        if self._stops and f":{key.strip()}}}" in self._snippet:
            return len(key) - len(key.lstrip()) == len(wanted) - len(wanted.lstrip())
        return key.rstrip() == wanted_key[: len(key.rstrip())] if ":" not in there else key == wanted_key

    def _plain(self, screen: Screen, key: str) -> Screen:
        if key == " " and not screen.before.rpartition("\n")[2].strip():
            self.record.indented_by_hand += 1
        return self._press(key, screen)

    def _accept(self, screen: Screen, left: str, named: str = "") -> Screen | None:
        """Accept the suggestion that saves keys, if one of the first few does."""
        if not screen.labels or screen.focused < 0:
            return None
        position = len(screen.before)
        if not self._target.startswith(screen.before) and not named:
            return None
        for downs in range(MOST_DOWNS + 1):
            number = screen.focused + downs
            label = screen.labels[number] if number < len(screen.labels) else None
            if label is None or (position, label) in self._refused:
                continue
            proposal = self._editor.proposal(label)
            before = self._target[: len(self._target) - len(left)] if named else screen.before
            is_meant = proposal is not None and named in ("", label)
            gain = gain_of(proposal, before, self._target) if proposal and is_meant else 0
            if proposal is None or gain - downs < 2:
                self._refused.add((position, label))
                continue
            for _ in range(downs):
                below = self._press("Down", screen)
                if below.start != screen.start:
                    # The list was closed meanwhile, and the cursor went to the next line.
                    return self._press("Up", below)
                screen = below
            # A person reads the suggestion before accepting it; the list may change in the meantime.
            time.sleep(READING_SECONDS)
            now = self._look()
            if now.focused < 0 or now.labels[now.focused : now.focused + 1] != (label,) or now.text != screen.text:
                return now
            key = "Tab" if self.record.accepted % 2 else "Enter"
            self.record.accepted += 1
            self._stops, self._snippet = proposal.stops, proposal.text
            self.record.log.append(f"{key} accepts {label!r}: {proposal.text!r}")
            return self._press(key, screen, accepts=proposal)
        return None

    def _by_name(self, screen: Screen, left: str) -> Screen | None:
        """Type the name of what begins here, an object's kind, to have the whole of it written."""
        found = _OBJECT.match(left)
        position = len(screen.before)
        if (
            found is None
            or screen.rest_of_line
            or position in self._tried
            or not screen.before.endswith((" ", "\n", ""))
        ):
            return None
        self._tried.add(position)
        start = screen
        for letter in found[1][:LETTERS_OF_NAME]:
            screen = self._press(letter, screen)
            accepted = self._accept(screen, left, named=found[1])
            if accepted:
                return accepted
        while screen.start > start.start:
            screen = self._press("Backspace", screen)
        return screen

    def _press(self, key: str, screen: Screen, *, accepts: Proposal | None = None) -> Screen:
        """Press a key when it is time, and look whether it did what it should."""
        time.sleep(max(0.0, self._next - time.monotonic()))
        self._next = max(self._next, time.monotonic() - self._pace) + self._pace
        self._notice_pause()
        self._editor.press(key)
        self._last_press = time.monotonic()
        self.record.keys += 1
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            time.sleep(max(0.02, self._next - LOOK_SECONDS - time.monotonic()))
            now = self._look()
            wrong = self._wrong_acceptance(screen, now, accepts) if accepts else _wrong(key, screen, now)
            if not wrong:
                self.record.log.append(f"    {key!r} {now.labels[:3]} {now.focused}")
                return self._settled(now) if accepts else now
            if key == "Tab" and time.monotonic() > deadline - PATIENCE_SECONDS + STOP_SECONDS and not accepts:
                self._stops = 0  # the last place was where the cursor is
                return now
            if time.monotonic() > deadline:
                line = screen.before.rpartition("\n")[2]
                self.record.unexpected.append(f"{key} after {line!r} with {screen.labels[:5]}: {wrong}")
                return now

    def _settled(self, screen: Screen) -> Screen:
        """Look until nothing moves any more: a snippet is put in place in several steps."""
        while True:
            time.sleep(READING_SECONDS)
            now = self._look()
            if (now.text, now.start, now.end) == (screen.text, screen.start, screen.end):
                return now
            screen = now

    def _wrong_acceptance(self, screen: Screen, now: Screen, accepted: Proposal) -> str:
        """Return what is wrong after a suggestion was accepted, even while the editor is still working."""
        typed = len(screen.before) - accepted.start
        if now.text == screen.text or len(now.text) - len(screen.text) < accepted.length - typed - NEARLY:
            return f"{accepted.text!r} was not inserted"
        return "" if self._target.startswith(now.before) else f"{_line(now)!r}"

    def _look(self) -> Screen:
        screen = self._see()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while lasting := self._lasting() - self.record.lasting:
            # The editor may be late. Only a fault that disappears without further keys is not counted.
            if time.monotonic() > deadline:
                self.record.log.append(f"{sorted(lasting)} stayed, at {_line(screen)!r}")
                self.record.lasting |= lasting
                break
            time.sleep(READING_SECONDS)
            screen = self._see()
        return screen

    def _lasting(self) -> set[str]:
        """Return the errors that were in view already `FALSE_KEYS` keys ago."""
        return {error for error, keys in self._seen_after.items() if self.record.keys - keys >= FALSE_KEYS}

    def _notice_pause(self) -> None:
        if time.monotonic() - self._last_press > PAUSE_SECONDS:
            self._keys_at_pause = self.record.keys

    def _see(self) -> Screen:
        screen = self._editor.screen()
        self.record.popups += bool(screen.labels) and not self._had_popup
        self._had_popup = bool(screen.labels)
        now = time.monotonic()
        shown = self._editor.errors()
        self._notice_pause()
        self._seen_after = {error: keys for error, keys in self._seen_after.items() if error in shown}
        for error in shown - self._visible.keys():
            self.record.log.append(f"{error} is shown at {_line(screen)!r}")
            if self.record.keys - self._keys_at_pause >= FALSE_KEYS:
                self._seen_after[error] = self.record.keys
        self._visible = {error: self._visible.get(error, now) for error in shown}
        for error, since in self._visible.items():
            self.record.errors[error] = max(self.record.errors.get(error, 0.0), now - since)
        return screen


def _is_in_place_of(there: str, left: str) -> bool:
    """Whether a line that a snippet wrote is nowhere in what is left to be typed, and stands where the next line goes.

    Users do not type above an example and leave it there: it becomes that line.
    """
    wanted = left[1:].partition("\n")[0]
    is_beside = len(there) - len(there.lstrip()) == len(wanted) - len(wanted.lstrip())
    return is_beside and there not in left.split("\n")


def _wrong(key: str, before: Screen, now: Screen) -> str:
    """Return what a key did wrong, empty if it had the expected effect."""
    if key == "Enter":
        written = before.before.rstrip(" ")
        is_fine = now.before.rstrip(" ").removesuffix("\n") in (written, written.rstrip(" \n"))
        is_fine = is_fine and now.before.count("\n") == before.before.count("\n") + 1
        return "" if is_fine else f"{_line(now)!r}"
    if len(key) == 1:
        expected = before.before + key
        rests = (before.after, _CLOSING.get(key, "") + before.after)
        # A tab stop may be written elsewhere as well.
        if now.before == expected and (now.after in rests or before.after[:1] == key or now.after.count("\n")):
            return ""
        return f"{_line(now)!r} instead of {before.before.rpartition(chr(10))[2] + key}|{before.rest_of_line}"
    if key == "Backspace":
        return "" if before.text.startswith(now.before) and len(now.before) < len(before.before) else f"{_line(now)!r}"
    if key == "End":
        return f"{_line(now)!r}" if now.rest_of_line else ""
    if key == "Escape":
        return "the popup stays" if now.labels == before.labels else ""
    if key in ("Down", "Up"):
        is_moved = (now.start, now.focused) != (before.start, before.focused)
        # A busy machine may close the list before, where there is no line to go to, or filter it only afterwards.
        is_other_list = bool(before.labels) and now.labels != before.labels
        return "" if is_moved or is_other_list else "nothing happened"
    is_moved = key in ("Right", "Tab") and (now.start, now.end) != (before.start, before.end)
    return "" if is_moved or now.text != before.text else "nothing happened"


def _line(screen: Screen) -> str:
    return screen.before.rpartition("\n")[2] + "|" + screen.rest_of_line


def _has_in_order(text: str, characters: str) -> bool:
    left = iter(text)
    return all(character in left for character in characters)


def _common_prefix(first: str, second: str) -> str:
    end = next((at for at, (one, other) in enumerate(zip(first, second, strict=False)) if one != other), None)
    return first[: min(len(first), len(second)) if end is None else end]


def total(records: list[Record]) -> Iterator[tuple[str, float]]:
    """Yield the figures of several definitions: the keys saved in percent, the others as numbers."""
    plain, keys = sum(each.plain_keys for each in records), sum(each.keys for each in records)
    yield "keys saved", 100 * (1 - keys / plain)
    yield "keys that did something unexpected", sum(len(each.unexpected) for each in records)
    yield "false errors", sum(len(each.false_errors) for each in records)
    yield "popups in 1,000 keys", 1000 * sum(each.popups for each in records) / keys
    yield "spaces of indentation by hand", sum(each.indented_by_hand for each in records)
