"""The objects of a kind in the texts of a workspace, for kinds without a schema.

They are cut out of a text by indentation, read separately, and cached by text, so that an edit costs one object.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_object
from kro_ls.yaml_positions.access import ExcessiveAliasingError, to_python
from kro_ls.yaml_positions.chunks import parse_chunk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.openapi.json_values import JsonObject

MOST_OBJECTS = 16
_MOST_READ = 4 * MOST_OBJECTS
_LONGEST = 8_000
"""In code points. A longer object is a dump, and slow to read."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_WRITTEN = re.compile(r"[^ \n]")


def written_objects(texts: Iterable[str], api_version: str, kind: str) -> tuple[JsonObject, ...]:
    """Return the first objects of a kind in texts, at most `MOST_OBJECTS`."""
    if not _NAME.fullmatch(kind):
        return ()
    named = re.compile(rf"kind:[ ]+[\"']?{kind}[\"']?[ ]*(?:#.*)?$", re.MULTILINE)  # begins with what is fast to find
    blocks = (
        _block(text, match.start())
        for text in texts
        if kind in text and api_version in text
        for match in named.finditer(text)
    )
    objects = (_read(block) for block in islice(filter(None, blocks), _MOST_READ))
    wanted = (api_version, kind)
    return tuple(
        islice((each for each in objects if (each.get("apiVersion"), each.get("kind")) == wanted), MOST_OBJECTS)
    )


def _block(text: str, key: int) -> str:
    """Return the lines of the mapping with a key at an offset; empty if there is none or it is too long."""
    start = text.rfind("\n", 0, key) + 1
    column = key - start
    if text[start:key].strip(" -"):
        return ""
    while start > 0 and key - start <= _LONGEST and not _begins_item(text, start, column):
        above = text.rfind("\n", 0, start - 1) + 1
        if not _is_inside(text, above, column) and not _begins_item(text, above, column):
            break
        start = above
    end = _next_line(text, start)
    while end < len(text) and end - start <= _LONGEST and _is_inside(text, end, column):
        end = _next_line(text, end)
    return " " * column + text[start + column : end] if end - start <= _LONGEST else ""


def _next_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end + 1 if end >= 0 else len(text)


def _is_inside(text: str, start: int, column: int) -> bool:
    """Whether a line is blank, or indented at least to a column and no separator of documents."""
    written = _WRITTEN.search(text, start)
    if written is None or "\n" in text[start : written.start()]:
        return True
    return written.start() - start >= column and not text.startswith(("---", "..."), start)


def _begins_item(text: str, start: int, column: int) -> bool:
    """Whether a line begins an item of a list with keys in a column."""
    before = text[start : start + column]
    return before.endswith("- ") and not before.strip(" -")


@lru_cache(maxsize=256)  # a workspace has few objects of unknown kinds
def _read(block: str) -> JsonObject:
    try:
        return as_object(to_python(parse_chunk(block).root)) if block else {}
    except ExcessiveAliasingError:
        return {}
