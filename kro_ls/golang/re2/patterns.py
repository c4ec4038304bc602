"""Patterns ready for use; those used last are remembered."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from kro_ls.golang.re2.errors import PatternError, UndecidedError
from kro_ls.golang.re2.matcher import Matcher
from kro_ls.golang.re2.parser import parse
from kro_ls.golang.re2.program import program_of
from kro_ls.golang.re2.tree import Node

if TYPE_CHECKING:
    from collections.abc import Callable

_Source = TypeVar("_Source")
_Made = TypeVar("_Made")

_Refused: TypeAlias = PatternError | UndecidedError
_Kept: TypeAlias = Node | Matcher | _Refused
_KeptOf = TypeVar("_KeptOf", bound=_Kept)


class Patterns:
    """Patterns that were used: a tree until something is matched. Bounded by what they hold together, see `held`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def parsed(self, pattern: str) -> _Kept:
        """Return anything but a PatternError for a pattern that Go compiles."""
        kept = self._kept.get(pattern)
        if kept is None:
            kept = self._keep(pattern, _made(pattern, parse))
        self._kept.move_to_end(pattern)
        return kept

    def compiled(self, pattern: str) -> Matcher | _Refused:
        """Return the matcher of a pattern, or why there is none."""
        kept = self.parsed(pattern)
        if isinstance(kept, Matcher | PatternError | UndecidedError):
            return kept
        return self._keep(pattern, _made(kept, lambda root: Matcher(program_of(root))))

    def held(self) -> int:
        """Return how many characters, steps, bounds of sets and transitions there are."""
        return sum(_held(pattern, kept) for pattern, kept in self._kept.items())

    def forget(self) -> None:
        """Drop all of them."""
        self._kept.clear()

    def _keep(self, pattern: str, kept: _KeptOf) -> _KeptOf:
        self._kept[pattern] = kept
        left = self.held()
        while left > self._most and len(self._kept) > 1:
            left -= _held(*self._kept.popitem(last=False))
        return kept


def _made(source: _Source, make: Callable[[_Source], _Made]) -> _Made | _Refused:
    try:
        return make(source)
    except (PatternError, UndecidedError) as error:
        return error.with_traceback(None)


def _held(pattern: str, kept: _Kept) -> int:
    if not isinstance(kept, Matcher):
        return 10 * len(pattern) + 10  # a node for each character
    return len(pattern) + kept.program.size + sum(map(len, kept.program.sets)) + kept.remembered


PATTERNS = Patterns(most=500_000)  # some tens of megabytes
"""The patterns of this process."""


def compiled(pattern: str) -> Matcher:
    """Return the matcher of a pattern. Raises PatternError, or UndecidedError for one that is too large."""
    found = PATTERNS.compiled(pattern)
    if isinstance(found, Matcher):
        return found
    raise found.with_traceback(None)


def pattern_error(pattern: str) -> PatternError | None:
    """Return why Go's regexp.Compile refuses a pattern, or None if it compiles."""
    found = PATTERNS.parsed(pattern)
    return found if isinstance(found, PatternError) else None


def search(pattern: str, text: str) -> bool:
    """Whether a pattern matches anywhere in a text. Raises PatternError or UndecidedError."""
    return compiled(pattern).search(text)


def find(pattern: str, text: str, start: int = 0) -> tuple[int, int] | None:
    """Return where a pattern first matches at or after `start`, half-open; of several matches there the preferred one.

    Raises PatternError or UndecidedError.
    """
    return compiled(pattern).find(text, start)
