"""Objects of the cluster as values of CEL: the schema of a value decides how an expression reads it.

The rules are those of kro `pkg/cel/unstructured`, kro's variant of apiserver `pkg/cel/common/values.go`. Nothing is
converted before an expression reads it, and no schema is needed: plain data are values as well.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias, overload

from kro_ls.cel.evaluation.printing import duration_seconds, go_text, rfc3339
from kro_ls.cel.evaluation.values import (
    MISSING,
    Duration,
    EvaluationError,
    ListValue,
    MapValue,
    Timestamp,
    UInt,
    Value,
    find,
    is_map,
    no_such_overload,
    type_name,
)
from kro_ls.cel.library.time_functions import parse_duration, parse_timestamp
from kro_ls.cel.syntax.identifiers import escape, unescape
from kro_ls.openapi.cel_types import first_type, with_object_metadata
from kro_ls.openapi.json_values import is_unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from kro_ls.cel.evaluation.values import EqualElements
    from kro_ls.openapi.json_values import JsonObject, JsonValue

Schema: TypeAlias = "Mapping[str, JsonValue]"

_DAY: Final = 24 * 3600 * 10**9
_LONG_UNITS: Final = {
    **dict.fromkeys(("ns", "nano", "nanosecond"), 1),
    **dict.fromkeys(("us", "µs", "micro", "microsecond"), 10**3),
    **dict.fromkeys(("ms", "milli", "millisecond"), 10**6),
    **dict.fromkeys(("s", "sec", "second"), 10**9),
    **dict.fromkeys(("m", "min", "minute"), 60 * 10**9),
    **dict.fromkeys(("h", "hr", "hour"), 3600 * 10**9),
    **dict.fromkeys(("d", "day"), _DAY),
    **dict.fromkeys(("w", "wk", "week"), 7 * _DAY),
}
_LONG_DURATION = re.compile(r"(?:\s*([0-9]{1,9})\s*([A-Za-zµ]+))+\s*")
_LONG_PART = re.compile(r"([0-9]{1,9})\s*([A-Za-zµ]+)")


def seen(value: JsonObject, schema: JsonObject | None) -> Value:
    """Return an object as expressions see it, unchanged where its schema is not that of an object."""
    if schema is None:
        return value
    try:
        return wrap(value, schema)
    except EvaluationError:
        return value


def wrap(value: JsonValue, schema: Schema) -> Value:
    """Return the value that an expression sees. Raises EvaluationError when the data do not have the schema's type.

    Objects and lists are wrapped: their content is converted, which may fail, when it is read.
    """
    if value is None:
        if schema.get("nullable") is True:
            return None
        raise EvaluationError("invalid data, got null for schema with nullable=false")
    if schema.get("x-kubernetes-int-or-string") is True or schema.get("format") == "int-or-string":
        if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        raise _invalid("XIntOrString value to be either a string or integer", value)
    convert = _BY_TYPE.get(first_type(schema))
    if convert is not None:
        return convert(value, schema)
    is_untyped = schema.get("x-kubernetes-preserve-unknown-fields") is True or _is_quantity(schema)
    if is_untyped and not is_unknown(value):  # which has no type, so all others refuse it
        return value
    raise EvaluationError(
        "invalid type, expected object, array, number, integer, boolean or string, or no type with "
        "x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true"
    )


def _invalid(expected: str, value: JsonValue) -> EvaluationError:
    return EvaluationError(f"invalid data, expected {expected}, got {type_name(value)}")


def _is_quantity(schema: Schema) -> bool:
    """Whether a schema is that of a quantity in OpenAPI 3: no type, but one of string and number."""
    choices = schema.get("oneOf")
    if first_type(schema) or not isinstance(choices, list) or len(choices) != 2:
        return False
    return {first_type(each) for each in choices if isinstance(each, dict)} == {"string", "number"}


def _object(value: JsonValue, schema: Schema) -> Value:
    if not isinstance(value, dict):
        raise _invalid("a map for the provided schema with type=object", value)
    if schema.get("x-kubernetes-embedded-resource") is True:
        schema = with_object_metadata(dict(schema))
    properties, values = schema.get("properties"), schema.get("additionalProperties")
    if isinstance(properties, dict) and (properties or not isinstance(values, dict)):
        return _Object(value, properties)
    return _Map(value, values) if isinstance(values, dict) else value


def _array(value: JsonValue, schema: Schema) -> Value:
    if not isinstance(value, list):
        raise _invalid("an array for the provided schema with type=array", value)
    items = schema.get("items")
    if not isinstance(items, dict):
        raise EvaluationError("invalid array type, expected Items with a non-empty Schema")
    match schema.get("x-kubernetes-list-type"):
        case "set":
            return _SetList(value, items)
        case "map":
            keys = schema.get("x-kubernetes-list-map-keys")
            return _KeyedList(value, items, tuple(map(str, keys)) if isinstance(keys, list) else ())
        case _:
            return _List(value, items)


def _string(value: JsonValue, schema: Schema) -> Value:
    if not isinstance(value, str):
        raise _invalid("string", value)
    read = _BY_FORMAT.get(str(schema.get("format")))
    if read is None:
        return value
    try:
        return read(value)
    except (EvaluationError, ValueError) as error:
        name = str(schema.get("format"))
        what = "duration" if name == "duration" else f"{name} formatted string"
        raise EvaluationError(f"Invalid {what} {value[:100]}: {error}") from None


def _number(value: JsonValue, _: Schema) -> Value:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _invalid("float", value)
    return float(value)


def _integer(value: JsonValue, _: Schema) -> Value:
    if isinstance(value, float):
        if not value.is_integer() or abs(value) > 2**63:
            raise EvaluationError(f"invalid data, expected int, got non-integer float {go_text(value)}")
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _invalid("int", value)
    return value


def _boolean(value: JsonValue, _: Schema) -> Value:
    if not isinstance(value, bool):
        raise _invalid("bool", value)
    return value


_BY_TYPE: Final[Mapping[str, Callable[[JsonValue, Schema], Value]]] = {
    "object": _object,
    "array": _array,
    "string": _string,
    "number": _number,
    "integer": _integer,
    "boolean": _boolean,
}


def _date(text: str) -> Timestamp:
    return parse_timestamp(f"{text}T00:00:00Z")


def _date_time(text: str) -> Timestamp:
    local = re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", text, re.ASCII)
    return parse_timestamp(f"{text}Z" if local else text)


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(f"illegal base64 data: {error}") from None


def _duration(text: str) -> Duration:
    """Read a duration as validation does: in Go's form, or with longer units such as `3d` and `2 weeks`."""
    if not _LONG_DURATION.fullmatch(text):
        return parse_duration(text)
    total = 0
    for amount, unit in _LONG_PART.findall(text):
        size = _LONG_UNITS.get(unit.lower()) or _LONG_UNITS.get(unit.lower().removesuffix("s"))
        if size is None:
            return parse_duration(text)
        total += int(amount) * size
    return parse_duration(f"{total}ns")


_BY_FORMAT: Final[Mapping[str, Callable[[str], Value]]] = {
    "byte": _bytes,
    "date": _date,
    "date-time": _date_time,
    "duration": _duration,
}


class _Wrapped:
    """Caches the values read from an object or a list, so that each is converted once."""

    __slots__ = ("_read",)

    def __init__(self) -> None:
        self._read: dict[str | int, tuple[Value, str]] = {}

    def value(self, place: str | int, value: JsonValue, schema: Schema) -> Value:
        """Return the value at a place as expressions see it. Raises EvaluationError."""
        found = self._read.get(place)
        if found is None:
            try:
                found = wrap(value, schema), ""
            except EvaluationError as error:
                found = MISSING, error.message
            self._read[place] = found
        if found[1]:
            raise EvaluationError(found[1])
        return found[0]


class _Map(MapValue):
    """An object whose values have one schema; its keys are not escaped."""

    __slots__ = ("_data", "_schema", "_wrapped")

    def __init__(self, data: dict[str, JsonValue], schema: Schema) -> None:
        self._data = data
        self._schema = schema
        self._wrapped = _Wrapped()

    def find(self, key: Value) -> Value:
        """Return the value of a key, MISSING when there is none."""
        name = _text_key(key)
        return self._wrapped.value(name, self._data[name], self._schema) if name in self._data else MISSING

    def keys(self) -> Iterable[Value]:
        """Return the keys as they are in the cluster."""
        return self._data.keys()

    def __len__(self) -> int:
        return len(self._data)

    def json(self) -> Value:
        """Return the object as it is in the cluster."""
        return self._data


class _Object(_Map):
    """An object with properties: their names are escaped in CEL, and a property that is null counts as absent."""

    __slots__ = ()

    def find(self, key: Value) -> Value:
        """Return the value of a property by its name in CEL; one that the schema lacks has its plain value."""
        name = unescape(_text_key(key))
        value = None if name is None else self._data.get(name)
        if value is None or name is None:
            return MISSING
        schema = self._schema.get(name)
        return self._wrapped.value(name, value, schema) if isinstance(schema, dict) else value

    def keys(self) -> Iterable[Value]:
        """Return the names that the properties have in CEL."""
        return [escape(name) or name for name in self._data]


def _text_key(key: Value) -> str:
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, (bool, int, float)):
        return go_text(key)
    if isinstance(key, Timestamp):
        return rfc3339(key)
    if isinstance(key, Duration):
        return duration_seconds(key)
    raise no_such_overload()


class _List(ListValue):
    """A list whose elements have one schema."""

    __slots__ = ("_data", "_schema", "_wrapped")

    def __init__(self, data: list[JsonValue], schema: Schema) -> None:
        self._data = data
        self._schema = schema
        self._wrapped = _Wrapped()

    @overload
    def __getitem__(self, index: int) -> Value: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Value]: ...

    def __getitem__(self, index: int | slice) -> Value | Sequence[Value]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self._data)))]
        place = index if index >= 0 else index + len(self._data)
        return self._wrapped.value(place, self._data[index], self._schema)

    def __iter__(self) -> Iterator[Value]:
        return (self._wrapped.value(place, element, self._schema) for place, element in enumerate(self._data))

    def __len__(self) -> int:
        return len(self._data)

    def data(self) -> list[JsonValue]:
        """Return the list as it is in the cluster."""
        return self._data

    def concatenated(self, other: Sequence[Value], equal_elements: EqualElements) -> Sequence[Value]:  # noqa: ARG002
        """Return these elements and the others, read by the schema of these; none may be a literal list."""
        return _List([*self._data, *map(_as_data, other)], self._schema)


class _Literal:
    """A value made by an expression, where data of the cluster are expected."""


def _as_data(element: Value) -> Any:
    """Return the data that an element stands for. Source: kro `pkg/cel/unstructured`, unstructuredList.Add."""
    if isinstance(element, _List):
        return element.data()
    if isinstance(element, MapValue):
        return element.json()
    return _Literal() if element is None or isinstance(element, (UInt, list, dict)) else element


class _SetList(_List):
    """A list of type `set`: its order does not count, and adding leaves out elements that it has."""

    __slots__ = ()

    def equals(self, other: Sequence[Value], equal_elements: EqualElements) -> bool:
        """Whether the other list has the same size and only elements of this one."""
        mine = list(self)
        return len(mine) == len(other) and all(any(equal_elements(each, one) for one in mine) for each in other)

    def concatenated(self, other: Sequence[Value], equal_elements: EqualElements) -> Sequence[Value]:
        """Return these elements and those of the other list that are not among them."""
        elements = list(self)
        for each in other:
            if not any(equal_elements(each, one) for one in elements):
                elements.append(each)
        return elements


class _KeyedList(_List):
    """A list of type `map`: elements with the same keys are the same entry, and the order does not count."""

    __slots__ = ("_names",)

    def __init__(self, data: list[JsonValue], schema: Schema, names: tuple[str, ...]) -> None:
        super().__init__(data, schema)
        self._names = names

    def _key(self, element: Value) -> tuple[Value, ...]:
        if not is_map(element):
            return (MISSING,)
        found = [find(element, escape(name) or name) for name in self._names]
        return tuple(each if isinstance(each, (str, int, float)) else MISSING for each in found)

    def equals(self, other: Sequence[Value], equal_elements: EqualElements) -> bool:
        """Whether the other list has equal entries under the same keys."""
        mine = {self._key(element): element for element in self}
        if len(self) != len(other):
            return False
        keyed = [(self._key(each), each) for each in other]
        return all(key in mine and equal_elements(mine[key], each) for key, each in keyed)

    def concatenated(self, other: Sequence[Value], equal_elements: EqualElements) -> Sequence[Value]:  # noqa: ARG002
        """Return these entries, replaced by others with the same keys, and the rest of the other list."""
        merged = {self._key(element): element for element in self}
        merged.update((self._key(each), each) for each in other)
        return list(merged.values())
