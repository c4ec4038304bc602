"""Matching by following all steps of a program side by side: time is linear in the text for any pattern.

Whether a text matches is found by a deterministic automaton whose states are made as they are met; where it matches, by
following the steps in order of preference, each with the bounds of its groups.
"""

from __future__ import annotations

from bisect import bisect
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from kro_ls.golang.re2.pattern_errors import UndecidedError
from kro_ls.golang.re2.tree import Assertion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.golang.re2.program import Program

# A search may take about a second; the cached states may take some megabytes.
_MOST_VISITED = 2_000_000
_MOST_CACHED = 200_000

# The kinds of characters beside a position that assertions distinguish.
_EDGE, _OTHER, _WORD, _NEWLINE = range(4)

_PIECE = 64
"""How many characters are matched before the steps taken are reported."""

Visit: TypeAlias = "Callable[[int], None]"
"""Receives the number of steps visited. It may raise an error to end the search."""

_Run: TypeAlias = tuple[int, tuple[int, ...]]
"""A step that was reached, with the bounds of the groups on the way."""


def _ignore(_visited: int) -> None:
    """Put no limit on a search."""


def _check(visited: int) -> None:
    if visited > _MOST_VISITED:
        raise UndecidedError("matching the regular expression is too costly")


def _true_assertions(before: int, after: int) -> frozenset[Assertion | None]:
    """Return the assertions that hold between two kinds; a step without one may always be passed."""
    is_boundary = (before == _WORD) != (after == _WORD)
    true: set[Assertion | None] = {None, Assertion.WORD_BOUNDARY if is_boundary else Assertion.NO_WORD_BOUNDARY}
    if before in (_EDGE, _NEWLINE):
        true |= {Assertion.LINE_START} | ({Assertion.TEXT_START} if before == _EDGE else set())
    if after in (_EDGE, _NEWLINE):
        true |= {Assertion.LINE_END} | ({Assertion.TEXT_END} if after == _EDGE else set())
    return frozenset(true)


_NOT_AT_START = frozenset({None, *Assertion} - {Assertion.TEXT_START})
_TRUE = [[_true_assertions(before, after) for after in range(4)] for before in range(4)]


def _kind(character: str) -> int:
    if not character:
        return _EDGE
    if character.isascii() and (character.isalnum() or character == "_"):
        return _WORD
    return _NEWLINE if character == "\n" else _OTHER


class _State(dict["str | int", "_State"]):
    """A set of steps to go on from, and the states that follow, by character and by class of characters."""

    __slots__ = ("before", "matcher", "steps")

    def __init__(self, matcher: Matcher, steps: frozenset[int], before: int) -> None:
        self.matcher = matcher
        self.steps = steps
        self.before = before

    def __missing__(self, character: str | int) -> _State:
        assert isinstance(character, str)  # noqa: S101 - classes are asked for with `get`
        return self.matcher.follow(self, character)


class Matcher:
    """Matches texts with one program, also in several threads at once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._visited = 0
        """The steps that were examined to make states."""
        self.cached = 0
        """The most cached steps and transitions."""
        self._classes: dict[str, int] = {}
        self._numbering = Lock()
        self._class_numbers: dict[tuple[frozenset[int], int], int] = {}
        self._class_members: list[tuple[frozenset[int], int]] = []
        self._states: dict[tuple[frozenset[int], int], _State] = {}
        self._matched = _State(self, frozenset(), _EDGE)
        self._failed = _State(self, frozenset(), _EDGE)
        assertions = set(program.assertions)
        self._sees_words = bool(assertions & {Assertion.WORD_BOUNDARY, Assertion.NO_WORD_BOUNDARY})
        self._sees_lines = bool(assertions & {Assertion.LINE_START, Assertion.LINE_END})
        self._is_anchored = not self._closure(frozenset([0]), _NOT_AT_START)

    def search(self, text: str, start: int = 0, visit: Visit = _ignore) -> bool:
        """Whether the pattern matches any part of the text from `start` on.

        Raises UndecidedError, and what `visit` does.
        """
        matched, failed = self._matched, self._failed
        known = before = self._visited
        state = self._state(frozenset([0]), self._relevant_kind(text[start - 1]) if start else _EDGE)
        for place in range(start, len(text), _PIECE):
            for character in text[place : place + _PIECE]:
                state = state[character]
                if state is matched:
                    return True
                if state is failed:
                    return False
            if self._visited > known:
                visit(self._visited - known)
                known = self._visited
                _check(known - before)
        return state[""] is matched

    def find(self, text: str, start: int = 0, visit: Visit = _ignore) -> tuple[int, int] | None:
        """Return the first match from `start` on, half-open: of several at one place the preferred one.

        Raises UndecidedError, and what `visit` does.
        """
        found = self._run(text, start, 2, visit) if self.search(text, start, visit) else None
        return None if found is None else (found[0], found[1])

    def find_groups(self, text: str, start: int = 0) -> tuple[int, ...] | None:
        """Return what `find` does, followed by the bounds of each group, or -1 and -1 for one that took no part."""
        return self._run(text, start, 2 * len(self.program.names) + 2) if self.search(text, start) else None

    def find_all(self, text: str, visit: Visit = _ignore) -> Iterator[tuple[int, int]]:
        """Yield the matches, each after the previous one. Raises UndecidedError, and what `visit` raises."""
        start, last_end = 0, -1
        while start <= len(text):
            found = self.find(text, start, visit)
            if found is None:
                return
            # An empty match right after the previous one does not count.
            if found[1] > found[0] or found[0] != last_end:
                yield found
            last_end = found[1]
            start = found[1] if found[1] > start else start + 1

    # --- whether a text matches ---------------------------------------------------------------------------------------

    def follow(self, state: _State, character: str) -> _State:
        """Return the state after a character (empty: the end of the text), and cache it."""
        number = self._class(character)
        following = state.get(number)
        if following is None:
            following = self._following(state, number)
            state[number] = following
        state[character] = following
        self.cached += 2
        return following

    def _following(self, state: _State, number: int) -> _State:
        belongs, kind = self._class_members[number]
        closed = self._closure(state.steps, _TRUE[state.before][kind])
        if self.program.accepting in closed:
            return self._matched
        if kind == _EDGE:
            return self._failed
        tests, moves = self.program.tests, self.program.moves
        steps = {moves[step][0] for step in closed if tests[step] in belongs}
        if not self._is_anchored:
            steps.add(0)
        return self._state(frozenset(steps), self._relevant(kind)) if steps else self._failed

    def _state(self, steps: frozenset[int], before: int) -> _State:
        state = self._states.get((steps, before))
        if state is None:
            if self.cached > _MOST_CACHED:
                self.forget()
            self.cached += len(steps) + 2
            state = self._states[steps, before] = _State(self, steps, before)
        return state

    def forget(self) -> None:
        """Drop the states."""
        for state in tuple(self._states.values()):  # another thread may add to it
            state.clear()
        self._states.clear()
        self._classes.clear()
        self.cached = 0

    def _closure(self, steps: frozenset[int], true: frozenset[Assertion | None]) -> set[int]:
        """Return the steps that test a character or accept and are reached without a character."""
        program = self.program
        tests, moves, assertions, accepting = program.tests, program.moves, program.assertions, program.accepting
        reached: set[int] = set()
        seen = set(steps)
        pending = list(steps)
        while pending:
            step = pending.pop()
            if tests[step] >= 0 or step == accepting:
                reached.add(step)
            elif assertions[step] in true:
                for target in moves[step]:
                    if target not in seen:
                        seen.add(target)
                        pending.append(target)
        self._visited += len(seen) + 1
        return reached

    def _class(self, character: str) -> int:
        """Return the number of the class of characters that no step distinguishes from this one."""
        number = self._classes.get(character)
        if number is None:
            code_point = ord(character) if character else -1
            # -1 stands for the end of the text and is in no set.
            belongs = frozenset([index for index, each in enumerate(self.program.sets) if bisect(each, code_point) % 2])
            kind = self._relevant_kind(character)
            with self._numbering:  # otherwise two threads could give two classes the same number
                number = self._class_numbers.setdefault((belongs, kind), len(self._class_numbers))
                if number == len(self._class_members):
                    self._class_members.append((belongs, kind))
            self._classes[character] = number
            self.cached += 1
        return number

    def _relevant_kind(self, character: str) -> int:
        return self._relevant(_kind(character))

    def _relevant(self, kind: int) -> int:
        """Return the kind, or `_OTHER` where the program does not distinguish it."""
        is_relevant = kind == _EDGE or (kind == _WORD and self._sees_words) or (kind == _NEWLINE and self._sees_lines)
        return kind if is_relevant else _OTHER

    # --- where a text matches -----------------------------------------------------------------------------------------

    def _run(self, text: str, start: int, bounds: int, visit: Visit = _ignore) -> tuple[int, ...] | None:
        """Return the first `bounds` bounds of the match."""
        program = self.program
        tests, moves = program.tests, program.moves
        unset = (-1,) * (bounds - 1)
        found: tuple[int, ...] | None = None
        running: list[_Run] = []
        before = _kind(text[start - 1]) if start else _EDGE
        visited = 0
        for position in range(start, len(text) + 1):
            if found is None:
                running.append((0, (position, *unset)))
            elif not running:
                break
            character = text[position] if position < len(text) else ""
            after = _kind(character)
            belongs = self._class_members[self._class(character)][0]
            waiting: list[_Run] = []
            reached, count = self._in_order(running, _TRUE[before][after], position)
            visit(count + 1)
            visited += count
            _check(visited)
            for step, places in reached:
                if tests[step] in belongs:
                    waiting.append((moves[step][0], places))
                elif tests[step] < 0:
                    found = (places[0], position, *places[2:])
            running = waiting
            before = after
        return found

    def _in_order(
        self, running: list[_Run], true: frozenset[Assertion | None], position: int
    ) -> tuple[list[_Run], int]:
        """Return the steps reached that test a character, the preferred first and none after one that accepts.

        The number counts the steps that were examined.
        """
        program = self.program
        tests, slots, moves, accepting = program.tests, program.slots, program.moves, program.accepting
        reached: list[_Run] = []
        seen: set[int] = set()
        pending = running[::-1]
        while pending:
            step, places = pending.pop()
            if step in seen:
                continue
            seen.add(step)
            if tests[step] >= 0:
                reached.append((step, places))
            elif step == accepting:
                reached.append((step, places))
                break
            elif program.assertions[step] in true:
                slot = slots[step]
                if 0 <= slot < len(places):
                    places = (*places[:slot], position, *places[slot + 1 :])
                pending += [(target, places) for target in reversed(moves[step])]
        return reached, len(seen)
