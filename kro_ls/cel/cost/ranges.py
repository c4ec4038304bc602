"""From how little to how much: sizes and costs, which never leave 64 bits (cel-go `checker/cost.go`)."""

from __future__ import annotations

import math
from typing import Final

from msgspec import Struct

MOST: Final = 2**64 - 1


class Range(Struct, frozen=True):
    """A size or a cost that is at least `least` and at most `most`."""

    least: int
    most: int

    def plus(self, other: Range) -> Range:
        """Return the range of the sum."""
        return Range(min(self.least + other.least, MOST), min(self.most + other.most, MOST))

    def times(self, other: Range) -> Range:
        """Return the range of the product."""
        return Range(min(self.least * other.least, MOST), min(self.most * other.most, MOST))

    def scaled(self, factor: float) -> Range:
        """Return both ends times a factor, rounded up as floating point numbers."""
        return Range(_scaled(self.least, factor), _scaled(self.most, factor))

    def union(self, other: Range) -> Range:
        """Return the range that holds both."""
        return Range(min(self.least, other.least), max(self.most, other.most))


def fixed(number: int) -> Range:
    """Return the range of one number."""
    return Range(number, number)


UNKNOWN: Final = Range(0, MOST)
NOTHING: Final = fixed(0)
ONE: Final = fixed(1)


def _scaled(number: int, factor: float) -> int:
    product = float(number) * factor
    return MOST if product >= 2.0**64 else math.ceil(product)
