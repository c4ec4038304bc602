"""The last line of generated YAML: a comment that maps its lines to those of the program that it is from.

`# kro-ls map: {"files": ["app.py"], "lines": [[1, 0, 12], [7, 0, 15]]}` says that the first line and those after it are
from line 12 of `app.py`, and those from the seventh on from line 15. All lines count from 1.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

_BEGIN: Final = "# kro-ls map: "
_LONGEST: Final = 4_000_000


class LineMap(Struct, frozen=True):
    """Where stretches of lines are from: each begins at a line, in a file by its number, at a line of that."""

    files: tuple[str, ...]
    lines: tuple[tuple[int, int, int], ...]

    @classmethod
    def of(cls, places: Sequence[tuple[str, int] | None]) -> LineMap:
        """Return the map of lines that are from lines of files; one without a place belongs to the line above."""
        files: dict[str, int] = {}
        stretches: list[tuple[int, int, int]] = []
        for number, place in enumerate(places, 1):
            if place is None:
                continue
            found = (files.setdefault(place[0], len(files)), place[1])
            if not stretches or stretches[-1][1:] != found:
                stretches.append((number, *found))
        return cls(tuple(files), tuple(stretches))

    @property
    def comment(self) -> str:
        """The map as the last line of a text."""
        return _BEGIN + json.dumps({"files": self.files, "lines": self.lines})

    def place(self, line: int) -> tuple[str, int] | None:
        """Return the file, as the map names it, and the line that a line is from; None for a line that is from none."""
        number = bisect_right(self.lines, line, key=lambda each: each[0]) - 1
        if number < 0:
            return None
        _, file, found = self.lines[number]
        return (self.files[file], found) if file < len(self.files) else None


def line_map(text: str) -> LineMap | None:
    """Return the map in the last line of a text, None where there is none that can be read."""
    start = text.rfind(_BEGIN, max(0, len(text) - _LONGEST))
    if start < 0 or (start and text[start - 1] != "\n"):
        return None
    try:
        return msgspec.json.decode(text[start + len(_BEGIN) :].partition("\n")[0], type=LineMap)
    except (msgspec.DecodeError, UnicodeError):
        return None
