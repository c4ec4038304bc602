"""Where the resources stand that ids name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import accumulate, chain
from typing import TYPE_CHECKING, TypeVar, cast, overload

from kro_ls.analysis.layered import LayeredDict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.analysis.summary import Block

Default = TypeVar("Default")


class IdNumbers(Mapping[str, int]):
    """The number of the first resource with each id, in the order of `spec.resources`.

    What is kept is the block of each id: an edit changes the numbers of all resources after it, but few blocks.
    """

    def __init__(self, blocks: tuple[Block, ...], before: IdNumbers | None = None) -> None:
        self._blocks = blocks
        starts = accumulate((len(block.ids) for block in blocks), initial=0)
        self._starts = {id(block): start for block, start in zip(blocks, starts, strict=False)}
        self._is_unique = True
        carried = self._carried(before) if before else None
        self._homes = LayeredDict(self._all()) if carried is None else carried

    def _all(self) -> dict[str, Block]:
        homes: dict[str, Block] = {}
        count = 0
        for block in reversed(self._blocks):
            names = [name for name in block.ids if name is not None]
            count += len(names)
            homes.update(dict.fromkeys(names, block))
        self._is_unique = len(homes) == count
        return homes

    def _carried(self, before: IdNumbers) -> LayeredDict[Block] | None:
        """Return the blocks of the ids; None where an id is repeated, so that more would have to be known."""
        if not before._is_unique:
            return None
        gone = (block.ids for block in before._blocks if id(block) not in self._starts)
        homes = before._homes.without([name for name in chain.from_iterable(gone) if name is not None])
        for block in self._blocks:
            if id(block) not in before._starts:
                for name in block.ids:
                    if name in homes:
                        return None
                    if name is not None:
                        homes[name] = block
        return homes

    def __getitem__(self, name: str) -> int:
        block = self._homes.get(name)
        if block is None:
            raise KeyError(name)
        return self._starts[id(block)] + block.ids.index(name)

    @overload
    def get(self, name: str, /) -> int | None: ...
    @overload
    def get(self, name: str, default: int | Default, /) -> int | Default: ...
    def get(self, name: str, default: object = None, /) -> object:
        """Return the number of a name, the default for one that is no id: most are looked up to know that."""
        return self[name] if name in self._homes else default

    def __contains__(self, name: object) -> bool:
        return name in self._homes

    def undeclared(self, names: frozenset[str]) -> frozenset[str]:
        """Return those of some names that are no ids."""
        return self._homes.lacking(names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.in_order)

    @cached_property
    def in_order(self) -> tuple[str, ...]:
        """The ids."""
        found = dict.fromkeys(chain.from_iterable([block.ids for block in self._blocks]))
        found.pop(None, None)
        return tuple(cast("dict[str, None]", found))

    @cached_property
    def lines(self) -> str:
        """The lines of the ids, see `lines_of`."""
        return lines_of(self.in_order)

    def __len__(self) -> int:
        return len(self._homes)


def lines_of(names: Sequence[str]) -> str:
    """Return names in lower case, each in a line of its own, for who searches them all at once."""
    return "\n".join([name.replace("\n", " ") for name in names]).lower()
