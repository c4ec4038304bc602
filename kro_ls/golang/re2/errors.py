"""Why a pattern is not used: Go refuses it, or it is beyond what is followed here."""

from __future__ import annotations


class PatternError(ValueError):
    """A pattern that Go refuses; `message` is Go's own text.

    `code` and `shown` are the two parts of that text, the code points `[start, end)` of the pattern what is at fault.
    """

    def __init__(self, code: str, shown: str, start: int, end: int) -> None:
        self.message = f"error parsing regexp: {code}: `{shown}`"
        super().__init__(self.message)
        self.code = code
        self.shown = shown
        self.start = start
        self.end = end


class UndecidedError(ValueError):
    """The pattern is right, but whether it matches is not known: finding out would take too much time or memory."""
