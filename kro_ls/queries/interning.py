"""Values interned by content: the same object for the same key as long as it is alive.

Equal texts and schemas then share one result, and comparing two results is a comparison of identity. An entry is freed
with its value, so a table is as large as what is open.

Most sets are empty or equal to another one. Python allocates 216 bytes for each empty `frozenset`, which was a third of
the memory of a small definition; `set_of` and `union` share them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable


Key = TypeVar("Key")
Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")

_TABLES: Final[list[Interned[object, object]]] = []


class Interned(WeakValueDictionary[Key, Value]):
    """A table of values that are alive. Made once for each kind of value, in the module that computes them."""

    def __init__(self) -> None:
        super().__init__()
        _TABLES.append(self)  # type: ignore[arg-type]

    def value(
        self, key: Key, compute: Callable[Arguments, Value], *arguments: Arguments.args, **options: Arguments.kwargs
    ) -> Value:
        """Return the value of a key, computed if none is alive. It must depend on the key alone."""
        found = self.get(key)
        if found is None:
            found = self[key] = compute(*arguments, **options)
        return found


def tables() -> tuple[Interned[object, object], ...]:
    """Return all tables, for tests that compare with values that nobody holds."""
    return tuple(_TABLES)


Item = TypeVar("Item", bound="Hashable")

_EMPTY: frozenset[Any] = frozenset()


def set_of(items: Iterable[Item]) -> frozenset[Item]:
    """Return the set of some items; all that are empty are the same object."""
    return frozenset(items) or _EMPTY


def union(sets: Iterable[frozenset[Item]]) -> frozenset[Item]:
    """Return what is in any of some sets: one of these if only one has anything."""
    filled = {each for each in sets if each}  # of which many are the same; a frozenset keeps its hash
    if len(filled) <= 1:
        return filled.pop() if filled else _EMPTY
    return filled.pop().union(*filled)
