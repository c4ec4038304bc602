"""Results that are cached by owner, by block of owners, or by content, and are freed with it.

By owner: an object that results are computed from has a dictionary `cells`, which holds these results by the function
that computed them. A query (`kro_ls/queries/engine.py`) stores its value there, together with what it read. A `cached`
function reads nothing but its arguments, so its last result is valid while these are equal. When the owner is dropped,
because its text was edited or its document closed, its results are freed.

No result may refer to its owner. There are many owners, and `gc=False` makes the garbage collector skip them, so a
reference cycle through one of them would never be freed.

By block: `Blocks` are a long tuple of owners, stored in blocks that are owners themselves, so that a result about all
of them is put together from one for each block. A version in which some values were replaced shares all other blocks:
an edit in the middle of twenty thousand values copies a few hundred references, and two versions are compared block by
block. Measured at 1,000 resources, from a paste to its diagnosis: 3,245 calls and 7.5 ms; with all values in one block
15,018 calls and 15.4 ms, of which 12 ms is the bar. A comment takes 3.4 ms, and 9.4 ms in one block.

By content: `Interned` gives the same object for the same key while that object is alive. Equal texts and schemas then
share one result, and to compare two results is to compare identities. An entry is freed with its value, so a table is
no larger than what is open. Most sets are empty or equal to another one, and Python allocates 216 bytes for each empty
`frozenset`, which was a third of the memory of a small definition; `set_of` and `union` share them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property, update_wrapper  # noqa: TID251 - `cached_attribute` is made of it
from itertools import accumulate, chain, compress, count, pairwise
from operator import eq, is_not
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Final,
    NamedTuple,
    ParamSpec,
    Protocol,
    Self,
    TypeVar,
    cast,
    overload,
)
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator


Cells = dict[object, Any]
"""The results about an object, by the function or query that computed them."""

_NOTHING: Final = object()
_EMPTY: Final[frozenset[Any]] = frozenset()
_LARGEST_BLOCK: Final = 32
_TABLES: Final[list[Interned[object, object]]] = []


class Owner(Protocol):
    """An object that carries the results about itself."""

    @property
    def cells(self) -> Cells:
        """The results. They are not part of the value: equal owners may have different ones."""


OwnerT = TypeVar("OwnerT", bound=Owner)
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Key = TypeVar("Key")
Value = TypeVar("Value")
Item = TypeVar("Item", bound="Hashable")


def cached(
    function: Callable[Concatenate[OwnerT, Arguments], Result],
) -> Callable[Concatenate[OwnerT, Arguments], Result]:
    """Cache a function's last result in its first argument. The result must depend on the arguments alone.

    The cached function takes positional arguments only.
    """

    def with_owner_alone(owner: OwnerT, /) -> Result:  # the usual form: tens of calls per resource
        cells = owner.cells
        result: Result = cells.get(function, _NOTHING)
        if result is _NOTHING:
            result = cells[function] = function(owner)  # type: ignore[call-arg]
        return result

    def with_arguments(owner: OwnerT, /, *arguments: Any) -> Result:  # keywords would make a call a third slower
        cells = owner.cells
        previous: tuple[tuple[object, ...], Result] | None = cells.get(function)
        if previous is not None and previous[0] == arguments:
            return previous[1]
        result = function(owner, *arguments)  # type: ignore[call-arg]
        cells[function] = (arguments, result)
        return result

    has_owner_alone = function.__code__.co_argcount == 1
    wrapped = update_wrapper(with_owner_alone if has_owner_alone else with_arguments, function)
    return cast("Callable[Concatenate[OwnerT, Arguments], Result]", wrapped)


class cached_attribute(cached_property[Result]):  # noqa: N801 - used as `cached_property` is
    """`functools.cached_property` without the lock of Python 3.11, which all instances of a class share.

    That lock would make the event loop wait for a thread that computes the property of another instance.
    """

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Result: ...
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Any:
        """Return the value and store it as a plain attribute, so that later reads do not call this.

        If two threads compute it at once, both get the value that was stored first, because parts of it are compared
        by identity.
        """
        if instance is None:
            return self
        value = self.func(instance)
        return instance.__dict__.setdefault(self.attrname or self.func.__name__, value)


class Block(tuple[Value, ...]):
    """Consecutive values, with a cache of results computed from all of them."""

    def __new__(cls, values: Iterable[Value] = ()) -> Block[Value]:
        """Return a block without results."""
        found = super().__new__(cls, values)
        found.cells = {}
        return found

    cells: dict[object, Any]


class Blocks(Sequence[Value]):
    """Immutable. `blocks` are consecutive tuples, none of them empty; `starts` are the numbers of their first values,
    and finally the count of all values.
    """

    __slots__ = ("blocks", "starts")

    def __init__(self, blocks: tuple[Block[Value], ...] = (), starts: tuple[int, ...] | None = None) -> None:
        self.blocks = blocks
        if starts is not None:
            self.starts = starts
        elif len(blocks) == 1:  # as most have: a large text may have thousands of them, each with its own
            self.starts = (0, len(blocks[0]))
        else:
            self.starts = (*accumulate(map(len, blocks), initial=0),)

    @classmethod
    def of(cls, values: Iterable[Value]) -> Blocks[Value]:
        """Return values in blocks."""
        return Blocks(_cut(tuple(values)))

    def __len__(self) -> int:
        return self.starts[-1]

    def __iter__(self) -> Iterator[Value]:
        return chain.from_iterable(self.blocks)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Blocks) or len(self) != len(other):
            return False
        first = _first_difference(self.blocks, other.blocks)
        return all(map(eq, *map(chain.from_iterable, (self.blocks[first:], other.blocks[first:]))))

    __hash__ = None  # type: ignore[assignment]

    @overload
    def __getitem__(self, index: int) -> Value: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Value, ...]: ...
    def __getitem__(self, index: int | slice) -> Value | tuple[Value, ...]:
        if isinstance(index, int):
            if not 0 <= index < len(self):
                index = range(len(self))[index]  # a negative number, or an IndexError
            block = bisect_right(self.starts, index) - 1
            return self.blocks[block][index - self.starts[block]]
        numbers = range(len(self))[index]
        if not numbers or numbers.step != 1:
            return tuple(self[number] for number in numbers)
        first, last = self.located(numbers.start)[0], self.located(numbers.stop - 1)[0]
        start = self.starts[first]
        return tuple(chain.from_iterable(self.blocks[first : last + 1]))[numbers.start - start : numbers.stop - start]

    def at(self, numbers: Collection[int]) -> list[Value]:
        """Return the values at some numbers."""
        if len(numbers) < len(self.blocks):
            return [self[number] for number in numbers]
        values = tuple(self)  # which is quicker than to find the block of each
        return [values[number] for number in numbers]

    def located(self, number: int) -> tuple[int, int]:
        """Return the number of the block that a value is in, and its place there."""
        block = bisect_right(self.starts, number) - 1
        return block, number - self.starts[block]

    def replaced(self, start: int, end: int, values: Iterable[Value]) -> Blocks[Value]:
        """Return a version with `[start, end)` replaced by other values. Blocks outside stay the same objects."""
        values = tuple(values)
        if start == end and not values:
            return self
        blocks = self.blocks
        first = max(min(bisect_right(self.starts, start), len(blocks)) - 1, 0)
        last = max(bisect_left(self.starts, end), min(first + 1, len(blocks)))
        touched = tuple(chain.from_iterable(blocks[first:last]))
        before = self.starts[first]
        inside = (*touched[: start - before], *values, *touched[end - before :])
        if last == first + 1 and len(inside) == len(touched) > 0:
            return Blocks((*blocks[:first], Block(inside), *blocks[last:]), self.starts)
        return Blocks((*blocks[:first], *_cut(inside), *blocks[last:]))


class Difference(NamedTuple):
    """What changed: `[start, before_end)` of the previous values became `[start, end)`."""

    start: int
    before_end: int
    end: int


def difference(before: Blocks[Value], after: Blocks[Value]) -> Difference:
    """Return where two versions differ, between their common start and their common end.

    Values are compared by equality. Equal blocks at both ends are skipped; the values between them are compared in
    ranges, not one by one.
    """
    old, new = before.blocks, after.blocks
    first = _first_difference(old, new)
    last = _first_difference(old[first:][::-1], new[first:][::-1])
    found = tuple_difference(
        tuple(chain.from_iterable(old[first : len(old) - last])),
        tuple(chain.from_iterable(new[first : len(new) - last])),
    )
    return Difference(*(before.starts[first] + number for number in found))


def common_start(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many values two sequences have in common at their start; whole stretches are compared first."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


class Interned(WeakValueDictionary[Key, Value]):
    """A table of the living values of one kind. The module that computes these values owns it."""

    def __init__(self) -> None:
        super().__init__()
        _TABLES.append(self)  # type: ignore[arg-type]

    def value(
        self, key: Key, compute: Callable[Arguments, Value], *arguments: Arguments.args, **options: Arguments.kwargs
    ) -> Value:
        """Return the value of a key, and compute it if none is alive. It must depend on the key alone."""
        found = self.get(key)
        if found is None:
            found = self[key] = compute(*arguments, **options)
        return found


def tables() -> tuple[Interned[object, object], ...]:
    """Return all tables: tests empty them, to compare with values that are computed anew."""
    return tuple(_TABLES)


def set_of(items: Iterable[Item]) -> frozenset[Item]:
    """Return the set of some items; all empty sets are the same object."""
    return frozenset(items) or _EMPTY


def union(sets: Iterable[frozenset[Item]]) -> frozenset[Item]:
    """Return the union of sets; if only one of them has items, that one."""
    filled = {each for each in sets if each}  # many are the same object, and a frozenset caches its hash
    if len(filled) <= 1:
        return filled.pop() if filled else _EMPTY
    return filled.pop().union(*filled)


def _cut(values: tuple[Value, ...]) -> tuple[Block[Value], ...]:
    """Cut into blocks of nearly equal size."""
    parts = -(-len(values) // _LARGEST_BLOCK)
    borders = (len(values) * number // parts for number in range(parts + 1))
    return tuple(Block(values[start:end]) for start, end in pairwise(borders)) if parts else ()


def _first_difference(one: tuple[object, ...], other: tuple[object, ...]) -> int:
    """Return the index of the first value that differs from another tuple's, or that it lacks.

    Nearly all are the same objects, whose contents are not compared.
    """
    others = compress(count(), map(is_not, one, other))
    return next((number for number in others if one[number] != other[number]), min(len(one), len(other)))


def tuple_difference(before: tuple[object, ...], after: tuple[object, ...]) -> Difference:
    """Return where two tuples differ, between their common start and their common end."""
    start = common_start(before, after)
    end = common_start(before[start:][::-1], after[start:][::-1])
    return Difference(start, len(before) - end, len(after) - end)
