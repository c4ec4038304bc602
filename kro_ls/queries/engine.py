"""Queries: functions whose values are kept with what they read, and reused while that is unchanged.

A `Revision` is one state of some inputs; an edit gives another one. A query is a function of a `Reader`, by which it
reads inputs and other queries, or single entries of mappings. What it reads is recorded, and its value stands in each
revision in which it would read equal values. There are two kinds:

- A `Query` has one value for the whole, or for each key, which is small and hashable. Who reads it compares its value,
  so an edit that leaves a mapping equal stops there (early cutoff), and a query that read one entry of it does not
  notice that another one changed. The values belong to the revisions that follow one another, and go when nobody has
  asked for them in a while.
- An `OwnedQuery` is about one of many owners, such as a line of a text. Its value is stored in the `cells` of the owner
  and goes with it. Who reads it is recorded as having read what it read: to verify a value, no owner is looked at.

Any thread may ask, in any revision. Where two compute the same at once, the value that came first counts.

The idea is that of salsa (https://salsa-rs.github.io/salsa/reference/algorithm.html), but reads are verified by value
and not by the number of a revision. So revisions may branch: a trial edit leaves the one that it starts from alone.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, Concatenate, Final, Generic, ParamSpec, Protocol, TypeVar

from kro_ls.queries.cells import Owner
from kro_ls.queries.reads import MISSING, UNKNOWN, Reads, Seen, Sources, change_between

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping

    from kro_ls.queries.reads import Change, Names

Value = TypeVar("Value")
Value_co = TypeVar("Value_co", covariant=True)
OwnerT = TypeVar("OwnerT", bound=Owner)
Name = TypeVar("Name")
Entry = TypeVar("Entry")
Name_contra = TypeVar("Name_contra", contravariant=True)
Entry_co = TypeVar("Entry_co", covariant=True)
Arguments = ParamSpec("Arguments")


class Entries(Protocol[Name_contra, Entry_co]):
    """What queries can read single entries of, such as a mapping."""

    def get(self, name: Name_contra, /) -> Entry_co | None:
        """Return an entry, None where there is none."""


class Cancelled(Exception):  # noqa: N818 - it is no error: nobody wants the answer any more
    """The revision was cancelled while something was being computed."""


class CycleError(Exception):
    """A query asked for its own value. `queries` are their names, from the first to the repeated one."""

    def __init__(self, queries: tuple[str, ...]) -> None:
        super().__init__(" asks ".join(queries))
        self.queries = queries


class Input(Generic[Value]):
    """A value that comes from outside. Reading it gives the value that the revision was made with."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, reader: Reader) -> Value:
        """Return the value. Raises KeyError where the revision has none."""
        value: Value = reader.revision.values[self]
        if reader.reads is not None:
            reader.reads.add_whole(self)
        return value


class Revision:
    """One state of the inputs, and what has been computed in it.

    `values` holds the inputs and the values of queries, by query or by query and key. `cells` say what these read; the
    revisions that follow one another share them. A final revision, which is rarely followed by another, records no
    reads: a later revision computes everything again.
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
        """The reads of every cell of a final revision, instead of recorded ones; None in other revisions."""
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
        """Return the values of sources that were all read in this revision."""
        found = self._seen.get(sources)
        if found is None:
            values = self.values
            found = self._seen[sources] = Seen(self.number, sources, tuple([values[each] for each in sources.each]))
        return found

    def change(self, source: object, number: int, old: object) -> Change:
        """Return how the value of a source differs from the old one, which it had in the revision of this number."""
        key = (number, source)
        if key not in self._changes:
            self._changes[key] = change_between(old, self.values[source])
        return self._changes[key]

    def comparison(self, seen: Seen) -> Comparison:
        """Return how what the sources have here differs from what they had."""
        key = (seen.number, seen.sources)
        found = self._comparisons.get(key)
        if found is None:
            found = self._comparisons[key] = Comparison(seen if seen.number == self.number else None)
        return found

    def changed(self, inputs: Mapping[Input[Any], Any]) -> Revision:
        """Return the next revision, in which some inputs have other values. What this one still computes is of use."""
        age = self.age + 1
        for source, cell in tuple(self.cells.items()):
            if age - cell.age > _KEPT_REVISIONS:
                self.cells.pop(source, None)
        return Revision({**self.inputs, **inputs}, age, self.cells)

    def branched(self, inputs: Mapping[Input[Any], Any]) -> Revision:
        """Return a revision beside the next one, such as a trial. What it computes is of no use to the next one."""
        return Revision({**self.inputs, **inputs}, self.age + 1, self.cells.copy())

    def reader(self) -> Reader:
        """Return a reader for a caller that is no query: nothing is recorded."""
        return Reader(self)

    def cancel(self) -> None:
        """Have each computation in this revision end at the next query that it asks. What is computed stays."""
        self.is_cancelled = True


_NUMBERS: Final = count()
_NUMBER: Final[Input[int]] = Input("number")
"""The number of the revision, which differs in each."""
_ALL: Final = Sources((_NUMBER,))

_KEPT_REVISIONS: Final = 100
"""So many revisions later, a value that nobody asked for is forgotten: what it read may be large."""


class Reader:
    """Reads in one revision for one query, and records it. `above` reads for the query that asked for this one."""

    __slots__ = ("above", "arguments", "owner", "query", "reads", "revision")

    def __init__(
        self,
        revision: Revision,
        reads: Reads | None = None,
        query: _Asked[Any] | None = None,
        owner: object = None,
        arguments: tuple[object, ...] = (),
        above: Reader | None = None,
    ) -> None:
        self.revision = revision
        self.reads = reads
        self.query = query
        self.owner = owner
        self.arguments = arguments
        self.above = above

    def value_of(self, source: Any) -> Any:
        """Return the value of an input or a query, without recording that it was read."""
        value = self.revision.values.get(source, MISSING)
        if value is MISSING:
            query, *key = source if isinstance(source, tuple) else (source,)
            value = query.computed(self, source, tuple(key))
        return value


class Comparison:
    """How what some sources have in a revision differs from what they had in an earlier one, for all that read them.

    They are asked one after the other, and only as far as somebody's reads have not changed: what comes after a change
    might not be read any more. `asked` is how many were, and `changed` has the places of those that have changed. When
    all were asked, `now` is what they have. Where two threads ask at once, a change may be there twice.
    """

    __slots__ = ("asked", "changed", "now")

    def __init__(self, now: Seen | None) -> None:
        self.now = now
        self.asked = 0
        self.changed: list[tuple[int, Change]] = []

    def ask(self, seen: Seen, reader: Reader) -> None:
        """Ask one more source whether it has changed."""
        at, sources = self.asked, seen.sources
        if at == len(sources.each):
            self.now = reader.revision.seen(sources)
            return
        reader.value_of(sources.each[at])
        change = reader.revision.change(sources.each[at], seen.number, seen.values[at])
        if change is not None:
            self.changed.append((at, change))
        self.asked = at + 1


class Cell:
    """The value of a query and what it read, in the last revision in which it was known to stand; `age` is of that."""

    __slots__ = ("age", "arguments", "names", "seen", "value")

    def __init__(self, value: Any, names: Names, seen: Seen, age: int, arguments: tuple[object, ...]) -> None:
        self.value = value
        self.names = names
        self.seen = seen
        self.age = age
        self.arguments = arguments

    def stands_by(self, comparison: Comparison, revision: Revision) -> bool | None:
        """Whether the value stands in a revision, as far as the comparison got: None if it has to ask more sources."""
        if comparison.changed and self._differs(comparison.changed, revision):
            return False
        if comparison.now is None:
            return None
        self.seen, self.age = comparison.now, revision.age
        return True

    def stands(self, reader: Reader) -> bool:
        """Whether the value stands in the reader's revision. If not, it has to be computed again."""
        seen, revision = self.seen, reader.revision
        comparison = revision.comparison(seen)
        while (found := self.stands_by(comparison, revision)) is None:
            try:
                comparison.ask(seen, reader)
            except (Cancelled, CycleError):
                raise
            except Exception:  # of a query that may not be asked any more; if it is, this is raised again
                return False
        return found

    def _differs(self, changed: list[tuple[int, Change]], revision: Revision) -> bool:
        """Whether what was read is among what has changed."""
        for at, change in changed:
            names = self.names[at]
            if names is None:
                return True
            if change is UNKNOWN:
                old, new = self.seen.values[at], revision.values[self.seen.sources.each[at]]
                if any(old.get(name) != new.get(name) for name in names):
                    return True
            elif not names.isdisjoint(change):
                return True
        return False


class _Asked(Generic[Value_co]):
    """What queries with and without an owner share."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[..., Value_co]) -> None:
        self.function = function

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    def _cell(
        self, known: Cell | None, reader: Reader, owner: object, arguments: tuple[object, ...], stands: bool | None
    ) -> Cell:
        """Return the value in the reader's revision with what it read: the known one where that `stands`."""
        revision = reader.revision
        if revision.is_cancelled:
            raise Cancelled
        self._refuse_cycle(reader, owner, arguments)
        below = Reader(revision, None, self, owner, arguments, reader)
        if stands is None and known is not None and known.stands(below):
            return known
        unrecorded, reads = revision.unrecorded, Reads()
        below.reads = reads if unrecorded is None else None
        value: Any = self.function(below, *arguments) if owner is None else self.function(below, owner, *arguments)
        below.reads = None  # what somebody reads later with it has no part in this value
        if known is not None and known.value == value:
            value = known.value
        if unrecorded is not None:
            return Cell(value, _WHOLE, unrecorded, revision.age, arguments)
        sources, names = reads.recorded()
        return Cell(value, names, revision.seen(sources), revision.age, arguments)

    def _refuse_cycle(self, reader: Reader, owner: object, arguments: tuple[object, ...]) -> None:
        each: Reader | None = reader
        while each is not None and each.query is not None:
            if each.query is self and each.owner is owner and each.arguments == arguments:
                raise CycleError(_names_between(each, reader, self.name))
            each = each.above


_WHOLE: Final[Names] = (None,)


def _names_between(first: Reader, last: Reader, repeated: str) -> tuple[str, ...]:
    names = [repeated]
    each: Reader | None = last
    while each is not None and each.query is not None:
        names.append(each.query.name)
        each = None if each is first else each.above
    return tuple(reversed(names))


class Query(_Asked[Value_co], Generic[Arguments, Value_co]):
    """A query that has one value for the whole, or for each key."""

    __slots__ = ()

    def __init__(self, function: Callable[Concatenate[Reader, Arguments], Value_co]) -> None:
        super().__init__(function)

    def __call__(self, reader: Reader, *key: Arguments.args, **_: Arguments.kwargs) -> Value_co:
        """Return the value in the reader's revision. Raises Cancelled and CycleError."""
        source = (self, *key) if key else self
        value: Any = reader.revision.values.get(source, MISSING)
        if value is MISSING:
            value = reader.value_of(source)
        if reader.reads is not None:
            reader.reads.add_whole(source)
        found: Value_co = value
        return found

    def entry(self: Query[..., Entries[Name, Entry]], reader: Reader, name: Name, *key: object) -> Entry | None:
        """Return one entry of a mapping, None where it has none: that the others change will not be noticed."""
        source = (self, *key) if key else self
        value: Any = reader.revision.values.get(source, MISSING)  # in place of a call: this is asked most
        if value is MISSING:
            value = reader.value_of(source)
        if reader.reads is not None:
            reader.reads.add_entry(source, name)
        found: Entry | None = value.get(name)
        return found

    def has_all(self: Query[[], Container[Name]], reader: Reader, names: frozenset[Name]) -> bool:
        """Return whether a mapping has entries with all these names, and record these as read."""
        value: Any = reader.value_of(self)
        if reader.reads is not None:
            reader.reads.add_entries(self, names)
        return all([name in value for name in names])  # noqa: C419 - quicker for a few

    def computed(self, reader: Reader, source: object, key: tuple[object, ...]) -> Value_co:
        """Return the value in a revision that has none yet."""
        revision = reader.revision
        cell = revision.cells[source] = self._cell(revision.cells.get(source), reader, None, key, None)
        found: Value_co = revision.values.setdefault(source, cell.value)
        return found


class OwnedQuery(_Asked[Value_co], Generic[OwnerT, Arguments, Value_co]):
    """A query about an owner. For other arguments than the last ones it is computed again."""

    __slots__ = ()

    def __init__(self, function: Callable[Concatenate[Reader, OwnerT, Arguments], Value_co]) -> None:
        super().__init__(function)

    def __call__(self, reader: Reader, owner: OwnerT, *arguments: Arguments.args, **_: Arguments.kwargs) -> Value_co:
        """Return the value in the reader's revision. Raises Cancelled and CycleError."""
        revision = reader.revision
        cell: Cell | None = owner.cells.get(self)
        if cell is None or cell.seen.number != revision.number or cell.arguments != arguments:
            stands: bool | None = False
            if cell is not None and cell.arguments == arguments:
                stands = cell.stands_by(revision.comparison(cell.seen), revision)
            if cell is None or not stands:
                cell = owner.cells[self] = self._cell(cell, reader, owner, arguments, stands)
        if reader.reads is not None:
            reader.reads.group(cell.seen.sources).append(cell.names)
        found: Value_co = cell.value
        return found

    def each(self: OwnedQuery[OwnerT, [], Value_co], reader: Reader, owners: Iterable[OwnerT]) -> list[Value_co]:
        """Return the values for several owners: as one by one, but quicker."""
        revision, values = reader.revision, []
        seen = now = None
        for owner in owners:
            cell: Cell | None = owner.cells.get(self)
            stands: bool | None = False
            if cell is not None:
                known = cell.seen  # read once: another thread may verify it for another revision
                if known is not seen:
                    seen, comparison = known, revision.comparison(known)
                stands = cell.stands_by(comparison, revision)
            if cell is None or not stands:
                cell = owner.cells[self] = self._cell(cell, reader, owner, (), stands)
            values.append(cell.value)
            if reader.reads is not None:
                if cell.seen is not now:
                    now, group = cell.seen, reader.reads.group(cell.seen.sources)
                group.append(cell.names)
        return values
