"""The ids that a name may mean which nothing declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.spelling import Spellings, closest_among

if TYPE_CHECKING:
    from kro_ls.analysis.facts import BlockFacts


class Candidates:
    """Ids in the order of their resources, and those of nodes outside; equal where these are the same.

    `blocks` are what is known of the resources, `outer` the ids outside.
    """

    __slots__ = ("_closest", "_groups", "_ids", "_outer")

    def __init__(self, blocks: tuple[BlockFacts, ...] = (), outer: tuple[str, ...] = ()) -> None:
        self._ids = tuple([each for block in blocks for each in block.ids])
        self._outer = outer
        self._groups = (*(block.spellings for block in blocks), *((Spellings(outer),) if outer else ()))
        self._closest: dict[str, str | None] = {}  # when an id is being typed, all who use it ask the same

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Candidates) and self._outer == other._outer and self._ids == other._ids
        )

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return bool(self._groups)

    def __contains__(self, name: str) -> bool:
        return name in self._ids or name in self._outer

    def closest(self, name: str, own: str | None) -> str | None:
        """Return the id that a name most likely means, the first of several, but not that of the part that uses it."""
        if name not in self._closest:
            self._closest[name] = closest_among(name, self._groups)
        found = self._closest[name]
        return closest_among(name, [group.without(own) for group in self._groups]) if own and found == own else found


NO_CANDIDATES = Candidates()
