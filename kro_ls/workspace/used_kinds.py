"""The kinds of the objects in a workspace, which the user is likely to write next, and objects of a kind.

The latter serve kinds without a schema. They are cut out of a text by indentation, read separately, and cached by text,
so that an edit costs one object.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.kro.rgd_schema import RGD
from kro_ls.openapi.json_values import as_object
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.yaml_positions.documents.chunks import parse_chunk
from kro_ls.yaml_positions.nodes import to_python

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.openapi.json_values import JsonObject


_VERSION = r"apiVersion:[ ]+[\"']?(?:([A-Za-z0-9.-]+)/)?(v\d\w*)\b[\"']?[ ]*"
_KIND = r"kind:[ ]+[\"']?([A-Z][A-Za-z0-9]*)\b[\"']?[ ]*"
# Both start with a literal, which is fast to find, and match the other line if it is the next one.
_VERSIONS = re.compile(rf"{_VERSION}(?:\n[ ]*{_KIND}$)?", re.MULTILINE)
_KINDS = re.compile(rf"{_KIND}(?:\n[ ]*{_VERSION}$)?", re.MULTILINE)
_CORE = "v1"
"""The only version of the core group."""

_MOST_AT_ONCE = 500_000
"""In code points. The rest is read by later calls."""
_MOST_FILES = 5_000


class UsedKinds(Struct, frozen=True):
    """Groups, names of kinds, and kinds with their groups where both lines are adjacent."""

    groups: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    names: frozenset[GroupVersionKind] = frozenset()


_found: dict[str, tuple[str, UsedKinds]] = {}
"""By path, with the text, which the workspace holds anyway."""


def kinds_in(text: str) -> UsedKinds:
    """Return the kinds of the objects in a text, except the definitions themselves."""
    if "apiVersion" not in text:
        return UsedKinds()
    groups: set[str] = set()
    kinds: set[str] = set()
    names: set[tuple[str, str, str]] = set()
    for match in _VERSIONS.finditer(text):
        group, version, kind = match.groups("")
        if group or version == _CORE:
            names.add((group, version, kind))
            if group != RGD.group or text[max(match.start() - 1, 0)] == " ":
                groups.add(group)
    for kind, group, version in _KINDS.findall(text):
        kinds.add(kind)
        names.add((group, version, kind))
    found = (GroupVersionKind(*name) for name in names if all(name))
    return UsedKinds(frozenset(groups), frozenset(kinds) - {RGD.kind}, frozenset(found) - {RGD})


def used_kinds(own: str, files: Iterable[tuple[str, str]]) -> UsedKinds:
    """Return the kinds in a text that is being written, and in files, given by path and text.

    A file is read again when its text has changed.
    """
    here = kinds_in(own)
    groups, kinds, names, left = set(here.groups), set(here.kinds), set(here.names), _MOST_AT_ONCE
    for path, text in files:
        cached = _found.get(path)
        if cached is None or cached[0] is not text:
            if left <= 0:
                continue
            left -= len(text)
            if len(_found) >= _MOST_FILES:
                _found.clear()
            cached = _found[path] = (text, kinds_in(text))
        groups |= cached[1].groups
        kinds |= cached[1].kinds
        names |= cached[1].names
    return UsedKinds(frozenset(groups), frozenset(kinds), frozenset(names))


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
    return as_object(to_python(parse_chunk(block).root)) if block else {}
