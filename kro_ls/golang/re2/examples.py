"""A short text that a regular expression matches, for sample values."""

from __future__ import annotations

import string
from functools import lru_cache
from typing import TYPE_CHECKING

from kro_ls.golang.re2.pattern_cache import compiled
from kro_ls.golang.re2.pattern_errors import PatternError, UndecidedError
from kro_ls.golang.re2.tree import Assertion
from kro_ls.golang.unicode import contains

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.golang.re2.program import Program
    from kro_ls.golang.unicode import CharacterSet

# What is tried for a place of the text, the plainest first.
_CHARACTERS = string.ascii_lowercase + string.digits + string.ascii_uppercase + "-._/:@+=, " + string.punctuation + "\n"

_AT_START = (Assertion.TEXT_START, Assertion.LINE_START)
_AT_END = (Assertion.TEXT_END, Assertion.LINE_END)

# The most steps to visit.
_MOST_STEPS = 50_000


@lru_cache(maxsize=1024)  # searching takes milliseconds
def example_of(pattern: str, shortest: int = 0, longest: int | None = None) -> str | None:
    """Return a text that an RE2 pattern matches, with a length in code points within the bounds, both inclusive.

    None where the pattern is not valid, nothing fits, or finding it is too costly.
    """
    try:
        matcher = compiled(pattern)
        for text in _candidates(matcher.program, shortest, longest):
            if matcher.search(text):
                return text
    except (PatternError, UndecidedError):
        return None
    return None


def _candidates(program: Program, shortest: int, longest: int | None) -> Iterator[str]:
    """Yield texts along which the program accepts, word boundaries aside, by length; short ones are filled up."""
    reached: dict[tuple[int, bool], str] = {(0, False): ""}
    characters = tuple(_character(each) for each in program.sets)
    work = 0
    # From any step reached after `shortest` characters, no path needs to visit a step twice.
    for length in range(shortest + 2 * program.size + 1):
        closed = _closed(program, reached, at_start=length == 0)
        text = next((text for (step, _), text in closed.items() if step == program.accepting), None)
        if text is not None:
            filler = "x" * (shortest - length)
            yield from (text + filler, filler + text)
            work += length + len(filler)  # the cost of matching these
        following: dict[tuple[int, bool], str] = {}
        for (step, ended), text in closed.items():
            test = program.tests[step]
            character = characters[test] if test >= 0 and not ended else None
            if character is not None:
                following.setdefault((program.moves[step][0], False), text + character)
        work += len(closed)
        if not following or work > _MOST_STEPS or (longest is not None and length >= longest):
            return
        reached = following


def _closed(program: Program, reached: dict[tuple[int, bool], str], *, at_start: bool) -> dict[tuple[int, bool], str]:
    """Return the steps reached without a character; the flag says whether the text must end there."""
    closed = dict(reached)
    pending = list(reached)
    while pending:
        step, ended = pending.pop()
        assertion = program.assertions[step]
        if program.tests[step] >= 0 or (assertion in _AT_START and not at_start):
            continue
        for target in program.moves[step]:
            place = (target, ended or assertion in _AT_END)
            if place not in closed:
                closed[place] = closed[step, ended]
                pending.append(place)
    return closed


def _character(characters: CharacterSet) -> str | None:
    return next((each for each in _CHARACTERS if contains(characters, ord(each))), None)
