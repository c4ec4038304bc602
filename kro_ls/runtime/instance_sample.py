"""A sample instance of a CRD: every field of `spec` with a value that its schema allows, ready to be edited.

As far as the schema leaves the choice, values differ from each other and are as the expressions of the definition ask.
Rules in CEL (`validation` markers) cannot be met by a guess; they are told in the field's comments.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from kro_ls.golang.re2.errors import PatternError, UndecidedError
from kro_ls.golang.re2.examples import example_of
from kro_ls.golang.re2.patterns import search
from kro_ls.runtime.demands import MOST_ELEMENTS, Demand
from kro_ls.runtime.made_values import ValueMaker, kebab_case, made_number

if TYPE_CHECKING:
    from collections.abc import Iterator

Schema: TypeAlias = dict[str, Any]
Names: TypeAlias = tuple[str | int, ...]

_EXAMPLE = "example"
_IMMUTABLE = "self == oldSelf"
_LONGEST_TEXT = 10_000
_LONGEST_NAME = 40
"""Short enough for names of objects that are made of it."""

# Lists of lists with many items each would make a sample that nobody can read.
_MOST_VALUES = 100_000


class SampleField(Struct, frozen=True):
    """One field: its value (JSON), or its own fields where it is an object with declared ones.

    `is_set` tells that an instance needs it or gets it in any case: it is required, has a default, or is read by an
    expression that does not ask first whether it is there. `comments` are lines for people.
    """

    name: str
    value: Any
    fields: tuple[SampleField, ...] | None
    comments: tuple[str, ...]
    is_required: bool
    is_set: bool


def sample_fields(
    schema: Schema, demand: Demand | None = None, *, only_required: bool = False
) -> tuple[SampleField, ...]:
    """Return the fields of an object's schema: the required ones first, else in the order of the schema.

    `demand` is what is asked of the object.
    """
    return _Sampler(only_required).fields(schema, demand or Demand(), ())


def sample_value(field: SampleField) -> Any:
    """Return the value of a field as JSON, with all of its own fields."""
    return field.value if field.fields is None else {each.name: sample_value(each) for each in field.fields}


class _Sampler:
    """Makes values. `names` are the fields that lead to one, and the numbers of items from the second on."""

    def __init__(self, only_required: bool) -> None:
        self._only_required = only_required
        self._left = _MOST_VALUES
        self._texts: set[str] = set()
        self._maker = ValueMaker()

    def fields(self, schema: Schema, demand: Demand, names: Names) -> tuple[SampleField, ...]:
        required = frozenset(schema.get("required", ()))
        properties: Schema = schema.get("properties", {})
        found = []
        for name, each in properties.items():
            asked = demand.fields.get(name) or Demand()
            if name in required or not self._only_required:
                found.append(self._field(name, each, asked, names, is_required=name in required))
        return tuple(sorted(found, key=lambda field: not field.is_required))

    def _field(self, name: str, schema: Schema, demand: Demand, names: Names, *, is_required: bool) -> SampleField:
        is_open = bool(schema.get("properties")) and not schema.get("default")
        fields = self.fields(schema, demand, (*names, name)) if is_open else None
        value = None if is_open else self._value(schema, demand, (*names, name))
        is_set = is_required or demand.is_needed or schema.get("default") is not None
        return SampleField(name, value, fields, tuple(_comments(schema)), is_required, is_set)

    def _value(self, schema: Schema, demand: Demand, names: Names) -> Any:
        self._left -= 1
        number = _item(names)
        default = schema.get("default")
        if default is not None and not number and (default != {} or not schema.get("properties")):
            return default
        values = schema.get("enum")
        if values:
            asked = [each for each in demand.values if each in values]
            return asked[0] if asked and not number else values[number % len(values)]
        match schema.get("type"):
            case "string":
                return self._text(schema, demand, names)
            case "integer" | "number":
                return _number(schema, demand, number)
            case "boolean":
                return demand.values[0] is True if demand.values else bool(number % 2)
            case "array":
                return self._list(schema, demand, names)
            case "object":
                return self._object(schema, demand, names)
        return {} if not demand.type else self._maker.make(demand, None, _name(names))

    def _list(self, schema: Schema, demand: Demand, names: Names) -> list[Any]:
        asked = [demand.elements.get(index) for index in range(max(demand.elements, default=-1) + 1)]
        asked += [None] * (min(demand.length, MOST_ELEMENTS) - len(asked))
        rows: list[Demand | None] = [each for each in demand.rows if each.type or each.values]
        rows += [each for each in asked if each is not None or not rows]
        count = max(schema.get("minItems", 0), len(rows), len(asked), 1) if self._left > 0 else 0
        count = min(count, max(schema.get("maxItems", count), 0), max(self._left, 0))
        rows += [None] * (count - len(rows))
        usual = demand.every or Demand()
        items = (each or usual for each in rows[:count])
        return [self._value(schema["items"], each, (*names, number)) for number, each in enumerate(items)]

    def _object(self, schema: Schema, demand: Demand, names: Names) -> dict[str, Any]:
        values = schema.get("additionalProperties")
        if isinstance(values, dict):
            keys = dict.fromkeys((*demand.fields, *demand.keys)) or {"key": None}
            return {
                key: self._value(values, demand.fields.get(key) or demand.every or Demand(), (*names, key))
                for key in keys
            }
        if not schema.get("properties") and demand.fields:
            made: dict[str, Any] = self._maker.make(demand, None, _name(names))
            return made
        return {field.name: sample_value(field) for field in self.fields(schema, demand, names)}

    def _text(self, schema: Schema, demand: Demand, names: Names) -> str:
        """Return a text that no other field has, as it was asked for, as far as the schema allows either."""
        shortest, longest, pattern = schema.get("minLength", 0), schema.get("maxLength"), schema.get("pattern")
        number = _item(names)

        def allowed(text: str) -> bool:
            fits = len(text) >= shortest and (longest is None or len(text) <= longest)
            return fits and (pattern is None or _matches(pattern, text))

        for each in (*(str(value) for value in demand.values), *self._texts_of(demand, names)):
            text = each.ljust(min(shortest, _LONGEST_TEXT), "x")
            if allowed(text) and (text not in self._texts or each in demand.values):
                self._texts.add(text)
                return text
        if pattern is None:
            text = str(number) if number else f"{_EXAMPLE}-{_name(names)}"
            return text[: max(longest or 0, 0)] if longest is not None else text
        return example_of(pattern, shortest + number, longest) or example_of(pattern, shortest, longest) or _EXAMPLE

    def _texts_of(self, demand: Demand, names: Names) -> Iterator[str]:
        """Yield texts for a field, the nicest first: after its own name those of the fields that it is in."""
        words = [each if isinstance(each, str) else str(each + 1) for each in names if each != 0]
        if demand.values:
            return
        counts = [count for count in range(1, len(words) + 1) if not words[-count].isdigit()]
        for prefix in (f"{_EXAMPLE}-", ""):
            for count in counts:
                name = kebab_case("-".join(words[-count:]))[:_LONGEST_NAME].strip("-")
                yield self._maker.text(demand, prefix + name)


def _item(names: Names) -> int:
    """Return the number of the item that a value is in."""
    return next((each for each in reversed(names) if isinstance(each, int)), 0)


def _name(names: Names) -> str:
    return next((kebab_case(each) for each in reversed(names) if isinstance(each, str)), _EXAMPLE)


def _matches(pattern: str, text: str) -> bool:
    try:
        return search(pattern, text)
    except (PatternError, UndecidedError):
        return False


def _number(schema: Schema, demand: Demand, number: int) -> int | float:
    lowest, highest = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    asked = next(
        (each for each in demand.values if isinstance(each, (int, float)) and not isinstance(each, bool)), None
    )
    wanted = made_number(demand) + number if asked is None else asked
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
