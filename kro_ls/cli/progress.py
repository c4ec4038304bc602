"""Shows the progress of a long run on standard error, after a second, and only on a terminal."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PATIENCE_SECONDS: Final = 1.0
_BETWEEN_SECONDS: Final = 0.1
_CLEAR_LINE: Final = "\r\x1b[K"

Item = TypeVar("Item")


class Progress:
    """One line on the terminal, written over until it is cleared."""

    def __init__(self, *, is_quiet: bool = False) -> None:
        self._is_wanted = not is_quiet and sys.stderr is not None and sys.stderr.isatty()
        self._next = time.monotonic() + _PATIENCE_SECONDS
        self._is_shown = False

    def of(self, doing: str, items: Iterable[Item], total: int | None = None, noun: str = "file") -> Iterator[Item]:
        """Yield items, such as files to read; the line shows the number so far and the total."""
        if not self._is_wanted:
            yield from items
            return
        try:
            for number, item in enumerate(items, 1):
                self._show(doing, number, total, noun)
                yield item
        finally:
            self.clear()

    def _show(self, doing: str, number: int, total: int | None, noun: str) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _BETWEEN_SECONDS
            self._is_shown = True
            of = f" of {total:,}" if total is not None else ""
            plural = "" if (total or number) == 1 else "s"
            sys.stderr.write(f"{_CLEAR_LINE}{doing} {number:,}{of} {noun}{plural}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Remove the line."""
        if self._is_shown:
            self._is_shown = False
            sys.stderr.write(_CLEAR_LINE)
            sys.stderr.flush()
