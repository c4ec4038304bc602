"""How calm the diagnostics are while a user types: which appear away from the cursor at each key, and which blink.

Definitions that kro accepts are typed key by key: whole ones from an empty file, and resources into the definition that
has all others. What a user who never pauses sees ("shown") stands beside what `check` reports for the same texts
("found"). One half of the definitions, chosen by a hash of their names, is for tuning; the other half counts.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

from benchmarks.completion_ranking import cases
from benchmarks.edits import position_of
from benchmarks.report import Row
from benchmarks.typing_sessions import keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchmarks.completion_ranking import Case
    from benchmarks.in_process import Keystroke, Mark

LONGEST = 4_000
"""Longer definitions, in characters, are left out: they take minutes and add nothing new."""

MOST_RESOURCES = 3
BAR = 95.0


@dataclass(frozen=True, slots=True)
class Task:
    """A text to type at an offset of another text."""

    case: Case
    typed: str
    into: str = ""
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts. A key is calm if it brings at most one new error outside of the cursor's line.

    New: absent before the key and before the cursor came to its line. A blink is an error that the next key removes.
    """

    keys: int = 0
    calm: int = 0
    calm_line: int = 0
    blinks: int = 0
    diagnostics: int = 0

    def __add__(self, other: Tally) -> Tally:
        """Return the sum of both."""
        return Tally(*map(sum, zip(astuple(self), astuple(other), strict=True)))

    def share(self, keys: int) -> float:
        """Return a number of keys as a percentage of all."""
        return 100 * keys / self.keys


def whole(case: Case) -> Task:
    """Return a session that types a definition into an empty file."""
    return Task(case, case.text)


def resources(case: Case) -> Iterator[Task]:
    """Return sessions that type the first resources of a definition, each on its own lines between the others."""
    from benchmarks.in_process import resource_lines

    for start, end in resource_lines(case.text)[:MOST_RESOURCES]:
        typed = case.text[start:end].rstrip("\n")
        yield Task(case, typed, case.text[:start] + "\n" + case.text[end:], start)


def typed(task: Task) -> Iterator[Keystroke]:
    """Type the text and return the counts."""
    from benchmarks.in_process import keystrokes

    return keystrokes(task.into, task.case.schemas, keys(task.typed, position_of(task.into, task.offset)))


def tallies(task: Task) -> tuple[Tally, Tally]:
    """Return the counts for what is shown, and for what is found."""
    shown, found = _Counter(), _Counter()
    for key in typed(task):
        shown.count(key, key.shown)
        found.count(key, key.found)
    return shown.tally, found.tally


class _Counter:
    """Follows the errors from key to key."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._before: set[Mark] | None = None
        self._since_line: set[Mark] = set()
        self._new: set[Mark] = set()
        self._line = -1

    def count(self, key: Keystroke, marks: tuple[Mark, ...]) -> None:
        """Count the errors after a key."""
        errors = {mark for mark in marks if mark.is_error}
        before = {key.moved(mark) for mark in self._before} if self._before is not None else errors
        self._since_line = {key.moved(mark) for mark in self._since_line} & errors
        if key.line != self._line:
            self._line, self._since_line = key.line, errors
        new = errors - before
        self.tally += Tally(
            1,
            len(key.off_line(new)) <= 1,
            len(key.off_line(errors - self._since_line)) <= 1,
            len({key.moved(mark) for mark in self._new} - errors),
            len(marks),
        )
        self._before, self._new = errors, new


def total(tasks: Iterable[Task]) -> tuple[Tally, Tally]:
    """Return the sums of the counts."""
    shown, found = Tally(), Tally()
    for task in tasks:
        counted = tallies(task)
        shown, found = shown + counted[0], found + counted[1]
    return shown, found


def sample(*, is_held_out: bool, every: int) -> list[Case]:
    """Return the accepted definitions of one half, or one in several of them."""
    known = [case for case in cases() if case.accepted and len(case.text) <= LONGEST]
    return [case for case in known if case.is_held_out is is_held_out][::every]


def measure(*, quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    for half, is_held_out in (("held out", True), ("to tune with", False)):
        known = sample(is_held_out=is_held_out, every=12 if quick else 4)
        for what, tasks in (
            ("whole definitions", map(whole, known)),
            ("resources among others", (task for case in known for task in resources(case))),
        ):
            shown, found = total(tasks)
            place = f"{what}, {half}"
            yield _row(f"{place}: calm keys ({shown.keys:,} keys)", shown.share(shown.calm), found.share(found.calm))
            yield _row(f"{place}: calm for the line", shown.share(shown.calm_line), found.share(found.calm_line))
            yield _count(f"{place}: blinks in 1,000 keys", shown.blinks, found.blinks, shown.keys)
            yield _count(f"{place}: diagnostics at 1,000 keys", shown.diagnostics, found.diagnostics, shown.keys)


def _row(what: str, shown: float, found: float) -> Row:
    return Row("calm", what, "%", shown, bar=BAR, judged=shown, at_least=True, beside={"found": found})


def _count(what: str, shown: int, found: int, keys_typed: int) -> Row:
    return Row("calm", what, "", 1000 * shown / keys_typed, beside={"found": 1000 * found / keys_typed})
