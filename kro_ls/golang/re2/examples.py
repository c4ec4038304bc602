"""A short text that a regular expression matches, for sample values."""

from __future__ import annotations

import string
from functools import lru_cache
from typing import TYPE_CHECKING

from kro_ls.golang.re2.matcher import PatternError, compiled, search

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.golang.re2.automaton import Automaton

# What is tried for a place of the text, the plainest first.
_CHARACTERS = string.ascii_lowercase + string.digits + string.ascii_uppercase + "-._/:@+=, " + string.punctuation + "\n"

# Steps of the automaton looked at: a moment's work.
_MOST_STEPS = 200_000


@lru_cache(maxsize=1024)
def example_of(pattern: str, shortest: int = 0, longest: int | None = None) -> str | None:
    """Return a text that an RE2 pattern matches, with a length in code points within the bounds, both inclusive.

    None where the pattern is not valid, nothing fits, or finding it is too costly.
    """
    try:
        for text in _candidates(compiled(pattern), shortest, longest):
            if search(pattern, text):
                return text
    except PatternError:
        return None
    return None


def _candidates(automaton: Automaton, shortest: int, longest: int | None) -> Iterator[str]:
    """Yield texts along which the automaton accepts, word boundaries aside, by length; short ones are filled up."""
    reached: dict[tuple[int, bool], str] = {(1, False): ""}
    work = 0
    for length in range(_MOST_STEPS):
        closed = _closed(automaton, reached, at_start=length == 0)
        text = next((text for (step, _), text in closed.items() if step == automaton.accepting), None)
        if text is not None:
            filler = "x" * (shortest - length)
            yield from (text + filler, filler + text)
        following: dict[tuple[int, bool], str] = {}
        for (step, ended), text in closed.items():
            character = _character(automaton, step) if not ended else None
            if character is not None:
                following.setdefault((step + 1, False), text + character)
        work += len(closed)
        if not following or work > _MOST_STEPS or (longest is not None and length >= longest):
            return
        reached = following


def _closed(
    automaton: Automaton, reached: dict[tuple[int, bool], str], *, at_start: bool
) -> dict[tuple[int, bool], str]:
    """Return the steps reached without a character; the flag tells that the text has to end there."""
    closed = dict(reached)
    pending = list(reached)
    while pending:
        step, ended = pending.pop()
        assertion = automaton.assertions.get(step, "")
        if assertion in ("A", "^") and not at_start:
            continue
        for target in automaton.moves[step]:
            place = (target, ended or assertion in ("z", "$"))
            if place not in closed:
                closed[place] = closed[step, ended]
                pending.append(place)
    return closed


def _character(automaton: Automaton, step: int) -> str | None:
    test = automaton.tests.get(step)
    return next(filter(test, _CHARACTERS), None) if test else None
