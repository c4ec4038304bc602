"""Work that is done in steps, so that others get their turn between them: a generator that returns what it gives."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias, TypeVar

T = TypeVar("T")

Steps: TypeAlias = Generator[None, None, T]


def result_of(steps: Steps[T]) -> T:
    """Do all steps at once, and return what the work gives."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result


def step(steps: Steps[T]) -> T | None:
    """Do one step, and return what the work gives if that was the last; the work may not give None."""
    try:
        next(steps)
    except StopIteration as end:
        result: T = end.value
        return result
    return None
