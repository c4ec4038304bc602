"""Reads patterns of file names as git writes them: `*.yaml`, `build/**/[a-c]?.yml`.

Source of the rules: gitignore(5); `wildmatch.c` of git for what that page leaves open, such as a set that is never
closed. Patterns and names are bytes, as they are to git and to the file system: a name need not be UTF-8.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, TypeAlias


class Repeat(Enum):
    """A step that takes any number of bytes."""

    STAR = 1
    """`*`: bytes that are no slashes."""
    FOLDERS = 2
    """`**/`: nothing, or anything that ends with a slash."""
    EVERYTHING = 3
    """`**` at the end: anything."""


Step: TypeAlias = frozenset[int] | Repeat
"""What a part of a pattern takes: one of some bytes, or any number of bytes."""

SLASH: Final = ord("/")

_BACKSLASH: Final = ord("\\")
_BYTES: Final = [frozenset([byte]) for byte in range(256)]
_NO_SLASH: Final = frozenset(range(1, 256)) - {SLASH}
_PRINTED: Final = range(33, 127)
_NAMED_SETS: Final = {
    b"alnum": frozenset(byte for byte in _PRINTED if chr(byte).isalnum()),
    b"alpha": frozenset(byte for byte in _PRINTED if chr(byte).isalpha()),
    b"blank": frozenset(b" \t"),
    b"cntrl": frozenset([*range(1, 32), 127]),
    b"digit": frozenset(b"0123456789"),
    b"graph": frozenset(_PRINTED),
    b"lower": frozenset(byte for byte in _PRINTED if chr(byte).islower()),
    b"print": frozenset([32, *_PRINTED]),
    b"punct": frozenset(byte for byte in _PRINTED if not chr(byte).isalnum()),
    b"space": frozenset(b" \t\n\r"),  # git's own table lacks the vertical tab and the form feed
    b"upper": frozenset(byte for byte in _PRINTED if chr(byte).isupper()),
    b"xdigit": frozenset(b"0123456789abcdefABCDEF"),
}


def steps_of(pattern: bytes, *, is_path: bool) -> list[Step] | None:
    """Return the steps of a pattern, None for one that matches nothing.

    Only in the pattern of a path, `**` takes slashes.
    """
    steps: list[Step] = []
    at = 0
    while at < len(pattern):
        step: Step | None
        match pattern[at : at + 1]:
            case b"*":
                step, at = _stars(pattern, at, is_path=is_path)
            case b"?":
                step, at = _NO_SLASH, at + 1
            case b"[":
                step, at = _SetReader(pattern, at + 1).read()
            case b"\\":
                step, at = (_BYTES[pattern[at + 1]] if at + 1 < len(pattern) else None), at + 2
            case _:
                step, at = _BYTES[pattern[at]], at + 1
        if step is None:
            return None
        if not (step is Repeat.FOLDERS and steps and steps[-1] is step):
            steps.append(step)
    return steps


def _stars(pattern: bytes, start: int, *, is_path: bool) -> tuple[Repeat, int]:
    """Return what some stars mean, and where that ends."""
    end = start
    while pattern[end : end + 1] == b"*":
        end += 1
    is_begun = start == 0 or pattern[start - 1] == SLASH
    is_ended = end == len(pattern) or pattern.startswith((b"/", b"\\/"), end)
    if not (is_path and end - start > 1 and is_begun and is_ended):
        return Repeat.STAR, end
    return (Repeat.FOLDERS, end + 1) if pattern[end : end + 1] == b"/" else (Repeat.EVERYTHING, end)


class _SetReader:
    """Reads a set such as `[!a-c[:digit:]]`, from behind its bracket."""

    def __init__(self, pattern: bytes, start: int) -> None:
        self._pattern = pattern
        self._at = start
        self._members: set[int] = set()
        self._range_start = 0  # a hyphen after it makes a range; 0 where there is none
        self._closing = -1

    def read(self) -> tuple[frozenset[int] | None, int]:
        """Return what the set takes, None where it is not whole, and where it ends."""
        is_negated = self._byte() in (ord("!"), ord("^"))
        self._at += is_negated
        while self._read_member():
            self._at += 1
            if self._byte() == ord("]"):
                members = _NO_SLASH - self._members if is_negated else self._members - {SLASH}
                return frozenset(members), self._at + 1
        return None, len(self._pattern)

    def _byte(self, ahead: int = 0) -> int:
        """Return a byte, 0 behind the end: no pattern holds that."""
        at = self._at + ahead
        return self._pattern[at] if at < len(self._pattern) else 0

    def _read_member(self) -> bool:
        """Read up to the last byte of a member; return False where the set is not whole."""
        byte = self._byte()
        if byte == ord("-") and self._range_start and self._byte(1) not in (0, ord("]")):
            self._at += 1
            last = self._unescaped()
            self._members.update(range(self._range_start, last + 1))
            self._range_start = 0
            return last > 0
        if byte == ord("[") and self._byte(1) == ord(":") and (end := self._end_of_name()) != self._at:
            named = _NAMED_SETS.get(self._pattern[self._at + 2 : end - 1])
            self._members |= named or set()
            self._at, self._range_start = end, 0
            return named is not None
        byte = self._unescaped()
        self._members.add(byte)
        self._range_start = byte
        return byte > 0

    def _unescaped(self) -> int:
        if self._byte() == _BACKSLASH:
            self._at += 1
        return self._byte()

    def _end_of_name(self) -> int:
        """Return where the bracket of `[:name:]` is closed, the same place where none is meant, or the end."""
        if self._closing < self._at + 2:
            found = self._pattern.find(b"]", self._at + 2)
            self._closing = found if found >= 0 else len(self._pattern)
        is_name = self._closing > self._at + 2 and self._pattern[self._closing - 1] == ord(":")
        return self._closing if is_name or self._closing == len(self._pattern) else self._at
