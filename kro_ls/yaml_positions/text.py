"""An immutable text that converts between code point offsets and line/column positions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import accumulate

from msgspec import Struct

from kro_ls.yaml_positions.lines import LineStarts
from kro_ls.yaml_positions.positions import Position, PositionEncoding, Span
from kro_ls.yaml_positions.stretches import holds

_LONG = 1024**2
_PIECE = 64 * 1024


class Text(Struct, frozen=True, dict=True):
    """A whole text. Line endings are `\\n`, `\\r\\n` and `\\r`, as in LSP; a BOM is a character like any other."""

    content: str

    @cached_property
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
        """Whether some words are in the text: where they were not before an edit, only what it wrote is searched."""
        if words in self._missing:
            return False
        found = holds(self.content, words)
        if not found:
            self._missing.add(words)
        return found

    @cached_property
    def _missing(self) -> set[str]:
        """Words that were looked for and are not in the text."""
        return set()

    def replace(self, start: int, end: int, new: str) -> Text:
        """Return a text with `new` in the place of `[start, end)`; only the lines around it are looked for anew."""
        pieces = self._spliced(start, end, new)
        replaced = Text("".join(pieces))
        if len(replaced.content) >= _LONG:
            replaced.__dict__["_pieces"] = pieces
        for words in tuple(self._missing):
            around = len(words) - 1
            if words not in replaced.content[max(start - around, 0) : start + len(new) + around]:
                replaced._missing.add(words)
        known: LineStarts | None = self.__dict__.get("_line_starts")
        if known is not None:
            grown = len(new) - (end - start)
            if _has_line_ending(new) or _has_line_ending(self.content[max(start - 1, 0) : end]):
                lines = known.edited(replaced.content, start, end, grown)
            else:
                lines = known.moved(start, grown)
            replaced.__dict__["_line_starts"] = lines
        return replaced

    @cached_property
    def _pieces(self) -> tuple[str, ...]:
        """What a long text consists of, so that an edit copies it once: to cut it in two would copy it once more."""
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
