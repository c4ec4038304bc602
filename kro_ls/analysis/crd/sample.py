"""A sample instance of a CRD: every field of `spec` with a value that its schema allows, ready to be edited.

Rules in CEL (`validation` markers) cannot be met by a guess; they are told in the field's comments.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

from msgspec import Struct

from kro_ls.golang.re2.errors import PatternError, UndecidedError
from kro_ls.golang.re2.examples import example_of
from kro_ls.golang.re2.patterns import search

Schema: TypeAlias = dict[str, Any]

_EXAMPLE = "example"
_IMMUTABLE = "self == oldSelf"
_LONGEST_TEXT = 10_000

# Lists of lists with many items each would make a sample that nobody can read.
_MOST_VALUES = 100_000


class SampleField(Struct, frozen=True):
    """One field: its value (JSON), or its own fields where it is an object with declared ones.

    `is_set` tells that an instance needs it or gets it in any case: it is required or has a default. `comments` are
    lines for people.
    """

    name: str
    value: Any
    fields: tuple[SampleField, ...] | None
    comments: tuple[str, ...]
    is_required: bool
    is_set: bool


def sample_fields(schema: Schema, *, only_required: bool = False) -> tuple[SampleField, ...]:
    """Return the fields of an object's schema: the required ones first, else in the order of the schema."""
    return _Sampler(only_required).fields(schema, 0)


def sample_value(field: SampleField) -> Any:
    """Return the value of a field as JSON, with all of its own fields."""
    return field.value if field.fields is None else {each.name: sample_value(each) for each in field.fields}


class _Sampler:
    """Makes values. Those of different `number` differ where the schema lets them, as the items of a set must."""

    def __init__(self, only_required: bool) -> None:
        self._only_required = only_required
        self._left = _MOST_VALUES

    def fields(self, schema: Schema, number: int) -> tuple[SampleField, ...]:
        required = frozenset(schema.get("required", ()))
        properties: Schema = schema.get("properties", {})
        chosen = [(name, each) for name, each in properties.items() if name in required or not self._only_required]
        found = [self._field(name, each, number, is_required=name in required) for name, each in chosen]
        return tuple(sorted(found, key=lambda field: not field.is_required))

    def _field(self, name: str, schema: Schema, number: int, *, is_required: bool) -> SampleField:
        is_open = bool(schema.get("properties")) and not schema.get("default")
        fields = self.fields(schema, number) if is_open else None
        value = None if is_open else self._value(schema, number)
        is_set = is_required or schema.get("default") is not None
        return SampleField(name, value, fields, tuple(_comments(schema)), is_required, is_set)

    def _value(self, schema: Schema, number: int) -> Any:
        self._left -= 1
        default = schema.get("default")
        if default is not None and not number and (default != {} or not schema.get("properties")):
            return default
        values = schema.get("enum")
        if values:
            return values[number % len(values)]
        match schema.get("type"):
            case "string":
                return _text(schema, number)
            case "integer" | "number":
                return _number(schema, number)
            case "boolean":
                return bool(number % 2)
            case "array":
                return self._list(schema)
            case "object":
                return self._object(schema, number)
        return {}

    def _list(self, schema: Schema) -> list[Any]:
        count = max(schema.get("minItems", 0), 1) if self._left > 0 else 0
        count = min(count, max(schema.get("maxItems", count), 0), max(self._left, 0))
        return [self._value(schema["items"], number) for number in range(count)]

    def _object(self, schema: Schema, number: int) -> dict[str, Any]:
        values = schema.get("additionalProperties")
        if isinstance(values, dict):
            return {"key": self._value(values, number)}
        return {field.name: sample_value(field) for field in self.fields(schema, number)}


def _text(schema: Schema, number: int) -> str:
    shortest, longest, pattern = schema.get("minLength", 0), schema.get("maxLength"), schema.get("pattern")
    plain = f"{_EXAMPLE}-{number + 1}" if number else _EXAMPLE
    plain = plain.ljust(min(shortest, _LONGEST_TEXT), "x")
    if longest is not None and len(plain) > longest:
        plain = str(number)[:longest] if number else plain[: max(longest, 0)]
    if pattern is None or _matches(pattern, plain):
        return plain
    return example_of(pattern, shortest + number, longest) or example_of(pattern, shortest, longest) or plain


def _matches(pattern: str, text: str) -> bool:
    try:
        return search(pattern, text)
    except (PatternError, UndecidedError):
        return False


def _number(schema: Schema, number: int) -> int | float:
    lowest, highest = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    wanted = 1 + number
    if wanted < lowest:
        wanted = math.ceil(lowest) + number
    if wanted > highest:
        wanted = math.floor(highest) - number
    if lowest <= wanted <= highest:
        return wanted
    between = (lowest + highest) / 2
    return between if schema["type"] == "number" and math.isfinite(between) else wanted


def _comments(schema: Schema) -> list[str]:
    lines = str(schema.get("description", "")).splitlines()
    if schema.get("enum"):
        lines.append("one of " + ", ".join(map(str, schema["enum"])))
    if schema.get("pattern"):
        lines.append(f"matches {schema['pattern']}")
    for rule in schema.get("x-kubernetes-validations", ()):
        lines.append("cannot be changed later" if rule["rule"] == _IMMUTABLE else f"rule: {rule['rule']}")
    return ["".join(each if each.isprintable() else " " for each in line) for line in lines]
