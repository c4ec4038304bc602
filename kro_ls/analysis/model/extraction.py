"""Finds `${...}` in a scalar's text, as kro does.

Source: kro `pkg/graph/parser/cel.go`. Offsets count code points of the decoded scalar.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.kro.versions.dialect import NEWEST_DIALECT
from kro_ls.yaml_positions.positions import Span

if TYPE_CHECKING:
    from kro_ls.kro.versions.dialect import Dialect

# What the scan inside an expression looks at. Up to kro 0.9 only a double quote opens a string.
_SIGNIFICANT = re.compile(r"""["'{}]|\$\{""")
_STRING_ENDS = {quote: re.compile(rf"[^{quote}\\]*(?:\\.[^{quote}\\]*)*{quote}", re.DOTALL) for quote in "\"'"}

# Each unterminated `${` costs a scan to the end of the text; nobody writes this many by accident.
_MOST_UNTERMINATED = 1000


class Extraction(Struct, frozen=True, gc=False):
    """The expressions of one scalar.

    `expressions` are the spans from `$` to after `}`, in order. `nested` is the `${` that makes kro refuse the whole
    scalar (then `expressions` is empty). `unterminated` are the offsets of each `${` that never closes, which kro
    before 0.10 silently takes as plain text.
    """

    expressions: tuple[Span, ...] = ()
    nested: Span | None = None
    unterminated: tuple[int, ...] = ()


_NOTHING = Extraction()


def extract(text: str, dialect: Dialect = NEWEST_DIALECT) -> Extraction:
    """Return the expressions of `text` that a dialect sees; a scalar without `${` costs one search."""
    return _scan(text, dialect.string_quotes) if "${" in text else _NOTHING


def _scan(text: str, quotes: str) -> Extraction:
    expressions: list[Span] = []
    unterminated: list[int] = []
    start = text.find("${")
    while start >= 0 and len(unterminated) < _MOST_UNTERMINATED:
        end = _expression_end(text, start + 2, quotes)
        if isinstance(end, Span):
            return Extraction(nested=end, unterminated=tuple(unterminated))
        if end is None:
            unterminated.append(start)
            start = text.find("${", start + 1)
        else:
            expressions.append(Span(start, end))
            start = text.find("${", end)
    return Extraction(tuple(expressions), None, tuple(unterminated))


def _expression_end(text: str, start: int, quotes: str) -> int | Span | None:
    """Return the offset after the closing brace, the span of a refused nested `${`, or None where nothing closes."""
    depth = 1
    position = start
    while match := _SIGNIFICANT.search(text, position):
        position = match.end()
        found = match.group()
        if found in _STRING_ENDS:
            if found not in quotes:
                continue
            string = _STRING_ENDS[found].match(text, position)
            if string is None:
                return None
            position = string.end()
        elif found == "${":
            if text[match.start() - 1] not in quotes:
                return Span(match.start(), match.end())
            depth += 1
        elif found == "{":
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                return position
    return None


def is_standalone(text: str, extraction: Extraction) -> bool:
    """Whether the scalar is exactly one `${...}` with nothing around it."""
    return extraction.expressions == (Span(0, len(text)),)


def why_unterminated(text: str, dialect: Dialect = NEWEST_DIALECT) -> str:
    """Return why the first unclosed `${` of a value is not closed, as a dialect sees it."""
    start = next(iter(extract(text, dialect).unterminated), 0)
    tail = text[start + 2 :]
    if "'" in dialect.string_quotes:
        return _why_with_quotes(tail)
    unescaped = tail.replace("\\\\", "").replace('\\"', "")
    if unescaped.count('"') % 2:
        if "'" in tail:
            return 'a lone double quote opens a string for kro, even in single quotes; write \'"\\""\' for it'
        return "a double quote opens a string that never ends"
    if "{" in tail and "'" in tail:
        return "a '{' counts as open even inside single quotes; put that string in double quotes"
    return "the '}' is missing"


def _why_with_quotes(tail: str) -> str:
    position = 0
    while match := re.compile("[\"']").search(tail, position):
        string = _STRING_ENDS[match.group()].match(tail, match.end())
        if string is None:
            kind = "double" if match.group() == '"' else "single"
            return f"a {kind} quote opens a string that never ends"
        position = string.end()
    return "the '}' is missing"
