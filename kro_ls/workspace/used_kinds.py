"""The groups and kinds of the objects in the texts of a workspace: what is written next is likely to be one of them."""

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
# Both begin with what is fast to find, and take the other line where it is the next one.
_VERSIONS = re.compile(rf"{_VERSION}(?:\n[ ]*{_KIND}$)?", re.MULTILINE)
_KINDS = re.compile(rf"{_KIND}(?:\n[ ]*{_VERSION}$)?", re.MULTILINE)
_CORE = "v1"
"""The only version of the core group."""

_MOST_AT_ONCE = 500_000
"""In code points: so much is read in one go. The rest follows when somebody asks again."""
_MOST_FILES = 5_000


class UsedKinds(Struct, frozen=True):
    """The groups that are in use, the names of kinds, and kinds of named groups as far as both lines stand together."""

    groups: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    names: frozenset[GroupVersionKind] = frozenset()


_found: dict[str, tuple[str, UsedKinds]] = {}
"""By path, with the text that it was found in, which the workspace holds anyway."""


def kinds_in(text: str) -> UsedKinds:
    """Return what the objects in a text are of, but for the definitions themselves."""
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
    """Return what is in use in a text that is being written, and in files, given by their paths and texts.

    A file is read again when its text is another one.
    """
    here = kinds_in(own)
    groups, kinds, names, left = set(here.groups), set(here.kinds), set(here.names), _MOST_AT_ONCE
    for path, text in files:
        known = _found.get(path)
        if known is None or known[0] is not text:
            if left <= 0:
                continue
            left -= len(text)
            if len(_found) >= _MOST_FILES:
                _found.clear()
            known = _found[path] = (text, kinds_in(text))
        groups |= known[1].groups
        kinds |= known[1].kinds
        names |= known[1].names
    return UsedKinds(frozenset(groups), frozenset(kinds), frozenset(names))
