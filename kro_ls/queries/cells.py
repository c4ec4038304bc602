"""Results that are stored in what they are about, and are freed with it.

Each value that others compute something from has a dictionary `cells`: the results about it, by the function that
computed them. Queries (`kro_ls/queries/engine.py`) store their values there, with what they read; a `cached` function
reads nothing but its arguments, so its last result stands as long as these are equal. When the owner is dropped,
because its text was edited or its document closed, its results are freed.

No result may lead back to its owner. The values are many, and `gc=False` makes the garbage collector skip them: a
reference cycle through one of them would never be freed.
"""

from __future__ import annotations

from functools import cached_property, update_wrapper
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable

Cells = dict[object, Any]
"""What was computed about a value, by function or query."""

_NOTHING: Final = object()


class Owner(Protocol):
    """A value that carries results about itself."""

    @property
    def cells(self) -> Cells:
        """The results. They are no part of the value: equal owners may have different ones."""


OwnerT = TypeVar("OwnerT", bound=Owner)
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def cached(
    function: Callable[Concatenate[OwnerT, Arguments], Result],
) -> Callable[Concatenate[OwnerT, Arguments], Result]:
    """Store a function's last result in its first argument. It must depend on its arguments alone.

    The cached function takes positional arguments only.
    """

    def with_owner_alone(owner: OwnerT, /) -> Result:  # the usual form, called tens of times for each resource
        cells = owner.cells
        result: Result = cells.get(function, _NOTHING)
        if result is _NOTHING:
            result = cells[function] = function(owner)  # type: ignore[call-arg]
        return result

    def with_arguments(owner: OwnerT, /, *arguments: Any) -> Result:  # keywords would cost a third of a call
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

    With that lock, the event loop would wait for a thread that computes the property of another instance.
    """

    def __get__(self, instance: object, owner: type[Any] | None = None) -> Any:
        """Return the value and store it as a plain attribute, which later reads find without calling this.

        Where two threads compute it at once, both get the value that was stored first: parts of it are compared by
        identity.
        """
        if instance is None:
            return self
        value = self.func(instance)
        return instance.__dict__.setdefault(self.attrname or self.func.__name__, value)
