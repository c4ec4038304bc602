"""The last line of generated YAML: a comment that maps its lines to those of the program that it is from.

`# kro-ls map: {"files": ["app.py"], "lines": [[1, 0, 12], [7, 0, 15]], "of": 20}` says that the first line and those
after it are from line 12 of `app.py`, and those from the seventh on from line 15. All lines count from 1; the paths are
relative to the folder of the YAML. `of` is how many lines there are above it: a text that has others was changed by
hand, and its map is not used.
"""

from __future__ import annotations

import json
import os
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kro_ls.rules.diagnostics import RelatedFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.yaml_positions.text import Text

BEGIN: Final = "# kro-ls map: "
"""How the line begins."""
_NOTE: Final = "made by this line of Python"


class LineMap(Struct, frozen=True):
    """Where stretches of lines are from: each begins at a line, in a file by its number, at a line of that."""

    files: tuple[str, ...]
    lines: tuple[tuple[int, int, int], ...]
    of: int

    @classmethod
    def made(cls, places: Sequence[tuple[str, int] | None]) -> LineMap:
        """Return the map of lines that are from lines of files; one without a place belongs to the line above."""
        files: dict[str, int] = {}
        stretches: list[tuple[int, int, int]] = []
        for number, place in enumerate(places, 1):
            if place is None:
                continue
            found = (files.setdefault(place[0], len(files)), place[1])
            if not stretches or stretches[-1][1:] != found:
                stretches.append((number, *found))
        return cls(tuple(files), tuple(stretches), len(places))

    @property
    def comment(self) -> str:
        """The map as the last line of a text."""
        return BEGIN + json.dumps({"files": self.files, "lines": self.lines, "of": self.of})

    def place(self, line: int) -> tuple[str, int] | None:
        """Return the file, as the map names it, and the line that a line is from; None for a line that is from none."""
        number = bisect_right(self.lines, line, key=lambda each: each[0]) - 1
        if number < 0:
            return None
        _, file, found = self.lines[number]
        return (self.files[file], found) if 0 <= file < len(self.files) else None


def line_map(text: Text) -> LineMap | None:
    """Return the map in the last line of a text; None where there is none, or it does not fit the text."""
    content = text.content
    start = content.rfind("\n", 0, len(content) - 1) + 1
    if not content.startswith(BEGIN, start):
        return None
    try:
        found = msgspec.json.decode(content[start + len(BEGIN) :], type=LineMap)
    except (msgspec.DecodeError, UnicodeError):
        return None
    return found if found.of == text.position(start).line else None


class Program(Struct, frozen=True):
    """The program that a text is from; `folder` is that of the text."""

    text: Text
    map: LineMap
    folder: str

    def place(self, offset: int) -> RelatedFile | None:
        """Return the line of the program that a place of the text is from."""
        found = self.map.place(self.text.position(offset).line + 1)
        if found is None:
            return None
        return RelatedFile(os.path.normpath(os.path.join(self.folder, found[0])), _NOTE, found[1])


def program_of(text: Text, path: str) -> Program | None:
    """Return the program that a text is from, None for one that nothing generated; `path` is that of the text."""
    found = line_map(text)
    return Program(text, found, os.path.dirname(path)) if found else None


def with_program_lines(diagnostics: tuple[Diagnostic, ...], text: Text, uri: str) -> tuple[Diagnostic, ...]:
    """Return diagnostics of a text that also tell the lines of the program that it is from."""
    found = line_map(text)
    if found is None:
        return diagnostics
    from kro_ls.uris import path_of  # which loads the protocol

    program = Program(text, found, os.path.dirname(path_of(uri) if "://" in uri else uri))
    places = ((each, program.place(each.span.start)) for each in diagnostics)
    return tuple(replace(each, files=(*each.files, place)) if place else each for each, place in places)
