"""Exact maps between a scalar's decoded string and the text it is written in.

Each decoded code point has the span of the source that made it: itself, an escape, a folded line break. What YAML
drops (quotes, indentation, blanks before a line break, the header of a block scalar) belongs to no code point, except
that a folded line break takes in the blanks around it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from kro_ls.yaml_positions.parsing.events import json_value, replace_invalid_characters
from kro_ls.yaml_positions.positions import Span
from kro_ls.yaml_positions.scalars.resolution import ScalarStyle

if TYPE_CHECKING:
    from kro_ls.yaml_positions.nodes import Scalar


class Piece(Struct, frozen=True):
    """Decoded text and the source it comes from: as long as the text, or any length for one code point."""

    text: str
    start: int
    end: int


class SourceMap(Struct, frozen=True, gc=False):
    """Maps offsets of a decoded string to offsets of the chunk's text and back.

    `exact` is False for a scalar that a repair has changed beyond recognition: then every offset maps to its start.
    """

    length: int
    end: int
    pieces: tuple[Piece, ...]
    value_starts: tuple[int, ...]
    exact: bool = True

    def to_source(self, value_offset: int) -> int:
        """Return where a decoded code point starts in the source; the end of the string is the end of its source."""
        if not self.pieces or value_offset >= self.length:
            return self.end
        number, piece = self._piece_at(max(value_offset, 0))
        inside = max(value_offset, 0) - self.value_starts[number]
        return piece.start + (inside if _is_literal(piece) else 0)

    def to_value(self, source_offset: int) -> int | None:
        """Return the decoded offset at an offset of the source, None where nothing decoded comes from.

        Inside an escape it is the escaped code point's. The end of the source is the end of the string.
        """
        if source_offset == self.end:
            return self.length
        number = bisect_right(self.pieces, source_offset, key=lambda piece: piece.start) - 1
        if number < 0 or source_offset >= self.pieces[number].end:
            return None
        piece = self.pieces[number]
        return self.value_starts[number] + (source_offset - piece.start if _is_literal(piece) else 0)

    def source_span(self, span: Span) -> Span:
        """Return the smallest span of the source that holds a span of the decoded string."""
        start = self.to_source(span.start)
        if span.end <= span.start or not self.pieces:
            return Span(start, start)
        last = min(span.end, self.length) - 1
        _number, piece = self._piece_at(last)
        end = self.to_source(last) + 1 if _is_literal(piece) else piece.end
        return Span(start, max(start, end))

    def decoded(self) -> str:
        """Return the string as the map decodes it."""
        return "".join(piece.text for piece in self.pieces)

    def _piece_at(self, value_offset: int) -> tuple[int, Piece]:
        number = bisect_right(self.value_starts, value_offset) - 1
        return number, self.pieces[number]


def source_map(chunk_text: str, scalar: Scalar) -> SourceMap:
    """Return the map between `scalar.text` and the scalar's chunk."""
    source = chunk_text[scalar.start : scalar.end]
    found = _exact_map(source, scalar) or _exact_map(replace_invalid_characters(source)[0], scalar)
    if found is not None:
        return found
    whole = Piece(scalar.text, scalar.start, scalar.end)
    return SourceMap(len(scalar.text), scalar.end, (whole,) if scalar.text else (), (0,), exact=False)


def _exact_map(source: str, scalar: Scalar) -> SourceMap | None:
    candidates = (_assemble(*each) for each in _DECODERS[scalar.style](source, scalar.start, scalar.text))
    return next((each for each in candidates if each.decoded() == scalar.text), None)


def text_span(chunk_text: str, scalar: Scalar) -> Span:
    """Return where the text of a scalar stands in its chunk, quotes left out."""
    return source_map(chunk_text, scalar).source_span(Span(0, len(scalar.text)))


def _is_literal(piece: Piece) -> bool:
    return len(piece.text) == piece.end - piece.start


def _assemble(pieces: Iterator[Piece], end: int) -> SourceMap:
    """Join neighbouring literal pieces."""
    joined: list[Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last is not None and last.end == piece.start and _is_literal(last) and _is_literal(piece):
            joined[-1] = Piece(last.text + piece.text, last.start, piece.end)
        else:
            joined.append(piece)
    starts: list[int] = []
    length = 0
    for piece in joined:
        starts.append(length)
        length += len(piece.text)
    return SourceMap(length, end, tuple(joined), tuple(starts))


# --- plain and quoted scalars -----------------------------------------------------------------------------------------

_Decoded: TypeAlias = Iterator[tuple[Iterator[Piece], int]]
_Decoder: TypeAlias = Callable[[str, int, str], _Decoded]

_BREAK = r"(?:\r\n|[\r\n\x85\u2028\u2029])"
_FOLD = rf"(?P<fold>[ \t]*{_BREAK}(?:[ \t]*{_BREAK})*[ \t]*)"
_TEXT = r"[^\s\x85\u2028\u2029\\']+|."
# Most scalars are literal, so these patterns are compiled on first use.
_PLAIN_TOKEN = rf"{_FOLD}|{_TEXT}"
_SINGLE_QUOTED_TOKEN = rf"{_FOLD}|(?P<quote>'')|{_TEXT}"
_DOUBLE_QUOTED_TOKEN = (
    rf"{_FOLD}|(?P<joined>\\{_BREAK}[ \t]*(?:{_BREAK}[ \t]*)*)"
    r"|\\(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|\\(?P<code>x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"
    rf"|\\(?P<escape>[0abt\tnvfre \"'/\\N_LP])|{_TEXT}"
)
_SURROGATES = range(0xD800, 0xE000)
_ESCAPES = dict(zip("0abt\tnvfre \"'/\\N_LP", "\0\a\b\t\t\n\v\f\r\x1b \"'/\\\x85\xa0\u2028\u2029", strict=True))


def _decode_plain(source: str, start: int, text: str) -> _Decoded:
    if source == text:
        yield iter([Piece(text, start, start + len(text))] if text else []), start + len(source)
    else:
        yield _tokens(_PLAIN_TOKEN, source, 0, len(source), start), start + len(source)


def _decode_quoted(source: str, start: int, text: str) -> _Decoded:
    quote = source[:1]
    token = _DOUBLE_QUOTED_TOKEN if quote == '"' else _SINGLE_QUOTED_TOKEN
    ends = (len(source) - 1, len(source)) if source.endswith(quote) and len(source) > 1 else (len(source),)
    for end in ends:
        if source[1:end] == text:
            yield iter([Piece(text, start + 1, start + end)] if text else []), start + end
        else:
            yield _tokens(token, source, 1, end, start), start + end


def _tokens(token: str, source: str, position: int, end: int, start: int) -> Iterator[Piece]:
    """Yield the pieces of a flow scalar's content; `start` is the offset of the source in the chunk."""
    for match in re.compile(token, re.DOTALL).finditer(source, position, end):
        kind = match.lastgroup
        first, last = start + match.start(), start + match.end()
        if kind is None:
            yield Piece(match[0], first, last)
        elif kind == "code":
            code = int(match["code"][1:], 16)
            yield Piece("\ufffd" if code in _SURROGATES else chr(code), first, last)
        elif kind == "pair":
            yield Piece(json_value(f'"{match[0]}"'), first, last)
        elif kind == "escape":
            yield Piece(_ESCAPES[match["escape"]], first, last)
        elif kind == "quote":
            yield Piece("'", first, last)
        else:
            yield from _folded_breaks(match[0], first, escaped=kind == "joined")


def _folded_breaks(blanks: str, start: int, escaped: bool) -> Iterator[Piece]:
    """Yield what remains of line breaks: of one a space, of several all but the first; an escaped one vanishes."""
    breaks = [(_normal_break(match[0]), match.end()) for match in re.finditer(_BREAK, blanks)]
    kept = breaks[1:] if escaped or breaks[0][0] == "\n" else breaks
    if not kept and not escaped:
        yield Piece(" ", start, start + len(blanks))
    position = 0
    for number, (text, end) in enumerate(kept):
        last = len(blanks) if number == len(kept) - 1 else end
        yield Piece(text, start + position, start + last)
        position = end


def _normal_break(text: str) -> str:
    return text if text in "\u2028\u2029" else "\n"


# --- block scalars ----------------------------------------------------------------------------------------------------

_HEADER = rf"[|>](?P<indicators>[-+0-9]*)[^\r\n\x85\u2028\u2029]*(?:{_BREAK}|\Z)"
_LINE = rf"(?P<blanks>[ ]*)(?P<rest>[^\r\n\x85\u2028\u2029]*)(?P<break>{_BREAK}|\Z)"


def _decode_block(source: str, start: int, _text: str) -> _Decoded:
    header = re.match(_HEADER, source)
    if header is None:
        return
    lines = [line for line in re.compile(_LINE).finditer(source, header.end()) if line[0]]
    indicators = header["indicators"]
    digit = re.search("[1-9]", indicators)
    deepest = max((len(line["blanks"]) for line in lines), default=0)
    detected = _detected_indent(lines)
    # An explicit indentation counts from the parent's, which is unknown here: the decoded text decides.
    indents = range(int(digit[0]), deepest + int(digit[0]) + 1) if digit is not None else (detected,)
    for indent in indents:
        pieces = list(_block_pieces(lines, indent, source[0] == ">", indicators, start))
        yield iter(pieces), pieces[-1].end if pieces else start + header.end()


def _detected_indent(lines: list[re.Match[str]]) -> int:
    deepest = 1
    for line in lines:
        deepest = max(deepest, len(line["blanks"]))
        if line["rest"]:
            break
    return deepest


def _block_pieces(
    lines: list[re.Match[str]], indent: int, folded: bool, indicators: str, start: int
) -> Iterator[Piece]:
    line_break: Piece | None = None
    empty_lines: list[Piece] = []
    was_blank = False
    for line in lines:
        content_start = line.start() + indent
        if len(line["blanks"]) < indent and line["rest"]:
            break
        this_break = Piece(_normal_break(line["break"]), start + line.start("break"), start + line.end())
        if line.start("break") <= content_start and not line["rest"]:
            if line["break"]:
                empty_lines.append(this_break)
            continue
        content = line.string[content_start : line.start("break")]
        is_blank = content[0] in " \t"
        if line_break is not None:
            if not folded or line_break.text != "\n" or was_blank or is_blank:
                yield line_break
            elif not empty_lines:
                yield Piece(" ", line_break.start, start + content_start)
        yield from empty_lines
        yield Piece(content, start + content_start, start + line.start("break"))
        line_break = this_break if line["break"] else None
        empty_lines = []
        was_blank = is_blank
    if "-" not in indicators and line_break is not None:
        yield line_break
    if "+" in indicators:
        yield from empty_lines


_DECODERS: dict[ScalarStyle, _Decoder] = {
    ScalarStyle.PLAIN: _decode_plain,
    ScalarStyle.MISSING: _decode_plain,
    ScalarStyle.SINGLE_QUOTED: _decode_quoted,
    ScalarStyle.DOUBLE_QUOTED: _decode_quoted,
    ScalarStyle.LITERAL: _decode_block,
    ScalarStyle.FOLDED: _decode_block,
}
