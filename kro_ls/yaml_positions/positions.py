"""Offsets, spans and line/column positions, and the encodings an editor may count columns in."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

Path: TypeAlias = tuple[str | int, ...]
"""The keys and indices that lead to a node from the root of its document."""


class PositionEncoding(StrEnum):
    """The unit of a column: code units of UTF-8 or UTF-16, or code points (UTF-32), as LSP names them."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


class Position(Struct, frozen=True, order=True, gc=False):
    """A place in a text: 0-based line and 0-based column; the column's unit is the encoding it was asked in."""

    line: int
    column: int


class Span(Struct, frozen=True, order=True, gc=False):
    """A half-open range `[start, end)` of 0-based code point offsets."""

    start: int
    end: int

    def shift(self, distance: int) -> Span:
        """Return the span moved by a number of code points (negative moves left)."""
        return Span(self.start + distance, self.end + distance)

    def contains(self, offset: int) -> bool:
        """Return whether the offset is inside or at either end, as an editor's cursor touches a word."""
        return self.start <= offset <= self.end
