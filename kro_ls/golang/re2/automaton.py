"""A nondeterministic automaton over the characters of a text, the machine behind `regular_expressions`.

All its states are followed side by side, so that a search takes time linear in the text; transitions seen once are
remembered.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LARGEST_PROGRAM = 20_000
# States remembered in all, and states visited in one search: some megabytes, and about a second.
_MOST_REMEMBERED = 1_000_000
_MOST_VISITED = 2_000_000

Test: TypeAlias = "Callable[[str], bool]"
Key = TypeVar("Key", bound="tuple[frozenset[int], object]")


class PatternError(ValueError):
    """The pattern is not a regular expression of this language."""


class UndecidedError(PatternError):
    """The pattern may be right, but whether it matches is not known here."""


class Automaton:
    """A program: each step has a test for the next character, or empty moves, or an assertion about the place."""

    def __init__(self) -> None:
        self.tests: dict[int, Test] = {}
        self.moves: dict[int, list[int]] = {}
        self.assertions: dict[int, str] = {}
        self.size = 0
        self.accepting = -1
        self.visited = 0
        """The states that the last search had to look at: what it cost."""
        self._remembered = 0
        self._closures: dict[tuple[frozenset[int], frozenset[str]], frozenset[int]] = {}
        self._steps: dict[tuple[frozenset[int], str], frozenset[int]] = {}

    def add(self) -> int:
        """A new step without anything."""
        if self.size >= _LARGEST_PROGRAM:
            raise UndecidedError("the regular expression is too large")
        self.size += 1
        self.moves[self.size] = []
        return self.size

    def search(self, text: str) -> bool:
        """Whether the automaton accepts any part of the text."""
        self.visited = 0
        start = frozenset([1])
        states = start
        before = ""
        for after in text:
            closed = self._closure(states, _true_assertions(before, after))
            if self.accepting in closed:
                return True
            states = self._step(closed, after) | start
            before = after
        return self.accepting in self._closure(states, _true_assertions(before, ""))

    def find(self, text: str, start: int) -> tuple[int, int] | None:
        """Return the leftmost match from `start` on, of those the one that the order of the moves prefers.

        Steps are followed side by side in order of preference, each with the place where its match began.
        """
        found: tuple[int, int] | None = None
        self.visited = 0
        running: list[tuple[int, int]] = []
        for position in range(start, len(text) + 1):
            if found is None:
                running.append((1, position))
            if not running:
                break
            before = text[position - 1] if position else ""
            after = text[position] if position < len(text) else ""
            waiting: list[tuple[int, int]] = []
            for step, began in self._ordered(running, _true_assertions(before, after)):
                if step == self.accepting:
                    found = (began, position)
                    break
                waiting.append((step, began))
            running = [(step + 1, began) for step, began in waiting if after and self.tests[step](after)]
        return found

    def _ordered(self, running: list[tuple[int, int]], true: frozenset[str]) -> Iterator[tuple[int, int]]:
        """Yield the steps reached that test a character or accept, the preferred first, each once."""
        seen: set[int] = set()
        pending = running[::-1]
        while pending:
            step, began = pending.pop()
            if step in seen:
                continue
            seen.add(step)
            self._count(1)
            if step in self.tests or step == self.accepting:
                yield step, began
            elif self.assertions.get(step, "") in true:
                pending += [(target, began) for target in reversed(self.moves[step])]

    def _closure(self, states: frozenset[int], true: frozenset[str]) -> frozenset[int]:
        found = self._closures.get((states, true))
        if found is None:
            reached = set(states)
            pending = list(states)
            while pending:
                step = pending.pop()
                if self.assertions.get(step, "") in true:
                    new = [target for target in self.moves[step] if target not in reached]
                    reached.update(new)
                    pending += new
            found = frozenset(reached)
            self._remember(self._closures, (states, true), found)
        return found

    def _step(self, closed: frozenset[int], character: str) -> frozenset[int]:
        found = self._steps.get((closed, character))
        if found is None:
            # A step with a test moves to the step made right after it.
            tests = self.tests
            found = frozenset(step + 1 for step in closed if step in tests and tests[step](character))
            self._remember(self._steps, (closed, character), found)
        return found

    def _remember(self, table: dict[Key, frozenset[int]], key: Key, found: frozenset[int]) -> None:
        self._count(len(key[0]) + 1)
        self._remembered += len(key[0]) + len(found) + 1
        if self._remembered < _MOST_REMEMBERED:
            table[key] = found

    def _count(self, visited: int) -> None:
        self.visited += visited
        if self.visited > _MOST_VISITED:
            raise UndecidedError("matching the regular expression is too costly")


@lru_cache(maxsize=4096)
def _true_assertions(before: str, after: str) -> frozenset[str]:
    """The assertions that hold between two characters (empty: the text's start or end); the empty one always does."""
    true = {"", "b" if is_word(before) != is_word(after) else "B"}
    true |= {"A", "^"} if not before else {"^"} if before == "\n" else set()
    true |= {"z", "$"} if not after else {"$"} if after == "\n" else set()
    return frozenset(true)


def is_word(character: str) -> bool:
    """Whether `\\w` matches a character."""
    return character.isascii() and (character.isalnum() or character == "_")
