"""Follows all patterns of a list along a name at once, in time linear in the name whatever the patterns are.

A set of places in the patterns is one integer, with a bit for each place ("shift-and", extended to repetitions:
Navarro and Raffinot, Flexible Pattern Matching in Strings, chapter 4). A byte of a name moves all places at once, so
there is nothing to go back to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.workspace.wildmatch import SLASH, Repeat

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kro_ls.workspace.wildmatch import Step


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
