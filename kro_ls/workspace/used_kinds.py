"""The groups and kinds of the objects in the texts of a workspace: what is written next is likely to be one of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.kro.rgd_schema import RGD

if TYPE_CHECKING:
    from collections.abc import Iterable

_API_VERSION = re.compile(r"apiVersion:[ ]+[\"']?(?:([A-Za-z0-9.-]+)/v\d|v1\b)")
_KIND = re.compile(r"\bkind:[ ]+[\"']?([A-Z][A-Za-z0-9]*)")
_MOST_AT_ONCE = 500_000
"""In code points: so much is read in one go. The rest follows when somebody asks again."""
_MOST_FILES = 5_000


class UsedKinds(Struct, frozen=True):
    """The groups that are in use, and the names of kinds."""

    groups: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()


_found: dict[str, tuple[str, UsedKinds]] = {}
"""By path, with the text that it was found in, which the workspace holds anyway."""


def kinds_in(text: str) -> UsedKinds:
    """Return what the objects in a text are of, but for the definitions themselves."""
    if "apiVersion" not in text:
        return UsedKinds()
    versions = _API_VERSION.finditer(text)
    groups = (match[1] or "" for match in versions if match[1] != RGD.group or text[match.start() - 1] == " ")
    return UsedKinds(frozenset(groups), frozenset(_KIND.findall(text)) - {RGD.kind})


def used_kinds(own: str, files: Iterable[tuple[str, str]]) -> UsedKinds:
    """Return what is in use in a text that is being written, and in files, given by their paths and texts.

    A file is read again when its text is another one.
    """
    here = kinds_in(own)
    groups, kinds, left = set(here.groups), set(here.kinds), _MOST_AT_ONCE
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
    return UsedKinds(frozenset(groups), frozenset(kinds))
