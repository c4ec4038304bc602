"""What a query read: inputs and other queries, as a whole or single entries of them, with the values it saw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Seen: TypeAlias = "tuple[Any, set[Any] | None]"
"""A value, and the names of the entries that were read of it; None where all of it was read."""

Reads: TypeAlias = "dict[object, Seen]"
"""By input or query, in the order in which they were read."""

MISSING: Final = object()


def add_whole(reads: Reads, source: object, value: object) -> None:
    """Record that a query read all of a value."""
    reads[source] = (value, None)


def add_entry(reads: Reads, source: object, value: object, name: object) -> None:
    """Record that a query read one entry of a value, which is the same for all that it reads of this source."""
    seen = reads.get(source)
    if seen is None:
        reads[source] = (value, {name})
    elif seen[1] is not None:
        seen[1].add(name)


def add_all(reads: Reads, others: Reads) -> None:
    """Record that a query read what another one read."""
    for source, other in others.items():
        seen = reads.get(source)
        if seen is None:
            reads[source] = other if other[1] is None else (other[0], other[1].copy())
        elif seen[1] is not None:
            if other[1] is None:
                reads[source] = other
            elif not other[1] <= seen[1]:  # most are, and to ask is quicker than to add
                seen[1].update(other[1])


class Changes:
    """Which entries of two versions of a dictionary differ, found once for all that read some of them."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, int], tuple[object, object, frozenset[Any]]] = {}

    def between(self, one: dict[Any, Any], other: dict[Any, Any]) -> frozenset[Any]:
        """Return the names of the entries that only one has, or that are unequal."""
        key = (id(one), id(other))
        found = self._found.get(key)
        if found is None:
            # With the two of them, so that no others get their identities.
            found = self._found[key] = (one, other, _changed(one, other))
        return found[2]


def _changed(one: dict[Any, Any], other: dict[Any, Any]) -> frozenset[Any]:
    unequal = [name for name, value in one.items() if other.get(name, MISSING) is not value]
    names = [name for name in unequal if name not in other or other[name] != one[name]]
    return frozenset([*names, *(other.keys() - one.keys())])


def still_seen(
    reads: Reads, values: Mapping[object, Any], changes: Changes, value_of: Callable[[object], Any]
) -> Reads | None:
    """Return what a query would read now, None where it would see something else.

    `values` and `changes` are those of the revision. For other sources `value_of` is asked, in their order, so none is
    asked that would not be read any more.
    """
    moved: Reads | None = None
    for source, (seen, names) in reads.items():
        value = values.get(source, MISSING)
        if value is MISSING:
            value = value_of(source)
        if value is seen:
            continue
        if not (value == seen if names is None else _has_equal_entries(value, seen, names, changes)):
            return None
        if moved is None:
            moved = dict(reads)
        moved[source] = (value, names)
    return moved if moved is not None else reads


def _has_equal_entries(value: Any, seen: Any, names: set[Any], changes: Changes) -> bool:
    if isinstance(value, dict) and isinstance(seen, dict):
        return changes.between(value, seen).isdisjoint(names)
    for name in names:
        one, other = value.get(name), seen.get(name)
        if one is not other and one != other:
            return False
    return True
