"""Texts with objects of the same name, found without parsing by the literal names below `metadata:`."""

from __future__ import annotations

import re
from threading import Lock
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAME: Final = r"[\"']?([a-z0-9][-.:a-z0-9]{0,252})[\"']?"
_LINES = rf"\n +(?:- )?(?:metadata:(?: *\{{[^\n$]*?\bname: *{_NAME} *[,}}])?|name: +{_NAME} *(?:#.*)?(?=\r?(?:\n|\Z)))"
"""Indented lines, which excludes the name of the definition. That of metadata comes before others."""


def literal_names(text: str) -> frozenset[str]:
    """Return the literal names of objects in a text, and maybe a few others."""
    found: set[str] = set()
    is_inside = False
    for in_braces, in_line in re.findall(_LINES, text):
        if in_braces or (in_line and is_inside):
            found.add(in_braces or in_line)
        is_inside = not in_braces and not in_line
    return frozenset(found)


class LiteralNames:
    """The literal names in the texts of a workspace. Only changed texts are read again. Any thread may ask."""

    def __init__(self) -> None:
        self._texts: Mapping[str, str] = {}
        self._names: dict[str, frozenset[str]] = {}
        self._homes: dict[str, set[str]] = {}
        self._changing = Lock()

    def sharing(self, path: str, texts: Mapping[str, str], most: int) -> list[str]:
        """Return the other files, sorted, that share a name with the one at a path.

        Names that more than `most` files have do not count. `texts` are those of all files by path.
        """
        if len(texts) == 1:  # as for a command that checks one file
            return []
        with self._changing:
            own = self._of(path, texts[path])
            if not own:  # as in most definitions: names of others are not needed
                return []
            self._follow(texts)
            homes = (self._homes[name] for name in own)
            return sorted({home for each in homes if len(each) <= most for home in each if home != path})

    def _of(self, path: str, text: str) -> frozenset[str]:
        return self._names[path] if self._texts.get(path) is text else literal_names(text)

    def _follow(self, texts: Mapping[str, str]) -> None:
        """Read the texts that changed."""
        if self._texts is texts:
            return
        before = self._texts
        changed = [path for path, text in texts.items() if before.get(path) is not text]
        for path in (*(path for path in before if path not in texts), *changed):
            for name in self._names.pop(path, ()):
                self._homes[name].discard(path)
        for path in changed:
            names = self._names[path] = literal_names(texts[path])
            for name in names:
                self._homes.setdefault(name, set()).add(path)
        self._texts = texts
