"""An immutable text that converts between code point offsets and line/column positions.

Long texts are searched in stretches, because no other thread runs while a regular expression searches.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from itertools import accumulate, chain
from typing import TYPE_CHECKING, AnyStr, Final, TypeAlias

from msgspec import Struct

from kro_ls.queries.cells import cached_attribute
from kro_ls.yaml_positions.positions import Position, PositionEncoding, Span

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

STRETCH: Final = 64_000
_Offsets: TypeAlias = "array[int]"  # four bytes for each, where a list of numbers takes forty
_LINES_OF_A_BLOCK = 128
_LONG = 1024**2
_PIECE = 64 * 1024


class Text(Struct, frozen=True, dict=True):
    """A whole text. Line endings are `\\n`, `\\r\\n` and `\\r`, as in LSP; a BOM is a character like any other."""

    content: str

    @cached_attribute
    def _line_starts(self) -> LineStarts:
        return LineStarts.of(self.content)

    @property
    def line_count(self) -> int:
        """The number of lines; a text that ends with a line ending has an empty last line."""
        return self._line_starts.count

    def line_start(self, line: int) -> int:
        """Return the offset of a line's first character; a line past the end gives the text's length."""
        return self._line_starts.start(max(line, 0)) if line < self.line_count else len(self.content)

    def line_span(self, line: int) -> Span:
        """Return the span of a line without its line ending."""
        start = self.line_start(line)
        end = self.line_start(line + 1)
        if line + 1 < self.line_count:
            end -= 2 if self.content.startswith("\r\n", end - 2) and end - 2 >= start else 1
        return Span(start, end)

    def position(self, offset: int) -> Position:
        """Return line and column in code points. An offset outside the text is clamped to it."""
        return Position(*self._line_starts.located(min(max(offset, 0), len(self.content))))

    def offset(self, position: Position) -> int:
        """Return the offset of a position counted in code points, clamped to its line and to the text."""
        return self.encoded_offset(position.line, position.column, PositionEncoding.UTF32)

    def encoded_position(self, offset: int, encoding: PositionEncoding) -> Position:
        """Return line and column, the column in units of the encoding."""
        position = self.position(offset)
        if self.content.isascii() or encoding == PositionEncoding.UTF32:
            return position
        start = self._line_starts.start(position.line)
        return Position(position.line, _units(self.content[start : start + position.column], encoding))

    def encoded_offset(self, line: int, character: int, encoding: PositionEncoding) -> int:
        """Return the offset of an LSP position.

        As LSP demands, a character past the end of its line is the line's end; one in the middle of a code point
        (a surrogate pair, a UTF-8 sequence) is that code point's start. A line past the end is the text's end.
        """
        if line < 0:
            return 0
        if line >= self.line_count:
            return len(self.content)
        span = self.line_span(line)
        if character <= 0:
            return span.start
        if self.content.isascii() or encoding == PositionEncoding.UTF32:
            return min(span.start + character, span.end)
        return span.start + _code_points(self.content[span.start : span.end], character, encoding)

    def contains(self, words: str) -> bool:
        """Return whether some words are in the text; if they were missing before an edit, only its part is searched."""
        if words in self._missing:
            return False
        found = holds(self.content, words)
        if not found:
            self._missing.add(words)
        return found

    @cached_attribute
    def _missing(self) -> set[str]:
        """Words that were searched for in vain."""
        return set()

    def replace(self, start: int, end: int, new: str) -> Text:
        """Return a text with `new` in place of `[start, end)`; only the line starts around it are computed again."""
        pieces = self._spliced(start, end, new)
        replaced = Text("".join(pieces))
        if len(replaced.content) >= _LONG:
            replaced.__dict__["_pieces"] = pieces
        for words in tuple(self._missing):
            around = len(words) - 1
            if words not in replaced.content[max(start - around, 0) : start + len(new) + around]:
                replaced._missing.add(words)
        cached: LineStarts | None = self.__dict__.get("_line_starts")
        if cached is not None:
            grown = len(new) - (end - start)
            if _has_line_ending(new) or _has_line_ending(self.content[max(start - 1, 0) : end]):
                lines = cached.edited(replaced.content, start, end, grown)
            else:
                lines = cached.moved(start, grown)
            replaced.__dict__["_line_starts"] = lines
        return replaced

    @cached_attribute
    def _pieces(self) -> tuple[str, ...]:
        """The pieces of a long text: joined with an edit they are copied once, and not twice as two halves would be."""
        return tuple(self.content[start : start + _PIECE] for start in range(0, len(self.content), _PIECE))

    def _spliced(self, start: int, end: int, new: str) -> tuple[str, ...]:
        """Return the pieces of the text with `new` in the place of `[start, end)`."""
        if len(self.content) < _LONG:
            return self.content[:start], new, self.content[end:]
        pieces = self._pieces
        offsets = list(accumulate(map(len, pieces), initial=0))
        first = bisect_right(offsets, start, hi=len(pieces)) - 1
        last = bisect_left(offsets, end, lo=first + 1, hi=len(pieces))
        changed = "".join(pieces[first:last])
        changed = changed[: start - offsets[first]] + new + changed[end - offsets[first] :]
        within = range(0, len(changed), _PIECE) if len(changed) > 2 * _PIECE else ()
        cut = tuple(changed[each : each + _PIECE] for each in within) or (changed,)
        return (*pieces[:first], *cut, *pieces[last:])


class Change(Struct, frozen=True):
    """An edit of a text: `[start, end)` became `length` characters, and the rest stayed the same."""

    start: int
    end: int
    length: int

    @property
    def grown(self) -> int:
        """By how many characters the text is longer."""
        return self.length - (self.end - self.start)

    def moved(self, offset: int) -> int:
        """Return the new offset for one of the previous text; an offset in the replaced part becomes its start."""
        if offset <= self.start:
            return offset
        return offset + self.grown if offset >= self.end else self.start

    def then(self, start: int, end: int, length: int) -> Change:
        """Return this change followed by another one, as one: `[start, end)` counts in the text that this one left."""
        changed_end = self.start + self.length
        return Change(
            min(self.start, start),
            self.end + max(0, end - changed_end),
            max(changed_end, end) - min(self.start, start) + length - (end - start),
        )


def _has_line_ending(text: str) -> bool:
    return "\n" in text or "\r" in text


def _units(text: str, encoding: PositionEncoding) -> int:
    """Count code units; a lone surrogate, which no encoding can hold, counts as it would in memory."""
    if text.isascii():
        return len(text)
    if encoding == PositionEncoding.UTF16:
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
    return len(text.encode("utf-8", "surrogatepass"))


def _code_points(text: str, units: int, encoding: PositionEncoding) -> int:
    """Count the whole code points in the first units of a text."""
    if text.isascii():
        return min(units, len(text))
    used = 0
    for count, character in enumerate(text):
        used += _units(character, encoding)
        if used > units:
            return count
    return len(text)


class LineStarts:
    """The offsets of the first character of each line, in code points. Immutable.

    They are stored in blocks: an edit computes the lines of one block and renumbers the others.
    """

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
        """Return the line starts after the line of an offset became longer or shorter without being split or joined."""
        offsets = self._offsets
        number = bisect_right(offsets, offset) - 1
        block = self._blocks[number]
        later = bisect_right(block, offset - offsets[number])
        blocks = self._blocks.copy()
        blocks[number] = block[:later] + array("I", [start + grown for start in block[later:]])
        return LineStarts(blocks, [*offsets[: number + 1], *[start + grown for start in offsets[number + 1 :]]])

    def edited(self, content: str, start: int, end: int, grown: int) -> LineStarts:
        """Return the line starts of `content`, in which `[start, end)` was replaced by `grown` more characters.

        The characters beside the edit are read again, for they may be halves of a line ending.
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
    while carriage_return >= 0:
        if 0 <= feed < carriage_return:
            start = feed + 1
        else:
            start = carriage_return + (2 if carriage_return + 1 == feed else 1)
            carriage_return = content.find("\r", start, stop)
        yield start
        if 0 <= feed < start:
            feed = content.find("\n", start, stop)
    while feed >= 0:  # most texts have no carriage return
        yield feed + 1
        feed = content.find("\n", feed + 1, stop)


def holds(text: AnyStr, words: AnyStr) -> bool:
    """Whether some words are in a text."""
    if len(text) <= STRETCH:
        return words in text
    longest = STRETCH + len(words) - 1
    return any(text.find(words, start, start + longest) >= 0 for start in range(0, len(text), STRETCH))


def stretches(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the stretches of a text start and end."""
    for start in range(0, len(text), STRETCH):
        yield start, start + STRETCH


def line_stretches(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield stretches of whole lines. Each begins with the line ending before it, so no line is found twice."""
    while end - start > STRETCH and (line := text.find("\n", start + STRETCH, end) + 1):
        yield start, line
        start = line - 1
    yield start, end


def matches_after_feeds(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Return the matches of a pattern that begins with a line feed. Only the beginnings of very long lines are read."""
    if end - start <= STRETCH:
        return pattern.finditer(text, start, end)
    found = (
        pattern.finditer(text, *lines)
        if lines[1] - lines[0] <= 2 * STRETCH
        else _matches_at_feeds(pattern, text, *lines)
        for lines in line_stretches(text, start, end)
    )
    return chain.from_iterable(found)


def _matches_at_feeds(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    feed = text.find("\n", start, end)
    while feed >= 0:
        match = pattern.match(text, feed, end)
        if match:
            yield match
        feed = text.find("\n", match.end() if match else feed + 1, end)
