"""Results that are kept with what they are about, and go with it.

There is no table of them: each value that others work something out from carries a `memory` of its own. A function that
is `remembered` keeps its last result there, with the other arguments that it read. The result stands as long as these
are equal; when the owner is dropped, because its text was edited or its document closed, so are its results.

No result may lead back to its owner. The values are many, and `gc=False` has the collector of garbage pass over them: a
circle through one of them would stay for ever.
"""

from __future__ import annotations

from functools import cached_property, update_wrapper
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable

Memory = dict[object, Any]
"""What was worked out about a value, by function: the result, and in front of it the arguments beside the value."""

_NOTHING: Final = object()


class Owner(Protocol):
    """A value that carries results about itself."""

    @property
    def memory(self) -> Memory:
        """The results, which say nothing about the value that it does not say itself."""


OwnerT = TypeVar("OwnerT", bound=Owner)
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def remembered(
    function: Callable[Concatenate[OwnerT, Arguments], Result],
) -> Callable[Concatenate[OwnerT, Arguments], Result]:
    """Have a function's last result kept by its first argument; it must depend on its arguments alone.

    They are given by their places."""

    def remember_alone(owner: OwnerT, /) -> Result:  # as most are: they are asked tens of times for each resource
        memory = owner.memory
        kept: Result = memory.get(function, _NOTHING)
        if kept is _NOTHING:
            kept = memory[function] = function(owner)  # type: ignore[call-arg]
        return kept

    def remember(owner: OwnerT, /, *arguments: Any) -> Result:  # a dict of keywords would cost a third of a call
        memory = owner.memory
        kept: tuple[tuple[object, ...], Result] | None = memory.get(function)
        if kept is not None and kept[0] == arguments:
            return kept[1]
        result = function(owner, *arguments)  # type: ignore[call-arg]
        memory[function] = (arguments, result)
        return result

    is_alone = function.__code__.co_argcount == 1
    found = update_wrapper(remember_alone if is_alone else remember, function)
    return cast("Callable[Concatenate[OwnerT, Arguments], Result]", found)


class kept_property(cached_property[Result]):  # noqa: N801 - used as `cached_property` is
    """`functools.cached_property` without the lock that Python 3.11 has, which is one for the property of all values.

    A thread that works on one value would have the event loop wait that asks for another one's.
    """

    def __get__(self, instance: object, owner: type[Any] | None = None) -> Any:
        """Return the value, which is kept where a plain attribute would be: the next time nobody asks here.

        Where two threads work it out at once, both get the value that was there first: parts of it are told apart by
        identity.
        """
        if instance is None:
            return self
        value = self.func(instance)
        return instance.__dict__.setdefault(self.attrname or self.func.__name__, value)
