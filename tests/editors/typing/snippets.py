"""What a completion inserts, in the syntax of LSP's snippets, and how much of a wanted text that is."""

from __future__ import annotations

import re
from dataclasses import dataclass

_STOP = re.compile(r"(?<!\\)\$(?:\{(\d+)(?::((?:[^{}\\]|\\.)*)|\|((?:[^|\\]|\\.)*)\|)?\}|(\d+))")
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Proposal:
    """The text of an item, and the offset where it begins to replace existing text."""

    text: str
    start: int
    is_snippet: bool

    @property
    def stops(self) -> int:
        """How many places there are to fill in."""
        return len({found[1] or found[4] for found in _STOP.finditer(self.text)}) if self.is_snippet else 0

    @property
    def length(self) -> int:
        """How many characters it writes itself, without those in its places."""
        return len(_plain(_STOP.sub("", self.text))) if self.is_snippet else len(self.text)


def gain_of(proposal: Proposal, before: str, target: str) -> int:
    """Return how many characters of the wanted text an item adds to the typed ones; 0 if it adds others."""
    typed = len(before) - proposal.start
    line = before[: proposal.start].rpartition("\n")[2]
    indentation = len(line) - len(line.lstrip(" "))
    text = proposal.text.replace("\n", "\n" + " " * indentation)
    wanted = target[proposal.start :]
    if not proposal.is_snippet:
        fits = wanted.startswith(text) and not _goes_on(text, wanted[len(text) :])
        return len(text) - typed if fits else 0
    pattern, literal = _pattern(text)
    found = re.match(pattern, wanted)
    if found is None or _goes_on(found[0], wanted[found.end() :]):
        return 0
    return literal - typed


def _goes_on(text: str, following: str) -> bool:
    """Whether a word that ends a text is part of a longer one."""
    return bool(text) and bool(_WORD.match(text[-1])) and bool(re.match(r"[\w./-]*\w", following))


def _pattern(text: str) -> tuple[str, int]:
    """Return a regular expression for the possible results of a snippet, and how many characters it writes itself."""
    pattern, literal, at = "", 0, 0
    for found in _STOP.finditer(text):
        written = _plain(text[at : found.start()])
        pattern += re.escape(written)
        literal += len(written.replace(" ", ""))
        ends_line = text[found.end() : found.end() + 1] in ("\n", "")
        pattern += r"(?s:.*?)" if ends_line else r"[^\n]*?"
        at = found.end()
    written = _plain(text[at:])
    return pattern + re.escape(written), literal + len(written.replace(" ", ""))


def _plain(text: str) -> str:
    return re.sub(r"\\([$}\\])", r"\1", text)
