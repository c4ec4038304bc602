"""CEL tokens and the characters that belong to none (cel-go `parser/gen/CEL.g4`: longest match, then first rule)."""

from __future__ import annotations

import re
from functools import cache

from msgspec import Struct

from kro_ls.cel.syntax.identifiers import KEYWORDS

EOF = "<EOF>"

TOKEN_KINDS = (
    EOF,
    *("==", "!=", "in", "<", "<=", ">=", ">", "&&", "||"),
    *("[", "]", "{", "}", "(", ")", ".", ",", "-", "!", "?", ":", "+", "*", "/", "%"),
    *("true", "false", "null"),
    *("NUM_FLOAT", "NUM_INT", "NUM_UINT", "STRING", "BYTES", "IDENTIFIER", "ESC_IDENTIFIER"),
)
"""All kinds in the order in which syntax errors list them. Symbols and keywords are their own kind."""


class LexicalError(Struct, frozen=True):
    """Characters `[start, end)` that are not tokens; `end` is after the character at which the lexer gave up."""

    start: int
    end: int


class Tokens(Struct, frozen=True, gc=False):
    """The tokens of `text` as parallel lists, closed by one of kind `EOF`; spans are code point offsets."""

    text: str
    kinds: list[str]
    starts: list[int]
    ends: list[int]
    errors: tuple[LexicalError, ...]

    def token_text(self, index: int) -> str:
        """Return the source of one token, empty at the end of the text."""
        return self.text[self.starts[index] : self.ends[index]]


_HEX = "[0-9a-fA-F]"
_ESCAPE = rf"""\\(?:[abfnrtv"'\\?`]|[xX]{_HEX}{{2}}|u{_HEX}{{4}}|U{_HEX}{{8}}|[0-3][0-7][0-7])"""
_UNFINISHED_ESCAPE = rf"\\(?:[xX]{_HEX}?|u{_HEX}{{0,3}}|U{_HEX}{{0,7}}|[0-3][0-7]?)?"
_STRING = "|".join(
    [
        rf'"""(?:[^\\]|{_ESCAPE})*?"""',
        rf"'''(?:[^\\]|{_ESCAPE})*?'''",
        rf'"(?:[^\\"\n\r]|{_ESCAPE})*+"',
        rf"'(?:[^\\'\n\r]|{_ESCAPE})*+'",
        r'[rR]"""[\s\S]*?"""',
        r"[rR]'''[\s\S]*?'''",
        r'[rR]"[^"\n\r]*+"',
        r"[rR]'[^'\n\r]*+'",
    ]
)
_TOKEN = re.compile(
    r"(?:[ \t\r\n\f]|//[^\n]*+)*+(?:"
    + "|".join(
        [
            r"""((?![bBrR]{1,2}["'])[A-Za-z_][A-Za-z0-9_]*+)""",
            r"(==|!=|<=|>=|&&|\|\||\.(?![0-9])|[\[\](){},\-!?:+*/%<>])",
            r"([0-9]++\.[0-9]++(?:[eE][+-]?[0-9]++)?|[0-9]++[eE][+-]?[0-9]++|\.[0-9]++(?:[eE][+-]?[0-9]++)?)",
            rf"((?:[0-9]+|0x{_HEX}+)[uU])",
            rf"(0x{_HEX}++|[0-9]++)",
            rf"([bB]?(?:{_STRING}))",
            r"(`[A-Za-z0-9_.\-/ ]++`)",
            r"([A-Za-z_][A-Za-z0-9_]*+)",
            r"([\s\S])",
            r"\Z",
        ]
    )
    + ")"
)
_WORD = 1
_SYMBOL = 2
_STRING_OR_BYTES = 6
_WORD_BEFORE_QUOTE = 8
_NO_TOKEN = 9
_KIND_OF_GROUP = {3: "NUM_FLOAT", 4: "NUM_UINT", 5: "NUM_INT", 7: "ESC_IDENTIFIER"}


@cache
def _begun_token() -> re.Pattern[str]:
    """Return the pattern of what a token may begin with; most texts have nothing that is not a token."""
    return re.compile(
        rf'"(?:[^\\"\n\r]|{_ESCAPE})*+(?:{_UNFINISHED_ESCAPE})?'
        rf"|'(?:[^\\'\n\r]|{_ESCAPE})*+(?:{_UNFINISHED_ESCAPE})?"
        r"|`[A-Za-z0-9_.\-/ ]*+"
        r"|[=&|]"
        r"|"
    )


def tokenize(text: str) -> Tokens:
    """Split `text` into tokens; whitespace, comments and characters that are not tokens are left out."""
    kinds: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    errors: list[LexicalError] = []
    resume: int | None = 0
    while resume is not None:
        offset, resume = resume, None
        for match in _TOKEN.finditer(text, offset):
            group = match.lastindex
            if group is None:
                break
            start, end = match.span(group)
            if group == _SYMBOL:
                kinds.append(match[_SYMBOL])
            elif group in (_WORD, _WORD_BEFORE_QUOTE):
                word = match[group]
                kinds.append(word if word in KEYWORDS else "IDENTIFIER")
            elif group == _STRING_OR_BYTES:
                kinds.append("BYTES" if text[start] in "bB" else "STRING")
            elif group == _NO_TOKEN:
                errors.append(_no_token(text, start))
                resume = errors[-1].end
                break
            else:
                kinds.append(_KIND_OF_GROUP[group])
            starts.append(start)
            ends.append(end)
    kinds.append(EOF)
    starts.append(len(text))
    ends.append(len(text))
    return Tokens(text, kinds, starts, ends, tuple(errors))


def _no_token(text: str, start: int) -> LexicalError:
    """Return what a lexer that matches as far as it can has read when it gives up."""
    begun = _begun_token().match(text, start)
    end = begun.end() if begun else start
    return LexicalError(start, min(end + 1, len(text)))
