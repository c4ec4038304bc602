"""Queries: functions whose values are stored with what they read, and reused while that is unchanged.

A `Revision` is one state of some inputs; an edit makes the next one. A query is a function of a `Reader`, through which
it reads inputs and other queries, or single entries of those that are mappings. These reads are recorded, and the value
is valid in every revision in which the query would read equal values. There are two kinds:

- A `Query` has one value per revision, or one per key; a key is small and hashable. Its readers compare its value: an
  edit that leaves the value equal affects none of them (early cutoff), and one that changes an entry of a mapping
  affects only the readers of that entry. A value is passed on from revision to revision, and dropped when no query or
  caller has asked for it in a while.
- An `OwnedQuery` has one value for each of many owners, such as the lines of a text. The value is stored in the `cells`
  of its owner and freed with it. A query that reads it is recorded as having read what it read, so no owner is visited
  when a value is verified.

Queries may be asked in any thread and any revision. If two threads compute the same value, the first one counts.

The algorithm is that of salsa (https://salsa-rs.github.io/salsa/reference/algorithm.html), except that reads are
verified by value and not by revision number. So revisions may branch: a trial edit does not affect the revision that it
starts from.
"""

from __future__ import annotations

from itertools import compress, count
from operator import attrgetter, not_
from typing import TYPE_CHECKING, Any, Concatenate, Final, Generic, ParamSpec, Protocol, TypeVar

from msgspec import Struct

from kro_ls.queries.cells import Owner
from kro_ls.queries.reads import MISSING, UNKNOWN, Reads, Seen, Sources, change_between

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from kro_ls.queries.reads import Change, Names, Unmerged

Value = TypeVar("Value")
Value_co = TypeVar("Value_co", covariant=True)
OwnerT = TypeVar("OwnerT", bound=Owner)
Name = TypeVar("Name")
Entry = TypeVar("Entry")
Name_contra = TypeVar("Name_contra", contravariant=True)
Entry_co = TypeVar("Entry_co", covariant=True)
Arguments = ParamSpec("Arguments")


class Entries(Protocol[Name_contra, Entry_co]):
    """A value whose single entries queries can read, such as a mapping."""

    def get(self, name: Name_contra, /) -> Entry_co | None:
        """Return an entry, or None."""


class Cancelled(Exception):  # noqa: N818 - not an error: the answer is no longer needed
    """The revision was cancelled during a computation."""


class CycleError(Exception):
    """A query asked for its own value. `queries` are the names on the cycle; the first is also the last."""

    def __init__(self, queries: tuple[str, ...]) -> None:
        super().__init__(" asks ".join(queries))
        self.queries = queries


class Input(Generic[Value]):
    """A value from outside. A revision gets it when it is made."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, reader: Reader) -> Value:
        """Return the value. Raises KeyError if the revision has none."""
        value: Value = reader.revision.values[self]
        if reader.reads is not None:
            reader.reads[self] = None
        return value


class Revision:
    """One state of the inputs, and what has been computed from it.

    `values` holds the inputs and the values of queries, by query or by query and key. `cells` holds what these queries
    read, and is shared with the next revision. A final revision, one that is unlikely to be edited, records no reads;
    a revision after it computes everything again.
    """

    __slots__ = (
        "_changes",
        "_comparisons",
        "_seen",
        "age",
        "cells",
        "inputs",
        "is_cancelled",
        "number",
        "unrecorded",
        "values",
    )

    def __init__(
        self,
        inputs: Mapping[Input[Any], Any],
        age: int = 0,
        cells: dict[object, Cell] | None = None,
        *,
        is_final: bool = False,
    ) -> None:
        self.inputs = inputs
        self.cells: dict[object, Cell] = {} if cells is None else cells
        self.number = next(_NUMBERS)
        self.values: dict[object, Any] = dict(inputs.items())
        self.values[_NUMBER] = self.number
        self.unrecorded = Seen(self.number, _ALL, (self.number,)) if is_final else None
        """What every cell of a final revision counts as having read; None in other revisions."""
        self.age = age
        self.is_cancelled = False
        self._seen: dict[Sources, Seen] = {}
        self._changes: dict[tuple[int, object], Change] = {}
        self._comparisons: dict[tuple[int, Sources], Comparison] = {}

    @property
    def is_final(self) -> bool:
        """Whether no reads are recorded."""
        return self.unrecorded is not None

    def seen(self, sources: Sources) -> Seen:
        """Return the values of sources, all of which were read in this revision."""
        found = self._seen.get(sources)
        if found is None:
            values = tuple(map(self.values.__getitem__, sources.each))
            found = self._seen[sources] = Seen(self.number, sources, values)
        return found

    def adopt(self, seen: Seen) -> Seen:
        """Return the values of sources that have not changed since another revision, as those of this one."""
        seen.number = self.number
        return self._seen.setdefault(seen.sources, seen)

    def change(self, source: object, number: int, previous: object) -> Change:
        """Return how the value of a source differs from its value in the revision of this number."""
        key = (number, source)
        if key not in self._changes:
            self._changes[key] = change_between(previous, self.values[source])
        return self._changes[key]

    def comparison(self, seen: Seen) -> Comparison:
        """Return the comparison of the values of sources with their values here."""
        key = (seen.number, seen.sources)
        found = self._comparisons.get(key)
        if found is None:
            found = self._comparisons[key] = Comparison(seen if seen.number == self.number else None)
        return found

    def changed(self, inputs: Mapping[Input[Any], Any]) -> Revision:
        """Return the next revision, in which some inputs have other values. It shares `cells` with this one."""
        age = self.age + 1
        if age % _REVISIONS_WITHOUT_READER == 0:
            for source, cell in tuple(self.cells.items()):
                if age - cell.age > _REVISIONS_WITHOUT_READER:
                    self.cells.pop(source, None)
        return Revision({**self.inputs, **inputs}, age, self.cells)

    def branched(self, inputs: Mapping[Input[Any], Any]) -> Revision:
        """Return a revision for a trial, beside the next one. What it computes is not shared."""
        return Revision({**self.inputs, **inputs}, self.age + 1, self.cells.copy())

    def reader(self) -> Reader:
        """Return a reader for a caller that is not a query: it records nothing."""
        return Reader(self)

    def cancel(self) -> None:
        """Stop each computation in this revision at the next query that it asks. Computed values stay."""
        self.is_cancelled = True


_NUMBERS: Final = count()
_NUMBER: Final[Input[int]] = Input("number")
"""The number of the revision, which is unique."""
_ALL: Final = Sources((_NUMBER,))

_REVISIONS_WITHOUT_READER: Final = 100
"""After so many revisions without a reader, twice as many at most, a value is dropped: what it read may be large."""


class Reader(Struct, eq=False):
    """Reads in one revision for one query and records the reads. `above` is the reader of the query that asked it."""

    revision: Revision
    reads: Reads | None = None
    query: _Asked[Any] | None = None
    owner: object = None
    arguments: tuple[object, ...] = ()
    above: Reader | None = None

    def value_of(self, source: Any) -> Any:
        """Return the value of an input or a query without recording the read."""
        value = self.revision.values.get(source, MISSING)
        if value is MISSING:
            value = self.computed(source)
        return value

    def computed(self, source: Any) -> Any:
        """Return the value of a query that the revision does not have yet."""
        if type(source) is tuple:
            return source[0].computed(self, source, source[1:])
        return source.computed(self, source, ())


class Comparison:
    """How the values of some sources in a revision differ from previous ones, for all owners whose cells read them.

    The sources are asked in the order of reading, and no further than the first change in what the cell read: after a
    change, a query might not read the next source. `asked` counts the sources that were asked, and `changed` lists
    those that have changed: index, change and value. Once all are asked, `now` has their values. Two threads may ask at
    once: each writes down a change before it counts its source, and `now` last, so a change may be listed twice.
    """

    __slots__ = ("asked", "changed", "is_same", "now")

    def __init__(self, now: Seen | None = None) -> None:
        self.now = now
        self.asked = 0
        self.is_same = True
        self.changed: list[tuple[int, Change, Any]] = []

    def is_unchanged(self, seen: Seen, reader: Reader) -> bool:
        """Return whether the values of all sources are the objects that were seen."""
        if self.now is None and not self.changed:
            self.ask(seen, reader)
        if self.now is None or not self.is_same:
            return False
        reader.revision.adopt(seen)
        return True

    def stale(self, cells: Iterable[Cell], seen: Seen, reader: Reader) -> set[Cell]:
        """Return the cells that must be computed again. The others are valid, and are moved on to this revision."""
        valid, found = set(cells), set[Cell]()
        compared = 0
        while valid:
            now, changed = self.now, self.changed[compared:]  # in this order; see `Comparison`
            for at, change, value in changed:
                previous = seen.values[at]
                affected = {cell for cell in valid if _has_changed(cell.names[at], change, previous, value)}
                if affected:
                    found |= affected
                    valid -= affected
            if now is not None:
                for cell in valid:
                    cell.seen = now
                break
            compared += len(changed)
            if not self.ask(seen, reader):
                return found | valid
        return found

    def ask(self, seen: Seen, reader: Reader) -> bool:
        """Ask the next sources, until one has changed or all are asked. Return False if one of them fails.

        It may be a query that is no longer needed; if it is, it fails again.
        """
        sources, revision = seen.sources.each, reader.revision
        while (at := self.asked) < len(sources):
            source, previous = sources[at], seen.values[at]
            try:
                value = reader.value_of(source)
            except Cancelled:
                raise
            except Exception:
                return False
            change = None
            if value is not previous:
                self.is_same = False
                change = revision.change(source, seen.number, previous)
                if change is not None:
                    self.changed.append((at, change, value))
            self.asked = at + 1
            if change is not None:
                return True
        self.now = revision.adopt(seen) if self.is_same else revision.seen(seen.sources)
        return True


class Cell(Struct, eq=False):
    """The value of a query and what it read, as of the last revision in which it was verified, which has this `age`."""

    value: Any
    names: Names
    seen: Seen
    age: int
    arguments: tuple[object, ...]

    def is_valid(self, reader: Reader) -> bool:
        """Return whether the value is valid in the reader's revision; if not, it must be computed again."""
        revision, seen = reader.revision, self.seen
        values, is_same = revision.values, True
        for at, source in enumerate(seen.sources.each):
            value = values.get(source, MISSING)
            if value is MISSING:
                try:
                    value = reader.computed(source)
                except Cancelled:
                    raise
                except Exception:  # from a query that may no longer be needed; if it is, it fails again
                    return False
            previous = seen.values[at]
            if value is not previous:
                is_same = False
                change = revision.change(source, seen.number, previous)
                if change is not None and _has_changed(self.names[at], change, previous, value):
                    return False
        self.seen = revision.adopt(seen) if is_same else revision.seen(seen.sources)
        return True

    def is_valid_with_others(self, reader: Reader) -> bool:
        """Return what `is_valid` does, for one of many owners whose cells were computed from the same values."""
        seen = self.seen  # read once: another thread may verify the cell for another revision
        comparison = reader.revision.comparison(seen)
        now = comparison.now  # read first; see `Comparison`
        if now is not None and not comparison.changed:
            self.seen = now
            return True
        return not comparison.stale((self,), seen, reader)


def _has_changed(names: frozenset[Any] | Unmerged | None, change: Change, previous: Any, value: Any) -> bool:
    """Return whether one of these entries has changed; with no names, whether anything has."""
    if names is None:
        return True
    if change is UNKNOWN:
        return any(previous.get(name) != value.get(name) for name in names)
    return not names.isdisjoint(change)


class _Asked(Generic[Value_co]):
    """The common base of queries with and without an owner."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[..., Value_co]) -> None:
        self.function = function

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    def _run(self, cached: Cell | None, reader: Reader, owner: object, arguments: tuple[object, ...]) -> Cell:
        """Return a new cell for the reader's revision. A value equal to the cached one stays that object."""
        revision = reader.revision
        if revision.is_cancelled:
            raise Cancelled
        above: Reader | None = reader
        while above is not None:
            if above.query is self and above.owner is owner and above.arguments == arguments:
                raise CycleError(_names_between(above, reader, self.name))
            above = above.above
        unrecorded, reads = revision.unrecorded, Reads()
        below = Reader(revision, reads if unrecorded is None else None, self, owner, arguments, reader)
        value: Any = self.function(below, *arguments) if owner is None else self.function(below, owner, *arguments)
        below.reads = None  # reads after the function has returned are not part of this value
        if cached is not None and cached.value == value:
            value = cached.value
        if unrecorded is not None:
            return Cell(value, _WHOLE, unrecorded, revision.age, arguments)
        sources, names = reads.recorded(is_owned=owner is not None)
        return Cell(value, names, revision.seen(sources), revision.age, arguments)


_WHOLE: Final[Names] = (None,)


def _names_between(first: Reader, last: Reader, repeated: str) -> tuple[str, ...]:
    names = [repeated]
    each: Reader | None = last
    while each is not None and each.query is not None:
        names.append(each.query.name)
        each = None if each is first else each.above
    return tuple(reversed(names))


class Query(_Asked[Value_co], Generic[Arguments, Value_co]):
    """A query that has one value per revision, or one per key."""

    __slots__ = ()

    def __init__(self, function: Callable[Concatenate[Reader, Arguments], Value_co]) -> None:
        super().__init__(function)

    def __call__(self, reader: Reader, *key: Arguments.args, **_: Arguments.kwargs) -> Value_co:
        """Return the value in the reader's revision. Raises Cancelled and CycleError."""
        source = (self, *key) if key else self
        value: Any = reader.revision.values.get(source, MISSING)
        if value is MISSING:
            value = self.computed(reader, source, key)
        if reader.reads is not None:
            reader.reads[source] = None
        found: Value_co = value
        return found

    def entry(self: Query[..., Entries[Name, Entry]], reader: Reader, name: Name, *key: object) -> Entry | None:
        """Return one entry of a mapping, or None. Changes of other entries do not affect the reading query."""
        source = (self, *key) if key else self
        value: Any = reader.revision.values.get(source, MISSING)  # inlined: this is the most frequent read
        if value is MISSING:
            value = self.computed(reader, source, key)
        if reader.reads is not None:
            reader.reads.add_entry(source, name)
        found: Entry | None = value.get(name)
        return found

    def has_all(self: Query[[], Container[Name]], reader: Reader, names: frozenset[Name]) -> bool:
        """Return whether a mapping has entries with all these names, and record these entries as read."""
        value: Any = reader.value_of(self)
        if reader.reads is not None:
            reader.reads.add_entries(self, names)
        return all([name in value for name in names])  # noqa: C419 - quicker for a few

    def computed(self, reader: Reader, source: object, key: tuple[object, ...]) -> Value_co:
        """Return the value in a revision that does not have it yet."""
        revision = reader.revision
        cell: Cell | None = revision.cells.get(source)
        # In short: another cell that has seen the same was valid.
        if cell is not None and (cell.seen.number == revision.number or cell.is_valid(reader)):
            cell.age = revision.age
        else:
            cell = revision.cells[source] = self._run(cell, reader, None, key)
        found: Value_co = revision.values.setdefault(source, cell.value)
        return found


class OwnedQuery(_Asked[Value_co], Generic[OwnerT, Arguments, Value_co]):
    """A query about an owner. It caches the value for the last arguments only."""

    __slots__ = ()

    def __init__(self, function: Callable[Concatenate[Reader, OwnerT, Arguments], Value_co]) -> None:
        super().__init__(function)

    def __call__(self, reader: Reader, owner: OwnerT, *arguments: Arguments.args, **_: Arguments.kwargs) -> Value_co:
        """Return the value in the reader's revision. Raises Cancelled and CycleError."""
        cell: Cell | None = owner.cells.get(self)
        if cell is None or cell.arguments != arguments or not cell.is_valid_with_others(reader):
            cell = owner.cells[self] = self._run(cell, reader, owner, arguments)
        if reader.reads is not None:
            reader.reads.group(cell.seen.sources).append(cell.names)
        found: Value_co = cell.value
        return found

    def each(self: OwnedQuery[OwnerT, [], Value_co], reader: Reader, owners: Sequence[OwnerT]) -> list[Value_co]:
        """Return the values for several owners, faster than one call for each: most cells read the same sources."""
        cells: list[Any] = [owner.cells.get(self) for owner in owners]
        present = list(filter(None, cells))
        seens = list(map(_SEEN, present))  # read once: another thread may verify a cell for another revision
        stale: set[Any] = set()
        for seen in set(seens):
            comparison = reader.revision.comparison(seen)
            if not comparison.is_unchanged(seen, reader):
                same = [cell for cell, each in zip(present, seens, strict=True) if each is seen]
                stale |= comparison.stale(same, seen, reader)
        valid: list[Any] = [None if cell in stale else cell for cell in cells] if stale else cells.copy()
        for at in compress(count(), map(not_, tuple(valid))):
            valid[at] = owners[at].cells[self] = self._run(cells[at], reader, owners[at], ())
        if reader.reads is not None:
            found = dict.fromkeys(map(_SOURCES, valid))  # in the order of reading
            for sources in found:
                same = valid if len(found) == 1 else [cell for cell in valid if cell.seen.sources is sources]
                reader.reads.group(sources).extend(map(_NAMES, same))
        return list(map(_VALUE, valid))


_SEEN, _SOURCES, _NAMES, _VALUE = map(attrgetter, ("seen", "seen.sources", "names", "value"))
