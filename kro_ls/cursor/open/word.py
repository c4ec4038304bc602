"""A word that is being typed in YAML and the line around it, which tells what the word can become."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKER = "kroLsMarker"
"""What is put in the place of a word, so that it can be found in the tree."""

_COLON = re.compile(r"[ ]*:(?=\s|\Z)")
_LINE_START = re.compile(r"[ ]*(?:-[ ]+)*\Z")
_FLOW_START = re.compile(r"[{\[,][ ]*\Z")
_VALUE_START = re.compile(r"(?::[ ]+|-[ ]+)[\"']?\Z")


class Word(Struct, frozen=True):
    """A word in a text that may be a chunk's.

    `before` and `after` are the rest of its line, and `column` is where the line's text begins.
    """

    text: str
    start: int
    end: int
    column: int
    before: str
    after: str

    @property
    def begins_line(self) -> bool:
        """Whether only spaces and dashes stand before the word."""
        return _LINE_START.match(self.before) is not None

    @property
    def has_colon(self) -> bool:
        """Whether a colon follows, which makes the word a key."""
        return _COLON.match(self.after) is not None

    @property
    def is_quoted(self) -> bool:
        """Whether the word stands right after a quote."""
        return self.before.endswith(("'", '"'))

    def marks(self) -> Iterator[tuple[str, bool]]:
        """Yield what to put in the word's place, the likeliest first, and whether it begins an item of a list."""
        key = MARKER if self.has_colon else f"{MARKER}: "
        if self.begins_line:
            yield key, False
            if "-" not in self.before:
                yield f"- {key}", True
        elif _FLOW_START.search(self.before):
            yield key, False
            yield MARKER, False
        elif _VALUE_START.search(self.before) or _FLOW_START.search(self.before.rstrip("\"'")):
            yield MARKER, False


def word_in(text: str, start: int, end: int) -> Word:
    """Return the word from `start` to `end` with its line."""
    line = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    before = text[line:start]
    column = len(before) - len(before.lstrip(" "))
    return Word(text, start, end, column, before, text[end : line_end if line_end >= 0 else len(text)])
