"""How kubectl cuts a file before it reads YAML: JSON objects first, then parts between lines that begin with `---`.

Source: k8s.io/apimachinery `pkg/util/yaml/decoder.go`, `YAMLOrJSONDecoder` and `YAMLReader`.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.yaml_positions.text import Text

SEPARATOR: Final = "---"
_NEXT_SEPARATOR = f"\n{SEPARATOR}"

_BLANKS = re.compile(r"[ \t\r\n]*")
_REST_OF_LINE = re.compile(r"[ \t\r]*\n?")


def json_objects(content: str) -> list[int]:
    """Return where the JSON objects at the head of a text begin, which need no `---` between them."""
    return [start for start, _ in _json_objects(content)]


def yaml_start(content: str) -> int:
    """Return where kubectl begins to read YAML: after JSON objects, or a blank line before an object that is not JSON.

    0 where the text does not begin with an object. It reads JSON objects one after the other, whatever stands between
    them, and leaves out the rest of the last one's line.
    """
    end = max((end for _, end in _json_objects(content)), default=0)
    blanks = _REST_OF_LINE.match(content, end)
    return blanks.end() if blanks and content.startswith("{", _after_blanks(content, 0)) else end


def yaml_parts(text: Text) -> Iterator[tuple[int, int]]:
    """Yield the start and end of the parts of which kubectl reads the first YAML document each.

    A line with `---` ends what stands before it, and is left out then; where nothing does, it begins a part.
    """
    content = text.content
    start = yaml_start(content)
    for line in separator_lines(text, start):
        if line > start:
            yield start, line
            start = _next_line(content, line)
    if start < len(content):
        yield start, len(content)


def separator_lines(text: Text, start: int = 0) -> Iterator[int]:
    """Yield where the lines begin that begin with `---`, from the beginning of a line on."""
    content = text.content
    if content.startswith(SEPARATOR, start):
        yield start
    if text.contains(_NEXT_SEPARATOR):
        while start := content.find(_NEXT_SEPARATOR, start) + 1:
            yield start


def _next_line(content: str, start: int) -> int:
    return content.find("\n", start) + 1 or len(content)


def _json_objects(content: str) -> Iterator[tuple[int, int]]:
    place = _after_blanks(content, 0)
    decoder = json.JSONDecoder() if content.startswith("{", place) else None
    while decoder is not None and content.startswith("{", place):
        try:
            end = decoder.raw_decode(content, place)[1]
        except (ValueError, RecursionError):
            return
        yield place, end
        place = _after_blanks(content, end)


def _after_blanks(content: str, place: int) -> int:
    blanks = _BLANKS.match(content, place)
    return blanks.end() if blanks else place
