"""The patterns of a `.gitignore`: reading them, and following all of them at once along the bytes of a name.

Source of the rules: gitignore(5); `dir.c` and `wildmatch.c` of git for what that page leaves open, such as a set that
is never closed. Patterns and names are bytes, as they are to git and to the file system: a name need not be UTF-8.

The time is linear in the name, whatever the patterns are. A set of places in the patterns is one integer with a bit for
each place ("shift-and", extended to repetitions: Navarro and Raffinot, Flexible Pattern Matching in Strings,
chapter 4), and a byte of a name moves all places at once.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


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
        """Return whether a file or folder with this state after its name is ignored, None if no pattern matches."""
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
    """Yield the steps for the pattern of a path, one list for each meaning.

    For git before version 2.52, stars after a literal prefix start a pattern: `a**/b` matches `ab`, too, and its stars
    match slashes.
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


class NameAutomaton:
    """Patterns of paths below a folder, and of names in any folder below it.

    A state says how far each pattern has come. `begin` is the state in the folder itself, `follow` leads to the state
    after a name in it, and `enter` from there into the folder of this name.
    """

    def __init__(self, patterns: Iterable[tuple[Sequence[Step], bool]]) -> None:
        """Take the steps of each pattern, and whether it is of a path."""
        self.ends: list[int] = []
        """The place behind all steps of each pattern, in the order of the patterns; these grow."""
        self._literals: dict[int, list[int]] = {}
        self._sets: list[tuple[frozenset[int], int]] = []
        self._moves: dict[int, int] = {}
        repeats: dict[Repeat, list[int]] = {repeat: [] for repeat in Repeat}
        starts: dict[bool, list[int]] = {True: [], False: []}
        place = 0
        for steps, is_path in patterns:
            starts[is_path].append(place)
            for step in steps:
                if isinstance(step, Repeat):
                    repeats[step].append(place)
                elif len(step) == 1:
                    self._literals.setdefault(min(step), []).append(place)
                else:
                    self._sets.append((step, place))
                place += 1
            self.ends.append(place)
            place += 1
        self._size = place
        self._folders = self.state_of(repeats[Repeat.FOLDERS])
        everything = self.state_of(repeats[Repeat.EVERYTHING])
        self._skipped = self.state_of(repeats[Repeat.STAR]) | everything
        self._takes_bytes = self._skipped | self._folders
        self._takes_slashes = everything | self._folders
        self._names = self.state_of(starts[False])
        self.begin = self._in_folder(self.state_of(starts[True]))

    def state_of(self, places: Iterable[int]) -> int:
        """Return the state that consists of some places."""
        bits = bytearray(self._size // 8 + 1)
        for place in places:
            bits[place >> 3] |= 1 << (place & 7)
        return int.from_bytes(bits, "little")

    def follow(self, state: int, name: bytes) -> int:
        """Return the state after a name, which has no slash."""
        moves, takes_bytes, skipped = self._moves, self._takes_bytes, self._skipped
        for byte in name:
            if not state:
                break
            move = moves[byte] if byte in moves else self._move(byte)
            state = (state & move) << 1 | state & takes_bytes
            state |= (state & skipped) << 1
        return state

    def enter(self, state: int) -> int:
        """Return the state in a folder from that after its name."""
        return self._in_folder((state & self._move(SLASH)) << 1 | state & self._takes_slashes)

    def _in_folder(self, state: int) -> int:
        """Begin with names, and pass what may take nothing; `**/` may only here."""
        state |= self._names
        state |= (state & self._folders) << 1
        return state | (state & self._skipped) << 1

    def _move(self, byte: int) -> int:
        """Return the places whose steps take a byte, and only one."""
        move = self._moves.get(byte)
        if move is None:
            places = [*self._literals.get(byte, ()), *(place for members, place in self._sets if byte in members)]
            move = self._moves[byte] = self.state_of(places)
        return move
