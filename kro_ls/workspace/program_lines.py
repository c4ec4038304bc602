"""The last line of generated YAML: a comment that maps its lines to those of the program that wrote it.

`# kro-ls map: {"files": ["app.py"], "lines": [[1, 0, 12], [7, 0, 15]], "of": 20}` says that lines 1 to 6 come from
line 12 of `app.py`, and the lines from 7 on from line 15. Lines count from 1; paths are relative to the folder of the
YAML. `of` is the number of lines above the map: a text with another number was edited by hand, and its map is ignored.
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
    """The sources of stretches of lines: the first line of each, the number of its file, and its line there."""

    files: tuple[str, ...]
    lines: tuple[tuple[int, int, int], ...]
    of: int

    @classmethod
    def made(cls, places: Sequence[tuple[str, int] | None]) -> LineMap:
        """Return the map of lines with these places; a line without one belongs to the line above."""
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
        """Return the file, as the map names it, and the line that a line comes from; None if it comes from none."""
        number = bisect_right(self.lines, line, key=lambda each: each[0]) - 1
        if number < 0:
            return None
        _, file, found = self.lines[number]
        return (self.files[file], found) if 0 <= file < len(self.files) else None


def line_map(text: Text) -> LineMap | None:
    """Return the map in the last line of a text, None if there is none or it does not fit the text."""
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
    """The program that wrote a text; `folder` is that of the text."""

    text: Text
    map: LineMap
    folder: str

    def place(self, offset: int) -> RelatedFile | None:
        """Return the line of the program that wrote a place of the text."""
        found = self.map.place(self.text.position(offset).line + 1)
        if found is None:
            return None
        return RelatedFile(os.path.normpath(os.path.join(self.folder, found[0])), _NOTE, found[1])


def program_of(text: Text, path: str) -> Program | None:
    """Return the program that wrote a text, None for a text that was not generated; `path` is that of the text."""
    found = line_map(text)
    return Program(text, found, os.path.dirname(path)) if found else None


def with_program_lines(diagnostics: tuple[Diagnostic, ...], text: Text, uri: str) -> tuple[Diagnostic, ...]:
    """Return diagnostics of a text with the lines of the program that wrote it."""
    found = line_map(text)
    if found is None:
        return diagnostics
    from kro_ls.uris import path_of  # which loads the protocol

    program = Program(text, found, os.path.dirname(path_of(uri) if "://" in uri else uri))
    places = ((each, program.place(each.span.start)) for each in diagnostics)
    return tuple(replace(each, files=(*each.files, place)) if place else each for each, place in places)
