"""The groups and kinds of the objects in a workspace, which the user is likely to write next."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.kro.rgd_schema import RGD
from kro_ls.openapi.kind_schema import GroupVersionKind

if TYPE_CHECKING:
    from collections.abc import Iterable

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
