"""The usual blanks of an expression: one around operators and after commas, none inside brackets.

Line breaks and comments stay as they are, and so do the blanks beside them; nothing but blanks is ever changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cel.syntax.lexer import EOF, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.cel.syntax.lexer import Tokens

_BINARY = frozenset({*"== != < <= >= > && || + * / % -".split(), "in"})
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")
_BEFORE_OPERAND = _BINARY | _OPENING | frozenset("!,?:")
"""After these, and at the beginning, a `-` is a sign and a `?` marks what is optional."""


class Blank(Struct, frozen=True):
    """A stretch between two tokens, by offsets in the text, that should be `text`."""

    start: int
    end: int
    text: str


def usual_blanks(text: str, *, spaced_colons: bool = True) -> tuple[Blank, ...]:
    """Return the blanks of an expression that are not the usual ones; none for a text that has bad characters.

    Without `spaced_colons` what is around a colon stays, for YAML that would read `: ` as its own.
    """
    tokens = tokenize(text)
    if tokens.errors or not tokens.kinds or tokens.kinds[0] == EOF:
        return ()
    return tuple(_unusual(text, tokens, spaced_colons=spaced_colons))


def _unusual(text: str, tokens: Tokens, *, spaced_colons: bool) -> Iterator[Blank]:
    roles = list(_roles(tokens))
    last = len(roles) - 1
    for number in range(last + 2):
        start = tokens.ends[number - 1] if number else 0
        end = tokens.starts[number] if number <= last else len(text)
        written = text[start:end]
        if written.strip(" \t"):
            continue  # a line break, or a comment
        is_edge = number in (0, last + 1)
        wanted = "" if is_edge else _blank(roles[number - 1], roles[number], written)
        beside_colon = not is_edge and ":" in (roles[number - 1].strip("_"), roles[number].strip("_"))
        if wanted != written and (spaced_colons or not beside_colon):
            yield Blank(start, end, wanted)


def _roles(tokens: Tokens) -> Iterator[str]:
    """Yield what each token is: its kind, `unary` before an operand, `_:` in a conditional."""
    previous: str | None = None
    conditionals = [0]
    for kind in tokens.kinds:
        if kind == EOF:
            return
        role = kind
        if kind in _OPENING:
            conditionals.append(0)
        elif kind in _CLOSING and len(conditionals) > 1:
            conditionals.pop()
        elif kind == "!" or (kind == "-" and (previous is None or previous in _BEFORE_OPERAND)):
            role = "unary"
        elif kind == "?":
            if previous is None or previous in _BEFORE_OPERAND or previous == ".":
                role = "unary"
            else:
                conditionals[-1] += 1
                role = "_?"
        elif kind == ":" and conditionals[-1]:
            conditionals[-1] -= 1
            role = "_:"
        yield role
        previous = kind


def _blank(left: str, right: str, written: str) -> str:
    """Return what belongs between two tokens."""
    if left == "unary" or left in _OPENING or right in _CLOSING or right in (",", ":") or "." in (left, right):
        return ""
    if left in _BINARY or right in _BINARY or left in (",", ":", "_?", "_:") or right in ("_?", "_:"):
        return " "
    if right in _OPENING:
        return ""
    return " " if written else ""
