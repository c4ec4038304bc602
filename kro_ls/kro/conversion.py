"""Values of CEL as plain JSON data, as kro writes them into a resource, and the values that only kro's CEL has.

Source: kro `pkg/cel/conversion`, `pkg/cel/library/{runtime,omit}.go`.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

from msgspec import Struct

from kro_ls.cel.evaluation.costs import ELEMENT, Budget, of_text
from kro_ls.cel.evaluation.operators import MIN_TIMESTAMP
from kro_ls.cel.evaluation.printing import go_duration, go_text, rfc3339
from kro_ls.cel.evaluation.values import (
    MAX_INT,
    MISSING,
    CustomValue,
    Duration,
    EvaluationError,
    MapValue,
    Optional,
    Timestamp,
    UInt,
    Value,
    entries,
    is_list,
    is_map,
    type_name,
)
from kro_ls.kro.controller import CONDITION_FIELDS

if TYPE_CHECKING:
    from collections.abc import Mapping


class Omit(CustomValue, Struct, frozen=True, eq=False):
    """The marker for a field or element to leave out."""

    type_name: ClassVar[str] = "kro.run.omit"

    def __str__(self) -> str:
        return "omit()"

    def equals(self, other: Value) -> bool:  # noqa: ARG002
        """Raise EvaluationError: the marker is not a value."""
        raise EvaluationError("omit() is a field-removal sentinel and cannot be compared")


OMIT: Final = Omit()
"""The value of `omit()`."""


class Condition(CustomValue, Struct, frozen=True):
    """A status condition; its fields are strings, empty when not given."""

    type: str = ""
    status: str = ""
    reason: str = ""
    message: str = ""
    type_name: ClassVar[str] = "kro.run.Condition"

    @property
    def size(self) -> int:
        """The number of characters."""
        return sum(map(len, self.fields.values()))

    @property
    def fields(self) -> dict[str, str]:
        """The four texts by the names of the fields."""
        return {name: getattr(self, name) for name in CONDITION_FIELDS}

    def field(self, name: Value) -> Value:
        """Return one of the four texts. Raises EvaluationError for any other field."""
        if name not in CONDITION_FIELDS:
            raise EvaluationError(f"no such field '{go_text(name)}'")
        return getattr(self, str(name))


class Runtime(CustomValue, Struct, frozen=True):
    """The value of the variable `runtime`, which has methods only."""

    type_name: ClassVar[str] = "kro.run.Runtime"

    def equals(self, other: Value) -> bool:
        """Return whether another value is the same variable."""
        return isinstance(other, Runtime)


RUNTIME: Final = Runtime()


_WRITTEN: Final = 20
"""The steps that an element or field of an object costs, since it is copied, compared and shown several times."""
_WRITTEN_CHARACTERS: Final = 2
"""The characters of an object's strings that one step pays for."""

Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | Omit | None"
"""JSON data, and `OMIT` wherever `omit()` was the value."""

_GO_TYPES: Mapping[str, str] = {
    "bool": "bool",
    "int": "int64",
    "uint": "int64",
    "double": "float64",
    "google.protobuf.Duration": "string",
    "google.protobuf.Timestamp": "string",
    "null_type": "<nil>",
    "list": "[]interface {}",
    "map": "map[string]interface {}",
}


def to_json(value: Value, budget: Budget | None = None, *, for_text: bool = False) -> Plain:
    """Return a value as JSON data. Raises EvaluationError, without a place, for a value that JSON cannot represent.

    Absent optionals become None, timestamps whole seconds in UTC (None for what Go takes for no time), durations Go's
    text; `OMIT` stays for the caller.
    `for_text` takes what `json.marshal` takes as well: bytes, as base64, and every uint.
    """
    try:
        return _convert(value, Budget() if budget is None else budget, for_text, 0)
    except RecursionError:
        raise EvaluationError("the value is nested too deeply") from None


def without_omitted(value: Any) -> Any:
    """Return a deep copy without the fields and elements that are `omit()`. A container that this empties stays."""
    if value.__class__ is dict:
        return {name: without_omitted(inner) for name, inner in value.items() if inner is not OMIT}
    if value.__class__ is list:
        return [without_omitted(inner) for inner in value if inner is not OMIT]
    return value


def _convert(value: Value, budget: Budget, for_text: bool, depth: int) -> Plain:
    match value:
        case UInt():
            return int(value) if for_text else _signed(value)
        case str():
            budget.spend(of_text(len(value)) if for_text else of_written_text(len(value)))
            return value
        case None | bool() | int() | float():
            return value
        case Duration():
            return go_duration(value)
        case Timestamp():
            is_zero = value.nanoseconds == MIN_TIMESTAMP
            return None if is_zero else rfc3339(value, in_utc=True, with_fraction=False)
        case Optional():
            return _convert(value.value, budget, for_text, depth) if value.is_present else None
        case Omit():
            return OMIT
        case bytes():
            return _bytes(value, budget, for_text)
    if is_list(value):
        budget.spend(_of_elements(len(value), depth, for_text=for_text))
        return [_convert(element, budget, for_text, depth + 1) for element in value]
    if isinstance(value, MapValue) and (data := value.json()) is not MISSING:
        # kro uses the object as it is in the cluster, not the values that its schema converts it to.
        return _convert(data, budget, for_text, depth)
    if is_map(value):
        budget.spend(_of_elements(len(value), depth, for_text=for_text))
        return {_key(key, budget): _convert(each, budget, for_text, depth + 1) for key, each in entries(value)}
    raise EvaluationError(f"unsupported type: {type_name(value)}")


def _bytes(value: bytes, budget: Budget, for_text: bool) -> str:
    if not for_text:
        raise EvaluationError(
            "unsupported type: bytes value cannot be used directly in a resource template or status field; "
            "encode it explicitly, e.g. base64.encode(...)"
        )
    budget.spend_text(len(value) * 4 // 3, is_ascii=True)
    return base64.b64encode(value).decode()


def of_written_text(length: int) -> int:
    """Return the steps that a string of an object costs, from copying to showing it."""
    return length // _WRITTEN_CHARACTERS


def of_written(value: object, depth: int = 0) -> int:
    """Return the steps that an object's data cost, from copying to showing them."""
    if isinstance(value, str):
        return of_written_text(len(value))
    if not isinstance(value, (list, dict)):
        return 0
    inner = value.values() if isinstance(value, dict) else value
    return _of_elements(len(value), depth, for_text=False) + sum(of_written(each, depth + 1) for each in inner)


def _of_elements(count: int, depth: int, *, for_text: bool) -> int:
    # Deeply nested data is indented on every line.
    return (2 * ELEMENT if for_text else _WRITTEN + 2 * depth) * (count + 1)


def _signed(value: UInt) -> int:
    if value > MAX_INT:
        raise EvaluationError(
            f"unsupported type: uint value {int(value)} overflows int64; convert it explicitly, e.g. string(...)"
        )
    return int(value)


def _key(key: Value, budget: Budget) -> str:
    if isinstance(key, str):
        budget.spend(of_text(len(key)))
        return key
    try:
        converted = _convert(key, budget, for_text=False, depth=0)
    except EvaluationError as error:
        raise EvaluationError(f"failed to convert map key: {error.message}") from None
    if isinstance(converted, str):
        return converted
    raise EvaluationError(f"map key must be string, got {_GO_TYPES.get(type_name(key), type_name(key))}")
