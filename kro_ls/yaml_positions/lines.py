"""Where the lines of a text begin, kept in blocks: an edit looks at the lines of a block and renumbers blocks."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

_Offsets: TypeAlias = "array[int]"  # four bytes for each, where a list of numbers takes forty
_LINES_OF_A_BLOCK = 128


class LineStarts:
    """The offsets of the first character of each line, in code points. Immutable."""

    __slots__ = ("_blocks", "_numbers", "_offsets", "count")

    def __init__(self, blocks: list[_Offsets], offsets: list[int]) -> None:
        """`blocks` hold line starts relative to their block's `offsets`; each begins with 0."""
        self._blocks = blocks
        self._offsets = offsets
        self._numbers = list(accumulate(map(len, blocks), initial=0))
        self.count = self._numbers.pop()

    @classmethod
    def of(cls, content: str) -> LineStarts:
        """Return the line starts of a text; its last line is the one after the last line ending, be it empty."""
        return cls(*_blocks(content, 0, len(content), is_last=True))

    def located(self, offset: int) -> tuple[int, int]:
        """Return the 0-based line that an offset of the text is in, and the offset's column there."""
        number = bisect_right(self._offsets, offset) - 1
        block, within = self._blocks[number], offset - self._offsets[number]
        line = bisect_right(block, within) - 1
        return self._numbers[number] + line, within - block[line]

    def start(self, line: int) -> int:
        """Return the offset of the first character of a line from 0 up to `count`, which is not a line."""
        number = bisect_right(self._numbers, line) - 1
        return self._offsets[number] + self._blocks[number][line - self._numbers[number]]

    def moved(self, offset: int, grown: int) -> LineStarts:
        """Return the line starts after the line of an offset was made longer, or shorter, without becoming two."""
        offsets = self._offsets
        number = bisect_right(offsets, offset) - 1
        block = self._blocks[number]
        later = bisect_right(block, offset - offsets[number])
        blocks = self._blocks.copy()
        blocks[number] = block[:later] + array("I", [start + grown for start in block[later:]])
        return LineStarts(blocks, [*offsets[: number + 1], *[start + grown for start in offsets[number + 1 :]]])

    def edited(self, content: str, start: int, end: int, grown: int) -> LineStarts:
        """Return the line starts of `content`, in which `[start, end)` was replaced by `grown` more characters.

        The characters beside the edit are looked at again, for they may be halves of a line ending.
        """
        offsets = self._offsets
        first = bisect_right(offsets, max(start - 1, 0)) - 1
        after = bisect_right(offsets, end + 1)
        is_last = after == len(offsets)
        stop = len(content) if is_last else offsets[after] + grown
        blocks, starts = _blocks(content, offsets[first], stop, is_last=is_last)
        return LineStarts(
            [*self._blocks[:first], *blocks, *self._blocks[after:]],
            [*offsets[:first], *starts, *[offset + grown for offset in offsets[after:]]],
        )


def _blocks(content: str, start: int, stop: int, *, is_last: bool) -> tuple[list[_Offsets], list[int]]:
    """Return the blocks of a stretch of whole lines and where they start."""
    found = array("I", [start])
    found.extend(_line_starts(content, start, stop))
    if not is_last:
        found.pop()  # the start of the block after this stretch
    firsts = found[::_LINES_OF_A_BLOCK].tolist()
    blocks = [
        array("I", [line - first for line in found[number * _LINES_OF_A_BLOCK : (number + 1) * _LINES_OF_A_BLOCK]])
        for number, first in enumerate(firsts)
    ]
    return blocks, firsts


def _line_starts(content: str, start: int, stop: int) -> Iterator[int]:
    """Yield where the lines begin after the first one of a stretch.

    Single characters are found quickly. An expression would hold up other threads in a line of megabytes.
    """
    feed, carriage_return = content.find("\n", start, stop), content.find("\r", start, stop)
    while feed >= 0 or carriage_return >= 0:
        if carriage_return < 0 or 0 <= feed < carriage_return:
            start = feed + 1
        else:
            start = carriage_return + (2 if carriage_return + 1 == feed else 1)
        yield start
        if 0 <= feed < start:
            feed = content.find("\n", start, stop)
        if 0 <= carriage_return < start:
            carriage_return = content.find("\r", start, stop)
