"""Work in steps, between which other work can run: a generator that returns the result."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias, TypeVar

T = TypeVar("T")

Steps: TypeAlias = Generator[None, None, T]


def result_of(steps: Steps[T]) -> T:
    """Do all steps at once and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result


def step(steps: Steps[T]) -> T | None:
    """Do one step, and return the result if it was the last step; the result must not be None."""
    try:
        next(steps)
    except StopIteration as end:
        result: T = end.value
        return result
    return None
