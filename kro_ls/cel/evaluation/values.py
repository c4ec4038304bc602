"""The values of CEL as plain Python data, and the error of an expression that has none.

| CEL | Python |
|---|---|
| bool, int, double, string, bytes, null | bool, int, float, str, bytes, None |
| uint | `UInt` |
| list, map | list and dict, or a `ListValue` or `MapValue` that reads on demand |
| timestamp, duration | `Timestamp`, `Duration` |
| optional, type | `Optional`, `TypeValue` |
| anything else | a class with a `type_name`, a `CustomValue` if it is more than opaque |

A dict holds no bool among its keys, because Python takes true for 1: a map with such keys is a `KeyedMap`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar, Final, TypeAlias, TypeGuard

from msgspec import Struct

Value: TypeAlias = object
"""Any value of CEL. For the type checker every Python object is one; `type_name` returns the name of its type."""

EqualElements: TypeAlias = Callable[[Value, Value], bool]
"""Compares two values."""

MAX_INT: Final = 2**63 - 1
MIN_INT: Final = -(2**63)
MAX_UINT: Final = 2**64 - 1


class EvaluationError(Exception):
    """An expression has no value. `message` is the text of cel-go or of the library that gives up.

    `start` and `end` are 0-based code point offsets of the sub-expression that failed, -1 while it is not known.
    """

    def __init__(self, message: str, start: int = -1, end: int = -1) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end

    def at(self, start: int, end: int) -> None:
        """Set the place of the failure, unless it is set already."""
        if self.start < 0:
            self.start, self.end = start, end


def no_such_overload(function: str = "", *type_names: str) -> EvaluationError:
    """Return the error of a call whose arguments fit no signature; operators have no name in it."""
    detail = f": {function}({', '.join(type_names)})" if function else ""
    return EvaluationError(f"no such overload{detail}")


def succeeds(read: Callable[[str], object]) -> Callable[[str], bool]:
    """Return the test of whether a function that reads a text raises no EvaluationError."""

    def test(text: str) -> bool:
        try:
            read(text)
        except EvaluationError:
            return False
        return True

    return test


class UInt(int):
    """An unsigned 64-bit integer. Arithmetic of Python gives an int: wrap the result again."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{int(self)}u"


class Duration(Struct, frozen=True):
    """A span of time in nanoseconds, within 64 bits."""

    nanoseconds: int
    type_name: ClassVar[str] = "google.protobuf.Duration"


class Timestamp(Struct, frozen=True):
    """A point in time: nanoseconds since 1970 in UTC; `offset` is the zone it was written in, seconds east of UTC."""

    nanoseconds: int
    offset: int = 0
    type_name: ClassVar[str] = "google.protobuf.Timestamp"


class Optional(Struct, frozen=True, eq=False):
    """A value that may be absent."""

    value: Value = None
    is_present: bool = True
    type_name: ClassVar[str] = "optional_type"


NONE: Final = Optional(None, is_present=False)
"""The absent optional."""


class TypeValue(Struct, frozen=True):
    """A type as a value, by its name: what `type(x)` gives."""

    name: str
    type_name: ClassVar[str] = "type"


class _Missing:
    """The type of MISSING."""

    __slots__ = ()


MISSING: Final = _Missing()
"""The result of looking up an absent key; never a value of an expression."""


class CustomValue:
    """A value of a custom type, which decides how CEL treats it. An opaque one needs only a `type_name`."""

    __slots__ = ()
    type_name: ClassVar[str]

    def equals(self, other: Value) -> bool:
        """Return whether another value is equal. Raises EvaluationError if the two cannot be compared."""
        if self.__class__ is not other.__class__:
            raise no_such_overload()
        return self == other

    def field(self, name: Value) -> Value:  # noqa: ARG002
        """Return a field, MISSING when there is none. Raises EvaluationError when it can never be there."""
        return MISSING


class ListValue(Sequence[Value]):
    """A list that is not a Python list, such as one that converts its elements when they are read."""

    __slots__ = ()
    type_name: ClassVar[str] = "list"

    def equals(self, other: Sequence[Value], equal_elements: EqualElements) -> bool:
        """Compare with another list; `equal_elements` compares two values."""
        return len(self) == len(other) and all(map(equal_elements, self, other))

    def concatenated(self, other: Sequence[Value], equal_elements: EqualElements) -> Sequence[Value]:  # noqa: ARG002
        """Return the list of these and the other elements."""
        return [*self, *other]


class MapValue:
    """A map that is not a dict, such as one that converts its values when they are read."""

    __slots__ = ()
    type_name: ClassVar[str] = "map"

    def find(self, key: Value) -> Value:
        """Return the value of a key, MISSING when there is none."""
        raise NotImplementedError

    def keys(self) -> Iterable[Value]:
        """Return the keys in order."""
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def json(self) -> Value:
        """Return the JSON data behind the map, MISSING if there is none."""
        return MISSING


_UNHASHABLE: Final = {"bytes": "types.Bytes", "kubernetes.Semver": "cel.Semver"}
"""Types whose values cannot be keys, because Go cannot hash them, with the names that Go has for them."""


def identity_of(key: Value) -> tuple[str, Value]:
    """Return what distinguishes a key of a map: the value of texts and numbers, the identity of others, as in cel-go.

    Raises EvaluationError for a key that Go cannot hash.
    """
    if isinstance(key, (str, int, float)):
        return ("bool" if key.__class__ is bool else "", key)
    name = _UNHASHABLE.get(type_name(key))
    if name is not None:
        raise EvaluationError(f"internal error: runtime error: hash of unhashable type {name}")
    return ("identity", id(key))


class KeyedMap(MapValue):
    """A map whose keys may be of any kind; it distinguishes bools from numbers."""

    __slots__ = ("_entries",)

    def __init__(self, entries: Iterable[tuple[Value, Value]]) -> None:
        """Raises EvaluationError for a key that Go cannot hash."""
        self._entries = {identity_of(key): (key, value) for key, value in entries}

    def find(self, key: Value) -> Value:
        """Return the value of a key, MISSING when there is none."""
        found = self._entries.get(identity_of(key))
        return MISSING if found is None else found[1]

    def keys(self) -> Iterable[Value]:
        """Return the keys in the order of insertion."""
        return [key for key, _ in self._entries.values()]

    def __len__(self) -> int:
        return len(self._entries)


_TYPE_NAMES: Final[dict[type, str]] = {
    bool: "bool",
    int: "int",
    UInt: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
    type(None): "null_type",
    list: "list",
    dict: "map",
}

_DICT_KEYS: Final = frozenset({str, int, UInt, float})

Map: TypeAlias = "dict[Value, Value] | MapValue"


def type_name(value: Value) -> str:
    """Return the name of a value's type without parameters, as cel-go prints it: `int`, `list`, `null_type`, ..."""
    found = _TYPE_NAMES.get(value.__class__)
    if found is None:
        found = getattr(value, "type_name", None) or type(value).__name__
    return found


def is_list(value: Value) -> TypeGuard[Sequence[Value]]:
    """Return whether a value is a CEL list."""
    return value.__class__ is list or isinstance(value, ListValue)


def is_map(value: Value) -> TypeGuard[Map]:
    """Return whether a value is a CEL map (objects of the cluster are maps at run time)."""
    return value.__class__ is dict or isinstance(value, MapValue)


def find(container: Map, key: Value) -> Value:
    """Return the value of a key, MISSING when there is none. Numbers of different types with one value are one key.

    Raises EvaluationError for a key that Go cannot hash.
    """
    if isinstance(container, MapValue):
        return container.find(key)
    if key.__class__ is str:
        return container.get(key, MISSING)
    if isinstance(key, (int, float)):
        return container.get(key, MISSING) if key.__class__ is not bool else MISSING
    if container:
        identity_of(key)  # which raises for what Go cannot hash
    return MISSING


def entries(container: Map) -> Iterator[tuple[Value, Value]]:
    """Yield keys and values of a map. Raises EvaluationError for a key that the map does not let read."""
    if isinstance(container, dict):
        yield from container.items()
        return
    for key in container.keys():  # noqa: SIM118 - it is not a dict
        value = container.find(key)
        if value is MISSING:
            raise EvaluationError(f"no such key: {key}")
        yield key, value


def make_map(pairs: Iterable[tuple[Value, Value]]) -> Map:
    """Return a map of these entries: a dict where Python can tell its keys apart. Later entries win.

    Raises EvaluationError for a key that Go cannot hash.
    """
    collected = list(pairs)
    return dict(collected) if all(key.__class__ in _DICT_KEYS for key, _ in collected) else KeyedMap(collected)
