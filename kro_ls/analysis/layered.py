"""A dictionary of thousands of names of which an edit changes a few."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection

Value = TypeVar("Value")

_MOST_CHANGES = 256


class LayeredDict(Generic[Value]):
    """Values by name, none of them None. What changed lies beside a plain dictionary that many versions share.

    What is added to one is not seen in others that were made from it.
    """

    __slots__ = ("_changed", "_count", "_gone", "_shared")

    def __init__(self, shared: dict[str, Value]) -> None:
        self._shared = shared
        self._changed: dict[str, Value] = {}
        self._gone: set[str] = set()
        """Names of `shared` that do not count; they may be among the changed ones."""
        self._count = len(shared)

    def without(self, names: Collection[str]) -> LayeredDict[Value]:
        """Return another one that lacks these names, each of which is given once."""
        if len(self._changed) + len(self._gone) > _MOST_CHANGES:
            found = LayeredDict(self._plain())
        else:
            found = LayeredDict(self._shared)
            found._changed, found._gone = self._changed.copy(), self._gone.copy()
        for name in names:
            found._changed.pop(name, None)
            if name in found._shared:
                found._gone.add(name)
        found._count = self._count - sum(name in self for name in names)
        return found

    def _plain(self) -> dict[str, Value]:
        plain = self._shared.copy()
        for name in self._gone:
            del plain[name]
        plain.update(self._changed)
        return plain

    def get(self, name: str) -> Value | None:
        """Return the value of a name, None where there is none."""
        found = self._changed.get(name)
        return self._shared.get(name) if found is None and name not in self._gone else found

    def __setitem__(self, name: str, value: Value) -> None:
        self._count += name not in self
        self._changed[name] = value

    def __contains__(self, name: object) -> bool:
        return name in self._changed or (name in self._shared and name not in self._gone)

    def __len__(self) -> int:
        return self._count

    def lacking(self, names: frozenset[str]) -> frozenset[str]:
        """Return those of some names that have no value here."""
        found = names.difference(self._shared)
        if not self._gone.isdisjoint(names):
            found |= names & self._gone
        return found.difference(self._changed) if found else found
