"""What a query read: inputs and other queries, as a whole or as single entries.

Most queries of one kind read the same sources and differ only in the names of the entries. So each has its own names
and shares one `Seen`: the values of these sources in one revision. Whether they have changed is checked once for all
queries that share it.
"""

from __future__ import annotations

from itertools import chain, compress
from operator import is_not
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from msgspec import Struct

from kro_ls.queries.cells import tuple_difference

if TYPE_CHECKING:
    from collections.abc import Iterator

Name = TypeVar("Name")
Entry = TypeVar("Entry")

MISSING: Final = object()

Names: TypeAlias = "tuple[frozenset[Any] | Unmerged | None, ...]"
"""For each source, the names of the entries that were read; None if all of it was read."""


class Unmerged:
    """The names of entries that several queries read, compared one by one."""

    __slots__ = ("_sets",)

    def __init__(self, sets: tuple[frozenset[Any] | Unmerged, ...]) -> None:
        self._sets = sets

    def __iter__(self) -> Iterator[Any]:
        return chain.from_iterable(self._sets)

    def isdisjoint(self, names: frozenset[Any]) -> bool:
        """Return whether none of the names is among them."""
        return all(each.isdisjoint(names) for each in self._sets)


class Sources:
    """The inputs and queries that a query read, in order. Equal ones are one object."""

    __slots__ = ("each",)

    def __init__(self, each: tuple[object, ...]) -> None:
        self.each = each


_MOST_SOURCES: Final = 1000

_sources: Final[dict[tuple[object, ...], Sources]] = {}
"""Bounded: at `_MOST_SOURCES` it is emptied, and then a few cells are verified separately from others like them."""


def _sources_of(each: tuple[object, ...]) -> Sources:
    found = _sources.get(each)
    if found is None:
        if len(_sources) >= _MOST_SOURCES:
            _sources.clear()
        found = _sources.setdefault(each, Sources(each))
    return found


class Reads(dict[object, Any]):
    """Records what a query reads while it runs.

    A key is either a source, with the names that were read of it or None for all of it, or the `Sources` of owned
    queries, with a list of the names that each of them read.
    """

    __slots__ = ()

    def add_entry(self, source: object, name: object) -> None:
        """Record that one entry of a value was read."""
        names = self.get(source, MISSING)
        if names is MISSING:
            self[source] = {name}
        elif type(names) is set:
            names.add(name)
        elif names is not None:
            self[source] = {name, *names}

    def add_entries(self, source: object, names: frozenset[Any]) -> None:
        """Record that several entries of a value were read."""
        read = self.get(source, MISSING)
        if read is not None:
            self[source] = names if read is MISSING else names.union(read)

    def group(self, sources: Sources) -> list[Names]:
        """Return the list to which to add what owned queries read of these sources; `recorded` merges them at once."""
        group: list[Names] | None = self.get(sources)
        if group is None:
            group = self[sources] = []
        return group

    def recorded(self, *, is_owned: bool) -> tuple[Sources, Names]:
        """Return the sources that were read, and the names of their entries.

        An owned query has these merged, because it is compared together with those of many other owners. Any other is
        compared once at most, which takes less time than to merge them.
        """
        merge = _merged if is_owned else _unmerged
        found: dict[object, frozenset[Any] | Unmerged | None] = {}
        for source, read in self.items():
            if type(source) is Sources:
                names_of_each = read[0] if len(read) == 1 else map(merge, zip(*read, strict=True))
                if len(self) == 1:
                    return source, tuple(names_of_each)
                if found.keys().isdisjoint(source.each):
                    found.update(zip(source.each, names_of_each, strict=True))
                    continue
                for each, names in zip(source.each, names_of_each, strict=True):
                    found[each] = merge((found[each], names)) if each in found else names
            else:
                names = None if read is None else frozenset(read)
                found[source] = merge((found[source], names)) if source in found else names
        return _sources_of(tuple(found)), tuple(found.values())


def _merged(each: tuple[Any, ...]) -> frozenset[Any] | None:
    return None if None in each else _NO_NAMES.union(*each)


def _unmerged(each: tuple[Any, ...]) -> Unmerged | None:
    return None if None in each else Unmerged(each)


_NO_NAMES: Final[frozenset[Any]] = frozenset()


class Seen(Struct, eq=False):
    """The values of some sources; `number` is that of the last revision which was found to have these objects."""

    number: int
    sources: Sources
    values: tuple[Any, ...]


UNKNOWN: Final = object()
"""The values are unequal, and a reader of single entries has to compare those."""

Change: TypeAlias = Any
"""The names of the entries in which two values differ, UNKNOWN, or None if the values are equal."""


class Joined(dict[Name, Entry]):
    """The entries of several mappings; of entries with one name, that of the first mapping counts.

    Only the mappings that two of them do not share are compared: of 1,000 entries in 32 mappings, one of which an edit
    replaced, this takes 20 µs, and 220 µs if all entries are compared.
    """

    __slots__ = ("_parts",)

    def __init__(self, parts: tuple[dict[Name, Entry], ...]) -> None:
        super().__init__()
        self._parts = parts
        for part in reversed(parts):
            self.update(part)

    def changed_names(self, new: Joined[Name, Entry]) -> frozenset[Name]:
        """Return the names of the entries in which a later mapping differs."""
        at = tuple_difference(self._parts, new._parts)
        names = set[Name]().union(*self._parts[at.start : at.before_end], *new._parts[at.start : at.end])
        return frozenset([name for name in names if self.get(name, MISSING) != new.get(name, MISSING)])


def change_between(old: Any, new: Any) -> Change:
    """Return how two values differ."""
    if old is new:
        return None
    if isinstance(old, Joined) and isinstance(new, Joined):
        return old.changed_names(new) or None
    if isinstance(old, dict) and isinstance(new, dict):
        return _changed_names(old, new) or None
    return None if old == new else UNKNOWN


def _changed_names(old: dict[Any, Any], new: dict[Any, Any]) -> frozenset[Any]:
    # Nearly all values are the same objects; these are skipped without a step of Python for each.
    others = compress(new, map(is_not, new.values(), map(old.get, new)))
    names = [name for name in others if name in old and old[name] != new[name]]
    return frozenset([*names, *(old.keys() ^ new.keys())])
