"""What the client was sent as the semantic tokens of each document, so that it can be told what changed."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container


class SentTokens:
    """The tokens that the client was sent last of each open document, with the name of that answer."""

    def __init__(self) -> None:
        self._sent: dict[str, tuple[str, list[int]]] = {}
        self._numbers = count(1)

    def of(self, uri: str) -> tuple[str, list[int]]:
        """Return the name of the last answer and its tokens, which are empty where there was none."""
        return self._sent.get(uri, ("", []))

    def send(self, uri: str, data: list[int], opened: Container[str]) -> str:
        """Take note of an answer, and return its name; those of documents that are not open are forgotten."""
        self._sent = {each: sent for each, sent in self._sent.items() if each in opened}
        self._sent[uri] = str(next(self._numbers)), data
        return self._sent[uri][0]
