"""What a query read: inputs and other queries, as a whole or single entries of them, with the values it saw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

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
    for source, (value, names) in others.items():
        seen = reads.get(source)
        if seen is None:
            reads[source] = (value, names and names.copy())
        elif names is None:
            reads[source] = (value, None)
        elif seen[1] is not None:
            seen[1].update(names)


def still_seen(reads: Reads, value_of: Callable[[object], Any]) -> Reads | None:
    """Return what a query would read now, None where it would see something else.

    Sources are asked in their order, so none is asked that would not be read any more.
    """
    moved: Reads | None = None
    for source, (seen, names) in reads.items():
        value = value_of(source)
        if value is seen:
            continue
        if not (value == seen if names is None else _has_equal_entries(value, seen, names)):
            return None
        if moved is None:
            moved = dict(reads)
        moved[source] = (value, names)
    return moved if moved is not None else reads


def _has_equal_entries(value: Any, seen: Any, names: set[Any]) -> bool:
    for name in names:
        one, other = value.get(name, MISSING), seen.get(name, MISSING)
        if one is not other and one != other:
            return False
    return True
