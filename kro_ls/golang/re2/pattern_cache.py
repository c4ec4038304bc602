"""Compiled patterns; the most recently used ones are cached."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

from kro_ls.golang.re2.pattern_errors import PatternError, UndecidedError

if TYPE_CHECKING:
    from kro_ls.golang.re2.matcher import Matcher
    from kro_ls.golang.re2.tree import Node


class _Cached:
    """A pattern: its tree until the first match, then its matcher; or the reason why it has none."""

    __slots__ = ("held", "matcher", "refused", "root", "size")

    def __init__(self, pattern: str) -> None:
        self.size = 10 * len(pattern) + 10  # one node per character
        self.held = 0
        self.root: Node | None = None
        self.matcher: Matcher | None = None
        self.refused: PatternError | UndecidedError | None = None
        # Imported here because many definitions have no pattern.
        from kro_ls.golang.re2.pattern_parser import parse

        try:
            self.root = parse(pattern)
        except PatternError as error:
            self.refused = error.with_traceback(None)

    def compile(self) -> None:
        """Make the matcher from the tree."""
        from kro_ls.golang.re2.matcher import Matcher
        from kro_ls.golang.re2.program import program_of

        if self.root is not None:
            try:
                self.matcher = Matcher(program_of(self.root))
            except UndecidedError as error:
                self.refused = error.with_traceback(None)
            else:
                program = self.matcher.program
                self.size += program.size + sum(map(len, program.sets))
            self.root = None

    def refusal(self) -> PatternError | UndecidedError:
        """Return a new error: a raised one keeps its frames alive."""
        if isinstance(self.refused, PatternError):
            return PatternError(self.refused.code, self.refused.shown, self.refused.start, self.refused.end)
        return UndecidedError(*(self.refused.args if self.refused else ()))

    def weigh(self) -> int:
        """Return its growth since the last call: characters, nodes, steps, bounds of sets and transitions."""
        before = self.held
        self.held = self.size + (self.matcher.cached if self.matcher is not None else 0)
        return self.held - before


class Patterns:
    """A cache of patterns, bounded by the total size of their states; the least recently used one is dropped first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._using = Lock()
        """Any thread may use a pattern."""
        self._kept: OrderedDict[str, _Cached] = OrderedDict()
        self._last: _Cached | None = None
        self.held = 0
        """What they hold together, but for what the pattern used last has come to hold."""

    def error(self, pattern: str) -> PatternError | None:
        """Return why Go's regexp.Compile refuses a pattern, or None if it compiles."""
        refused = self._of(pattern).refused
        return refused if isinstance(refused, PatternError) else None

    def compiled(self, pattern: str) -> Matcher:
        """Return the matcher of a pattern. Raises PatternError, or UndecidedError for one that is too large."""
        kept = self._of(pattern)
        kept.compile()
        if kept.matcher is not None:
            return kept.matcher
        raise kept.refusal()

    def forget(self) -> None:
        """Drop all of them."""
        with self._using:
            self._kept.clear()
            self._last = None
            self.held = 0

    def _of(self, pattern: str) -> _Cached:
        with self._using:
            self._weigh_last()
            kept = self._kept.get(pattern)
            if kept is None:
                kept = self._kept[pattern] = _Cached(pattern)
            self._kept.move_to_end(pattern)
            self._last = kept
            return kept

    def _weigh_last(self) -> None:
        """Count what the pattern used last has come to hold since, and make room."""
        if self._last is not None:
            self.held += self._last.weigh()
        while self.held > self._most and len(self._kept) > 1:
            self.held -= self._kept.popitem(last=False)[1].held


PATTERNS = Patterns(most=500_000)  # some tens of megabytes
"""The patterns of this process."""

compiled = PATTERNS.compiled
pattern_error = PATTERNS.error


def search(pattern: str, text: str) -> bool:
    """Whether a pattern matches anywhere in a text. Raises PatternError or UndecidedError."""
    return compiled(pattern).search(text)


def find(pattern: str, text: str, start: int = 0) -> tuple[int, int] | None:
    """Return where a pattern first matches at or after `start`, half-open; of several matches there the preferred one.

    Raises PatternError or UndecidedError.
    """
    return compiled(pattern).find(text, start)
