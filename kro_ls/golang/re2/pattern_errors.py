"""Why a pattern cannot be used: Go refuses it, or matching it is too costly."""

from __future__ import annotations

from typing import Final

_PLAIN: Final = {
    "missing closing )": "a '(' is never closed",
    "missing closing ]": "a '[' is never closed",
    "unexpected )": "a ')' closes nothing",
    "missing argument to repetition operator": "'{shown}' repeats nothing",
    "invalid nested repetition operator": "'{shown}' repeats a repetition",
    "invalid repeat count": "'{shown}' must repeat 1000 times at most",
    "invalid escape sequence": "'{shown}' is not an escape of RE2",
    "invalid character class range": "'{shown}' is not a range of characters",
    "invalid or unsupported Perl syntax": "RE2 has no '{shown}'",
    "invalid named capture": "'{shown}' is not a group; write '(?P<name>...)'",
    "trailing backslash at end of expression": "a backslash at the end escapes nothing",
    "expression too large": "it is too large",
    "expression nests too deeply": "it is nested too deeply",
}
_MOST_SHOWN: Final = 40


class PatternError(ValueError):
    """A pattern that Go refuses; `message` is Go's own text.

    `code` and `shown` are the two parts of that text, and `[start, end)` is the faulty part of
    the pattern in code points.
    """

    def __init__(self, code: str, shown: str, start: int, end: int) -> None:
        self.message = f"error parsing regexp: {code}: `{shown}`"
        super().__init__(self.message)
        self.code = code
        self.shown = shown
        self.start = start
        self.end = end

    @property
    def plain(self) -> str:
        """Why the pattern is refused, in plain words."""
        shown = self.shown if len(self.shown) <= _MOST_SHOWN else f"{self.shown[: _MOST_SHOWN - 3]}..."
        return _PLAIN.get(self.code, self.code).format(shown=shown.replace("`", "'"))


class UndecidedError(ValueError):
    """The pattern is valid, but matching it would take too much time or memory."""
