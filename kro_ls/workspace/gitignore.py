"""What a `.gitignore` says.

Source of the rules: gitignore(5); `dir.c` of git for what that page leaves open.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.workspace.name_automaton import NameAutomaton
from kro_ls.workspace.wildmatch import Repeat, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.workspace.wildmatch import Step

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class _Rule(Struct, frozen=True):
    steps: list[Step]
    is_path: bool
    ignores: bool
    only_folders: bool


class GitIgnore:
    """The patterns of one file; states are those of `NameAutomaton`, from the folder of the file on."""

    def __init__(self, content: bytes) -> None:
        rules = list(_rules(content))
        self.automaton = NameAutomaton((rule.steps, rule.is_path) for rule in rules)
        self._ignores = {end: rule.ignores for end, rule in zip(self.automaton.ends, rules, strict=True)}
        self._of_folders = self.automaton.state_of(self.automaton.ends)
        self._of_files = self.automaton.state_of(
            end for end, rule in zip(self.automaton.ends, rules, strict=True) if not rule.only_folders
        )

    def verdict(self, state: int, *, is_folder: bool) -> bool | None:
        """Return whether what has this state after its name is ignored, None where no pattern is about it."""
        matching = state & (self._of_folders if is_folder else self._of_files)
        return self._ignores[matching.bit_length() - 1] if matching else None  # the last pattern counts


def _rules(content: bytes) -> Iterator[_Rule]:
    for line in content.removeprefix(_BYTE_ORDER_MARK).split(b"\n"):
        pattern = _without_trailing_spaces(line.removesuffix(b"\r").partition(b"\0")[0])
        if pattern.startswith(b"#"):
            continue
        ignores = not pattern.startswith(b"!")
        pattern = pattern.removeprefix(b"!")
        only_folders = pattern.endswith(b"/")
        pattern = pattern.removesuffix(b"/")
        is_path = b"/" in pattern
        for steps in _paths(pattern.removeprefix(b"/")) if is_path else (steps_of(pattern, is_path=False),):
            if steps:
                yield _Rule(steps, is_path, ignores, only_folders)


def _without_trailing_spaces(line: bytes) -> bytes:
    kept = line.rstrip(b" ")
    backslashes = len(kept) - len(kept.rstrip(b"\\"))
    return line[: len(kept) + 1] if backslashes % 2 else kept


def _paths(pattern: bytes) -> Iterator[list[Step] | None]:
    """Yield the steps of what the pattern of a path means.

    To git before version 2.52, stars behind a beginning without wildcards begin a pattern: `a**/b` is `ab`, too, and
    its stars take slashes.
    """
    literal = re.match(rb"[^*?[\\]*", pattern)
    beginning = literal[0] if literal else b""
    if not beginning or beginning.endswith(b"/") or not pattern.startswith(b"**", len(beginning)):
        yield steps_of(pattern, is_path=True)
        return
    rest = steps_of(pattern[len(beginning) :], is_path=True)
    if rest is not None:
        first = steps_of(beginning, is_path=True) or []
        yield first + rest
        if rest[0] is Repeat.FOLDERS:
            yield first + rest[1:]
