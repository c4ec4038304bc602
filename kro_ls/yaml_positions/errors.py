"""The errors of a YAML text, with messages that say what to do."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from kro_ls.yaml_positions.positions import Span


class YamlErrorCode(StrEnum):
    """The kind of a YAML error."""

    SYNTAX = "syntax"
    INDENTATION = "indentation"
    """A line that does not belong to the lines above it."""
    DUPLICATE_KEY = "duplicate-key"
    TAB_INDENTATION = "tab-indentation"
    UNKNOWN_ANCHOR = "unknown-anchor"
    EXCESSIVE_ALIASING = "excessive-aliasing"
    TOO_DEEP = "too-deep"
    TOO_LARGE = "too-large"
    INVALID_KEY = "invalid-key"
    INVALID_VALUE = "invalid-value"
    INVALID_CHARACTER = "invalid-character"
    SECOND_VALUE = "second-value"
    """Text after the value of a document, which a reader of one value ignores."""


class YamlError(Struct, frozen=True, gc=False):
    """One error. `start` and `end` are offsets in the text it was found in; `related` is a place that explains it.

    `message` says what to do; `printed` is what a YAML library prints, without its place, empty where none does.
    """

    start: int
    end: int
    message: str
    code: YamlErrorCode
    related: Span | None = None
    printed: str = ""

    def shift(self, distance: int) -> YamlError:
        """Return the error moved by a number of code points."""
        related = self.related.shift(distance) if self.related is not None else None
        return replace(self, start=self.start + distance, end=self.end + distance, related=related)


class ParseFailure(Exception):  # noqa: N818 - it is a result, caught inside this package
    """Where and why a YAML parser gave up. Offsets are code points of the parsed text, or -1."""

    def __init__(self, problem: str, context: str, problem_offset: int, context_offset: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.context = context
        self.problem_offset = problem_offset
        self.context_offset = context_offset


class ExcessiveAliasingError(ValueError):
    """The aliases of a document expand to too many nodes, as in the "billion laughs" attack."""

    def __init__(self) -> None:
        super().__init__("the aliases make the document too large; repeat less by reference")


_MESSAGES = {
    "mapping values are not allowed": "': ' cannot stand in a plain value; quote the value, or correct the indentation",
    "could not find expected ':'": "expected ':' after the key",
    "did not find expected key": "the indentation does not fit the lines above",
    "did not find expected '-' indicator": "expected '- '; this line is not an item of the list above",
    "unexpected end of stream": "the quote is never closed; add the closing quote",
    "unexpected document indicator": "the quote is not closed before the document ends; add the closing quote",
    "did not find expected ',' or ']'": "expected ',' or ']'; close the '[', or quote the value",
    "did not find expected ',' or '}'": "expected ',' or '}'; close the '{', or quote the value",
    "unknown escape character": "unknown escape; double the backslash, or use single quotes",
    "did not find expected hexdecimal number": "the escape needs more digits, as in '\\xNN' or '\\uNNNN'",
    "invalid Unicode character escape code": "the escape names no character",
    "block sequence entries are not allowed": (
        "a list cannot begin here; start it on a line of its own, or quote the value"
    ),
    "mapping keys are not allowed": "'?' cannot stand here; quote a value that starts with it",
    "did not find expected alphabetic or numeric character": (
        "'&' and '*' need a name after them; quote the value if it is meant as text"
    ),
    "expected comment or line break": "the text of a block scalar starts on the line after '|' or '>'",
    "indentation indicator equal to 0": "the indentation of a block scalar is a digit from 1 to 9",
    "tab character where an indentation space": "tabs cannot indent; use spaces",
    "tab character that violates indentation": "tabs cannot indent; use spaces",
    "undefined tag handle": "the tag is not declared; declare it with '%TAG', or quote the value",
    "expected <document start>": "a document holds one value; separate two with '---'",
    "while scanning a tag": "the tag is not complete; quote a value that starts with '!'",
    "while scanning a directive": "'%' at the start of a line begins a directive; quote the text",
    "did not find expected node content": "a value, a key or a closing bracket is missing",
}


_CODES = {
    "did not find expected key": YamlErrorCode.INDENTATION,
    "did not find expected '-' indicator": YamlErrorCode.INDENTATION,
    "tab character where an indentation space": YamlErrorCode.TAB_INDENTATION,
    "tab character that violates indentation": YamlErrorCode.TAB_INDENTATION,
    "expected <document start>": YamlErrorCode.SECOND_VALUE,
}
_CLOSINGS = ("]", "}", '"', "'")


def describe(failure: ParseFailure, text: str, offset: int) -> tuple[str, YamlErrorCode]:
    """Return the message and the code for a parser's failure at an offset of the text."""
    character = text[offset : offset + 1]
    if "cannot start any token" in failure.problem or "cannot start any token" in failure.context:
        if character == "\t":
            return "tabs cannot indent; use spaces", YamlErrorCode.TAB_INDENTATION
        return f"'{character}' cannot start a plain value; quote the value", YamlErrorCode.SYNTAX
    closing = text[:offset].rstrip(" ")[-1:]
    if closing in _CLOSINGS and "did not find expected key" in failure.problem:
        end = f"'{closing}'" if closing in "]}" else "the closing quote"
        return f"text follows {end}, where the value ends; put the whole value in quotes", YamlErrorCode.SYNTAX
    if "<document start>" in failure.problem and text[:offset].endswith(" "):
        return _MESSAGES["did not find expected key"], YamlErrorCode.SECOND_VALUE
    for source in (failure.problem, failure.context):
        for part, message in _MESSAGES.items():
            if part in source:
                return message, _CODES.get(part, YamlErrorCode.SYNTAX)
    return failure.problem or "the text is not valid YAML", YamlErrorCode.SYNTAX
