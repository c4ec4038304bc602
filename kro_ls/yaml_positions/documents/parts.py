"""How a text is cut into documents: by the rules of YAML, after kubectl's own.

kubectl reads JSON objects first, then the parts between lines that begin with `---`, before it reads YAML.

Source: k8s.io/apimachinery `pkg/util/yaml/decoder.go`, `YAMLOrJSONDecoder` and `YAMLReader`.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from kro_ls.yaml_positions.text import holds, line_stretches, matches_after_feeds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.yaml_positions.text import Text

SEPARATOR: Final = "---"
_NEXT_SEPARATOR = f"\n{SEPARATOR}"

_BLANKS = re.compile(r"[ \t\r\n]*")
_REST_OF_LINE = re.compile(r"[ \t\r]*\n?")
_MARKER = r"(---(?=[ \t\r\n#]|\Z)|\.\.\.(?=[ \t\r\n]|\Z))"
# Searching for one character is ten times as fast as checking at each whether a line begins there.
_MARKER_AFTER_FEED, _MARKER_AFTER_BREAK = f"\n{_MARKER}", f"[\r\n]{_MARKER}"
# A separator, the end of a document, a directive or a JSON object, after blank lines and comments.
_HEAD = re.compile(r"\ufeff?(?>[ \t\r]*(?:#[^\n]*)?\n)*+[ \t\r]*(?:---|\.\.\.|[%{])")
_NO_CONTENT = r"(?>[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n)|%[^\r\n]*(?:\r\n|\r|\n))*+[ \t]*(?:#[^\r\n]*)?\Z"
_BEFORE_OBJECT = re.compile(
    r"(?>(?:[ \t]*(?:#[^\n]*)?|%[^\n]*)\r?\n)*+(?:---[ \t]*(?:#[^\n]*)?\r?\n)?(?>[ \t]*(?:#[^\n]*)?\r?\n)*+[ \t]*(?=\{)"
)
_NO_MORE = r"(?>[ \t]*(?:#[^\n]*)?\r?\n)*+[ \t]*(?:#[^\n]*)?\Z|(?>[ \t]*(?:#[^\n]*)?\r?\n)++\.\.\.(?:[ \t\r\n]|\Z)"


def document_bounds(text: Text) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each document; directives and comments before its `---` belong to it."""
    content = text.content
    first = start = 1 if content.startswith("\ufeff") else 0
    objects = json_objects(content)
    rest = yaml_start(content)
    has_rest = bool(objects) and not re.compile(_NO_CONTENT).fullmatch(content, rest)
    if len(objects) > 1 or has_rest or (objects and "\t" in content[: objects[0]]):
        yield from zip(objects, [*objects[1:], rest if has_rest else len(content)], strict=True)
        if not has_rest:
            return
    if has_rest or (not objects and "\t" in content[:rest]):
        first = start = rest  # from there on it is read as YAML
    found = False
    if not any(holds(content, marker) for marker in ("---", "\n...", "\r...")):
        yield from _bounds_of_values(content, start, len(content))
        return
    kept = {part for part, _ in yaml_parts(text)} if f"{SEPARATOR}#" in content else set()
    for marker in _markers(content, start):
        is_end, place = marker[1] == "...", marker.start(1)
        # Kubernetes takes `---#` for a separator, YAML does not.
        is_left_out = content.startswith("#", marker.end()) and place not in kept
        if is_end:
            line_end = _next_line(content, marker.end())
            yield from _bounds_of_values(content, start, line_end)
            start, found = line_end, True
        elif is_left_out or not re.compile(_NO_CONTENT).fullmatch(content, start, place):
            if start < place:
                yield from _bounds_of_values(content, start, place)
            start = (content.find("\n", marker.end()) + 1 or place) if is_left_out else place
            found = True
        next_line = content.find("\n", place) + 1
        if not is_end and next_line and content.startswith("\ufeff", next_line):
            start = next_line + 1  # as in concatenated files
    if start == first or not found or not re.compile(_NO_CONTENT).fullmatch(content, start):
        yield from _bounds_of_values(content, start, len(content))


def is_plain(text: Text) -> bool:
    """Return whether kubectl surely reads a text as one part of YAML, with no directive before it."""
    return not _HEAD.match(text.content) and not text.contains(_NEXT_SEPARATOR)


def json_objects(content: str) -> list[int]:
    """Return where the JSON objects at the head of a text begin, which need no `---` between them."""
    return [start for start, _ in _json_objects(content)]


def yaml_start(content: str) -> int:
    """Return where kubectl begins to read YAML: after JSON objects, or a blank line before an object that is not JSON.

    0 where the text does not begin with an object. It reads JSON objects one after the other, ignores any text
    between them, and skips the rest of the last one's line.
    """
    end = max((end for _, end in _json_objects(content)), default=0)
    blanks = _REST_OF_LINE.match(content, end)
    return blanks.end() if blanks and content.startswith("{", _after_blanks(content, 0)) else end


def yaml_parts(text: Text) -> Iterator[tuple[int, int]]:
    """Yield the start and end of the parts; of each, kubectl reads the first YAML document.

    A line with `---` ends the part before it and belongs to none; if there is no part before it, it begins one.
    """
    content = text.content
    start = yaml_start(content)
    for line in separator_lines(text, start):
        if line > start:
            yield start, line
            start = content.find("\n", line) + 1 or len(content)
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


def _next_line(content: str, offset: int) -> int:
    """Return the start of the line after that of an offset, the text's length after the last one."""
    feed = content.find("\n", offset)
    carriage_return = content.find("\r", offset, feed if feed >= 0 else len(content))
    if carriage_return < 0:
        return feed + 1 if feed >= 0 else len(content)
    return carriage_return + (2 if carriage_return + 1 == feed else 1)


def _markers(content: str, start: int) -> Iterator[re.Match[str]]:
    """Yield the lines that begin with a marker, from the beginning of a line on; the group is the marker."""
    if start == 0 and (first := re.match(_MARKER, content)):
        yield first
    rest = max(start - 1, 0), len(content)
    if "\r" not in content:
        yield from matches_after_feeds(re.compile(_MARKER_AFTER_FEED), content, *rest)
        return
    for begin, end in line_stretches(content, *rest):
        yield from re.compile(_MARKER_AFTER_BREAK).finditer(content, begin, end)


def _bounds_of_values(content: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of a document; of a JSON document only the object, and then the rest as another document."""
    head = _BEFORE_OBJECT.match(content, start, end)
    if head:
        try:
            object_end = json.JSONDecoder().raw_decode(content, head.end())[1]
        except (ValueError, RecursionError):
            object_end = end
        if object_end < end and not re.compile(_NO_MORE).match(content, object_end, end):
            yield start, object_end
            start = object_end
    yield start, end
