"""Fixes for invalid CEL: a missing or surplus bracket or quote, and the like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kro_ls.analysis.model.expressions import extract
from kro_ls.cel.syntax.lexer import EOF, tokenize
from kro_ls.kro.environment import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.repairs.place import Place
    from kro_ls.rules.diagnostics import Fix

_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_OPERATORS: Final = {
    "and": (r"\band\b", "&&"),
    "or": (r"\bor\b", "||"),
    "not": (r"\bnot\s+", "!"),
    "=": (r"(?<![=!<>])=(?!=)", "=="),
    "===": (r"===", "=="),
    "&": (r"(?<!&)&(?!&)", "&&"),
    "|": (r"(?<!\|)\|(?!\|)", "||"),
}
_WORD_AFTER: Final = re.compile(r"[\w./:-]*")


def mended_syntax(place: Place) -> Iterator[Fix]:
    """Yield the fixes that turn an expression into valid CEL."""
    if place.expression is None:
        return
    for piece in place.expression.compiled.pieces:
        start, end = piece.compiled.start, piece.compiled.end
        text = place.expression.text[start:end]
        if piece.exact and parse(text).errors:
            for title, at, to, new in mended_texts(text):
                yield from place.rewritten(title, start + at, start + to, new)
            return


def mended_texts(text: str) -> Iterator[tuple[str, int, int, str]]:
    """Yield fixes that turn a text into CEL: a title, and the replacement of a span."""
    for title, start, end, new in _edits(text):
        result = text[:start] + new + text[end:]
        if result.strip() and not parse(result).errors:
            yield title, start, end, new


def _edits(text: str) -> Iterator[tuple[str, int, int, str]]:
    yield from _operators(text)
    yield from _quotes(text)
    tokens = tokenize(text)
    found = [each for each in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True) if each[0] is not EOF]
    at = parse(text).errors[0].start
    near = sorted(found, key=lambda each: (abs(each[2] - at), each[1]))
    yield from _brackets(found, text, at)
    for kind, start, end in near:
        if kind in ")]}":
            yield f"Remove the '{kind}'", start, end, ""
    for kind, start, end in near[:3]:
        if not kind[0].isupper():
            before = len(text[:start].rstrip())
            yield f"Remove '{text[start:end]}'", before, min(len(text), end), ""
    yield from (("Join with '+'", start, start, "+ ") for _, start, _ in near[:2])


def _operators(text: str) -> Iterator[tuple[str, int, int, str]]:
    for name, (pattern, operator) in _OPERATORS.items():
        changed = re.sub(pattern, operator, text)
        if changed != text:
            yield f"Write '{operator}' for '{name}'", 0, len(text), changed


def _quotes(text: str) -> Iterator[tuple[str, int, int, str]]:
    """Yield where the partner of an unpaired quote may be missing: after its word, at the end, or before its word."""
    for quote in "\"'":
        places = [at for at, character in enumerate(text) if character == quote]
        if len(places) % 2 == 0:
            continue
        for at in reversed(places):
            word = _WORD_AFTER.match(text, at + 1)
            if word and word.end() > at + 1:
                yield f"Close the string with {quote}", word.end(), word.end(), quote
            before = at
            while before and (text[before - 1].isalnum() or text[before - 1] in "_./:-"):
                before -= 1
            if before < at:
                yield f"Begin the string with {quote}", before, before, quote
            yield f"Remove the {quote}", at, at + 1, ""
        yield f"Close the string with {quote}", len(text), len(text), quote


def _brackets(found: list[tuple[str, int, int]], text: str, at: int) -> Iterator[tuple[str, int, int, str]]:
    """Yield where open brackets may be closed: at the error, at the end, or after a token in between."""
    opened: list[tuple[str, int]] = []
    for kind, start, _ in found:
        if kind in _CLOSING:
            opened.append((kind, start))
        elif opened and kind == _CLOSING[opened[-1][0]]:
            opened.pop()
    if opened:
        closing = "".join(_CLOSING[kind] for kind, _ in reversed(opened))
        bracket, first = opened[-1]
        title = f"Close the '{bracket}'"
        tokens = {end: text[start:end] for _, start, end in found if start > first}
        for end in dict.fromkeys((len(text.rstrip()), len(text[:at].rstrip()), *reversed(tokens))):
            is_last = end >= len(text.rstrip()) or end not in tokens
            yield title if is_last else f"{title} after '{tokens[end]}'", end, end, closing


def closed_expression(place: Place) -> Iterator[Fix]:
    """Yield the fixes that close a `${` with its brace, and first a string if one is open."""
    scalar = place.scalar
    if scalar is None or not extract(scalar.text).unterminated:
        return
    text = scalar.text
    begun = extract(text).unterminated[0] + 2
    added = [(f"Add the missing {new}", len(text), len(text), new) for new in ("}", '"}', ")}", '")}')]
    quotes = [(title, begun + at, begun + to, new) for title, at, to, new in _quotes(text[begun:])]
    for title, start, end, new in (*added, *quotes):
        result = text[:start] + new + text[end:]
        after = extract(result)
        pieces = [result[each.start + 2 : each.end - 1] for each in after.expressions]
        if not after.unterminated and pieces and not any(parse(piece).errors for piece in pieces):
            yield from place.in_scalar(title, start, end, new)
