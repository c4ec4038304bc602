"""Results that are cached by owner, or by content, and are freed with it.

By owner: an object that results are computed from has a dictionary `cells`, which holds these results by the function
that computed them. A query (`kro_ls/queries/engine.py`) stores its value there, together with what it read. A `cached`
function reads nothing but its arguments, so its last result is valid while these are equal. When the owner is dropped,
because its text was edited or its document closed, its results are freed.

No result may refer to its owner. There are many owners, and `gc=False` makes the garbage collector skip them, so a
reference cycle through one of them would never be freed.

By content: `Interned` gives the same object for the same key while that object is alive. Equal texts and schemas then
share one result, and to compare two results is to compare identities. An entry is freed with its value, so a table is
no larger than what is open. Most sets are empty or equal to another one, and Python allocates 216 bytes for each empty
`frozenset`, which was a third of the memory of a small definition; `set_of` and `union` share them.
"""

from __future__ import annotations

from functools import cached_property, update_wrapper
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, Protocol, TypeVar, cast
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable


Cells = dict[object, Any]
"""The results about an object, by the function or query that computed them."""

_NOTHING: Final = object()
_EMPTY: Final[frozenset[Any]] = frozenset()


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

    def __get__(self, instance: object, owner: type[Any] | None = None) -> Any:
        """Return the value and store it as a plain attribute, so that later reads do not call this.

        If two threads compute it at once, both get the value that was stored first, because parts of it are compared
        by identity.
        """
        if instance is None:
            return self
        value = self.func(instance)
        return instance.__dict__.setdefault(self.attrname or self.func.__name__, value)


_TABLES: Final[list[Interned[object, object]]] = []


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
