r"""Lets libyaml read what go-yaml reads, which kubectl uses; the two differ in a few places.

| text | go-yaml | libyaml |
|---|---|---|
| `\/` in double quotes | refused, unless the document is JSON | a slash |
| `\'` in double quotes | an apostrophe | refused |
| `a:b` in a flow collection | text | refused |
| U+FEFF at the start of a line | text | skipped |

Where libyaml refuses or skips too much, a stand-in of the same length is put in its place, and the values that are read
get the text back. Source: go.yaml.in/yaml/v2 2.4, `scannerc.go`.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_BYTE_ORDER_MARK: Final = "\ufeff"
_PRIVATE_USE: Final = range(0xE000, 0xF900)
_COLON_IN_TEXT: Final = re.compile(r"(!<[^>\s]*)|(?<=[\w./-]):(?=[^\s,\[\]{}])")
"""The group is a tag, which keeps its colons."""
_DOUBLE_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_ESCAPE: Final = re.compile(r"\\.", re.DOTALL)


class Disguise:
    """A text as libyaml is to read it: `readable` has the same length."""

    def __init__(self, text: str) -> None:
        self.readable = text
        self._shown: dict[str, str] = {}
        self._unused = (each for each in map(chr, _PRIVATE_USE) if each not in text)
        if _BYTE_ORDER_MARK in text:
            self.readable = text.replace(_BYTE_ORDER_MARK, self._stand_in(_BYTE_ORDER_MARK))

    def permit(self, problem: str, offset: int, context_offset: int) -> bool:
        """Disguise what libyaml refuses at an offset; false where go-yaml refuses it as well."""
        before = self.readable
        if "unexpected ':'" in problem and before.startswith(":", offset):
            colon = self._stand_in(":")
            rest = f"{before[:offset]}{colon}{before[offset + 1 :]}"
            self.readable = _COLON_IN_TEXT.sub(lambda found: found[1] or colon, rest)
        elif "unknown escape" in problem and before.startswith("\\'", offset):
            quoted = _DOUBLE_QUOTED.match(before, max(context_offset, 0))
            end = quoted.end() if quoted else offset + 2
            nothing = self._stand_in("")
            shown = _ESCAPE.sub(lambda found: f"{nothing}'" if found[0] == "\\'" else found[0], before[offset:end])
            self.readable = before[:offset] + shown + before[end:]
        return self.readable != before

    def reveal(self, event: Any) -> None:
        """Give an event the text that stands in the document."""
        for stand_in, shown in self._shown.items():
            if stand_in in event.value:
                event.value = event.value.replace(stand_in, shown)

    @property
    def is_plain(self) -> bool:
        """Whether nothing is disguised."""
        return not self._shown

    def _stand_in(self, shown: str) -> str:
        """Return a character that does not occur otherwise, the same one for the same text."""
        for stand_in, each in self._shown.items():
            if each == shown:
                return stand_in
        stand_in = next(self._unused, "\ufffd")
        self._shown[stand_in] = shown
        return stand_in


def escaped_slashes(text: str) -> bool:
    """Return whether a slash may be escaped in a text that is not JSON, where it may be."""
    if "\\/" not in text:
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return True
    return False


def escaped_slash(source: str) -> int:
    """Return where a slash is escaped in a text in double quotes, -1 where none is."""
    found: Iterator[re.Match[str]] = _ESCAPE.finditer(source)
    return next((each.start() for each in found if each[0] == "\\/"), -1)
