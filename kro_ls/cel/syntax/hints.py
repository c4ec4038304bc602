"""Advice about syntax errors, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.cel.syntax.identifiers import KEYWORDS

if TYPE_CHECKING:
    from kro_ls.cel.syntax.lexer import Tokens

_OPERATORS_OF_OTHER_LANGUAGES = {"and": "&&", "or": "||", "not": "!"}


class Damage(Struct, frozen=True):
    """A place (an offset) where the tokens do not fit, and what to do about it."""

    position: int
    hint: str


def missing_operand(tokens: Tokens, index: int) -> str:
    """Return the hint for the token `index` where an operand is expected."""
    if tokens.kinds[index] == "ESC_IDENTIFIER":
        return "a name in backticks can only stand after a dot"
    if index == 0:
        return "expected an expression"
    return f"expected an expression after '{tokens.token_text(index - 1)}'"


def missing_name(tokens: Tokens, index: int) -> str:
    """Return the hint for the token `index` after a dot."""
    kind = tokens.kinds[index]
    if kind in KEYWORDS:
        return f"'{kind}' is a keyword; write the field in backticks"
    return "expected a field or method name after '.'"


def missing_colon(tokens: Tokens, question_mark: int) -> str:
    """Return the hint for a conditional without its second half; `question_mark` is the index of its `?`."""
    if tokens.kinds[question_mark + 1] in (".", "["):
        return "'?' needs a ':' here; a field that may be missing is written 'a.?b' or 'a[?i]'"
    return "expected ':' and what the conditional gives otherwise"


def unclosed(tokens: Tokens, opening: int, closing: str) -> str:
    """Return the hint for the bracket at the token `opening` that should be closed by `closing`."""
    start = tokens.starts[opening]
    column = start - tokens.text.rfind("\n", 0, start)
    return f"expected '{closing}'; the '{tokens.token_text(opening)}' at column {column} is not closed"


def unexpected(tokens: Tokens, index: int) -> str:
    """Return the hint for the token `index` where an operator or the end is expected."""
    text = tokens.token_text(index)
    word = "not" if index and tokens.token_text(index - 1) == "not" else text
    if word in _OPERATORS_OF_OTHER_LANGUAGES:
        return f"'{word}' is not an operator; use '{_OPERATORS_OF_OTHER_LANGUAGES[word]}'"
    return f"expected an operator or the end of the expression before '{text}'"


def misplaced(text: str) -> str:
    """Return the hint for a text, perhaps of several tokens, without a hint of its own."""
    return f"'{text}' cannot stand here" if text else "the expression ends too early"


def not_expanded(message: str) -> str:
    """Return the hint for what is wrong with a macro, a literal or the size of an expression, by cel-go's message."""
    return _PLAIN.get(message, message).replace('"', "'")


_PLAIN = {
    "argument is not an identifier": "the variable of a macro must be a plain name",
    "argument must be a simple name": "the variable of a macro must be a plain name",
    "invalid argument to has() macro": "'has()' takes the field of a value, as in 'has(a.b)'",
    "iteration variable overwrites accumulator variable": "this name is reserved; choose another one for the variable",
    "unsupported ident kind": "a name in backticks can only stand after a dot",
    "max recursion depth exceeded": "the expression is nested too deeply; simplify or split it",
}


def no_token(characters: str) -> str:
    """Return the hint for characters that are not tokens."""
    first, last = characters[0], characters[-1]
    if first in "\"'":
        if last in "\n\r":
            return "strings in single or double quotes cannot span lines; use triple quotes or \\n"
        if "\\" in characters[:-1]:
            return "unknown escape; double the backslash, or put r before the string"
        return f"the string is not closed; add {first} at its end"
    if first in "=&|":
        return f"'{first}' is not an operator; use '{first * 2}'"
    if first == "`":
        return "a name in backticks holds letters, digits, and any of _ . - / and space"
    return f"'{first}' has no meaning in CEL"
