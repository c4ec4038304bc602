"""Made-up values: by a schema, by what expressions ask of them, the same each time."""

from __future__ import annotations

import base64
import json
import math
import re
from typing import TYPE_CHECKING, Any

from kro_ls.golang.re2.examples import example_of
from kro_ls.golang.utf8 import utf8
from kro_ls.runtime.demands import BOOLEAN, INTEGER, LIST, MAP, MOST_ELEMENTS, NUMBER, TEXT, Demand
from kro_ls.runtime.templates import copy_json, merge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.schema import Schema

TIME = "2024-01-01T00:00:00Z"
"""When everything in a simulated cluster happens."""

_TEXTS = {
    "date-time": TIME,
    "date": "2024-01-01",
    "byte": "ZXhhbXBsZQ==",
    "duration": "1h0m0s",
    "ipv4": "10.0.0.1",
    "ipv6": "2001:db8::1",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
_READABLE = {
    "duration": "1h0m0s",
    "timestamp": TIME,
    "quantity": "1Gi",
    "url": "https://example.com/path",
    "ip": "10.0.0.1",
    "cidr": "10.0.0.0/16",
    "semver": "1.2.3",
}
"""By the function that reads a text what it can read."""

_DEEPEST = 6
_DEEPEST_DEMAND = 50
MISSING: Any = object()


def sample(schema: Schema, name: str = "value", depth: int = 0) -> Any:
    """Return a value that the schema allows as far as it says so; `name` is what a text is made of."""
    if schema.default is not None:
        return schema.default
    if schema.enum:
        return schema.enum[0]
    match schema.types[0] if schema.types else "":
        case "string":
            return _TEXTS.get(schema.format, name)
        case "integer" | "number":
            return max(1, int(minimum)) if isinstance(minimum := schema.raw.get("minimum"), (int, float)) else 1
        case "boolean":
            return True
        case "array":
            return [sample(schema.items, name, depth + 1)] if schema.items and depth < _DEEPEST else []
        case "object":
            return {} if depth >= _DEEPEST else sample_object(schema, depth)
    return {} if schema.preserves_unknown_fields else None


def sample_object(schema: Schema, depth: int = 0) -> JsonObject:
    """Return an object with every field that the schema declares, conditions among them."""
    value: JsonObject = {}
    for name, inner in schema.properties.items():
        made = conditions(("Ready",)) if name == "conditions" and _are_conditions(inner) else MISSING
        made = sample(inner, name, depth + 1) if made is MISSING else made
        if made is not None:
            value[name] = made
    return value


def conditions(types: Iterable[str]) -> list[JsonValue]:
    """Return conditions that are all true."""
    return [
        {"type": each, "status": "True", "reason": "Simulated", "message": "", "lastTransitionTime": TIME}
        for each in types
    ]


def _are_conditions(schema: Schema) -> bool:
    return schema.items is not None and {"type", "status"} <= schema.items.properties.keys()


class ValueMaker:
    """Makes values that are as asked. `find` returns a value that stands elsewhere, `MISSING` where it is not known."""

    def __init__(self, find: Callable[[Demand], Any] | None = None) -> None:
        self._find = find
        self._made: dict[Demand, Any] = {}
        self._depth = 0

    def make(self, demand: Demand, schema: Schema | None, name: str, present: Any = MISSING) -> Any:
        """Return a value; what is `present` already stays as far as it can. `name` is what a text is made of."""
        kind = _type(demand, schema, present)
        if kind in (MAP, LIST):
            if self._depth > _DEEPEST_DEMAND:
                return {} if kind == MAP else []
            self._depth += 1
            try:
                is_map = kind == MAP
                return self._object(demand, schema, present) if is_map else self._list(demand, schema, name, present)
            finally:
                self._depth -= 1
        value = self._made[demand] = self._scalar(demand, schema, name, kind, present)
        return value

    def _scalar(self, demand: Demand, schema: Schema | None, name: str, kind: str, present: Any) -> Any:
        if schema is not None and schema.enum and present is MISSING:
            return next((each for each in demand.values if each in schema.enum), schema.enum[0])
        wanted = self._wanted(demand, kind)
        if wanted is not MISSING:
            return wanted
        if present is not MISSING and present is not None and self._fits(demand, kind, present):
            return present
        if kind == BOOLEAN:
            return True not in demand.others
        if kind in (INTEGER, NUMBER):
            return made_number(demand)
        return self.text(demand, name if schema is None else _TEXTS.get(schema.format, name))

    def _wanted(self, demand: Demand, kind: str) -> Any:
        """Return the value that was asked for, in the type that the schema wants."""
        for each in demand.values:
            if each not in demand.others:
                return _as_type(each, kind)
        for other in demand.equals:
            found = self._made[other] if other in self._made else self._find(other) if self._find else MISSING
            if found is not MISSING:
                return found
        return MISSING

    def _fits(self, demand: Demand, kind: str, present: Any) -> bool:
        if present in demand.others:
            return False
        if kind in (INTEGER, NUMBER):
            is_number = isinstance(present, (int, float)) and not isinstance(present, bool)
            return is_number and made_number(demand, present) == present
        if kind == TEXT:
            return isinstance(present, str) and not (demand.form or demand.separator or demand.starts or demand.pattern)
        return True

    def _object(self, demand: Demand, schema: Schema | None, present: Any) -> Any:
        made: dict[str, Any] = dict(present) if isinstance(present, dict) else {}
        if not made and schema is not None and schema.properties:
            made = sample_object(schema)
        for name, inner in demand.fields.items():
            known = schema.child(name) if schema is not None else None
            if known is None and schema is not None and schema.types and not schema.preserves_unknown_fields:
                continue  # a field that cannot be there
            made[name] = self.make(inner, known, name, made.get(name, MISSING))
        for name in demand.keys:
            made.setdefault(name, name)
        return made

    def _list(self, demand: Demand, schema: Schema | None, name: str, present: Any) -> list[Any]:
        known = schema.items if schema is not None else None
        made = list(present) if isinstance(present, list) else []
        rows = [each for each in demand.rows if each.type or each.values]
        for row in rows:
            self._add_row(made, row, known, name)
        made += [each for each in demand.keys if each not in made]
        length = max([demand.length, *(index + 1 for index in demand.elements)], default=0)
        if not made and not length and (demand.every is not None or demand.rows or not isinstance(present, list)):
            length = 1
        for index in range(len(made), min(length, MOST_ELEMENTS)):
            made.append(self.make(Demand(), known, f"{name}-{index + 1}" if index else name))
        for index, each in demand.elements.items():
            made[index] = self.make(each, known, name, made[index])
        if demand.every is not None:
            made = [self.make(demand.every, known, name, each) for each in made]
        return made

    def _add_row(self, made: list[Any], row: Demand, schema: Schema | None, name: str) -> None:
        for index, each in enumerate(made):
            if _accepts(row, each):
                made[index] = self.make(row, schema, name, each)
                return
        # One that the schema makes up is not asked for by its type, so it is only like a row.
        start: Any = conditions(("",))[0] if name == "conditions" and _is_condition(row) else MISSING
        made.append(self.make(row, schema, name, start))

    def text(self, demand: Demand, name: str) -> str:
        """Return a text that is as asked."""
        if demand.form:
            return self._readable(demand, name)
        if demand.separator:
            return self._joined(demand, name)
        if demand.pattern:
            return example_of(demand.pattern) or name
        inside = "-".join(each for each in demand.contains if each not in demand.starts + demand.ends)
        made = demand.starts + (inside or ("" if demand.starts or demand.ends else name)) + demand.ends
        made = made.ljust(demand.length, "x")
        return f"{demand.starts}other-{name}{demand.ends}" if made in demand.others else made

    def _readable(self, demand: Demand, name: str) -> str:
        inner = demand.read or Demand()
        match demand.form:
            case "int" | "uint" | "double" | "bool":
                value = self.make(inner, None, name)
                return str(value).lower() if isinstance(value, (bool, int, float)) else "1"
            case "base64.decode":
                return base64.b64encode(utf8(str(self.make(inner, None, name)))).decode()
            case "json.unmarshal":
                return json.dumps(self.make(inner, None, name) if inner.type else {})
        return _READABLE.get(demand.form, name)

    def _joined(self, demand: Demand, name: str) -> str:
        parts = demand.parts or Demand()
        count = max([2, parts.length, *(index + 1 for index in parts.elements)])
        every = parts.every or Demand()
        names = [name, *(f"{name}-{index + 1}" for index in range(1, min(count, MOST_ELEMENTS)))]
        texts = [self.text(parts.elements.get(index, every), each) for index, each in enumerate(names)]
        if "://" in demand.separator and 0 not in parts.elements:
            texts[0] = ""
        return demand.separator.join(texts)


def made_number(demand: Demand, present: float = 1) -> int | float:
    """Return a number within the bounds that were asked for, the present one if it is."""
    made = present
    if demand.least is not None and made < demand.least:
        made = demand.least if demand.type == NUMBER else math.ceil(demand.least)
    if demand.most is not None and made > demand.most:
        made = demand.most if demand.type == NUMBER else math.floor(demand.most)
    while made in demand.others:
        made += 1
    return made


def kebab_case(name: str) -> str:
    """Return a name of a field or a kind as part of the name of an object: `MyWebAPI` is `my-web-api`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()
    return re.sub(r"[^a-z0-9]+", "-", words).strip("-")


def _type(demand: Demand, schema: Schema | None, present: Any) -> str:
    if schema is not None and schema.types and not schema.is_int_or_string:
        return schema.types[0]
    if demand.type:
        return demand.type
    if isinstance(present, (dict, list)):
        return MAP if isinstance(present, dict) else LIST
    return TEXT


def _as_type(value: JsonValue, kind: str) -> Any:
    """Return a value in the type that its place has, where it is written in another one."""
    if kind == TEXT and not isinstance(value, str):
        return json.dumps(value)
    if kind in (INTEGER, NUMBER) and isinstance(value, str):
        return int(value) if re.fullmatch(r"-?\d{1,18}", value) else 1
    return value


def _accepts(row: Demand, element: Any) -> bool:
    """Whether an element can become what is asked for without losing what it is."""
    if row.values:
        return element in row.values
    if not row.fields:
        return True
    if not isinstance(element, dict):
        return False
    identity = {name: inner for name, inner in row.fields.items() if name in ("type", "name", "key", "id")}
    return all(
        name in element and (not inner.values or element[name] == inner.values[0])
        for name, inner in (identity or row.fields).items()
    )


def _is_condition(row: Demand) -> bool:
    return "type" in row.fields


def with_asked(value: JsonObject, demand: Demand, schema: Schema | None, names: Iterable[str]) -> JsonObject:
    """Return a copy of an object in which some of its fields, by name, are as asked.

    Of `spec`, which its author wrote, only what is missing is made.
    """
    made: JsonObject = copy_json(value)

    def find(other: Demand) -> Any:
        if other.owner != demand.owner or other.path is None:
            return MISSING
        place: Any = made
        for step in other.path:
            if not isinstance(place, dict) or step not in place:
                return MISSING
            place = place[step]
        return place

    maker = ValueMaker(find)
    for name in names:
        inner = demand.fields.get(name)
        known = schema.child(name) if schema is not None else None
        if inner is not None and (schema is None or known is not None):
            asked = maker.make(inner, known, name, made.get(name, MISSING))
            made[name] = merge(asked, made[name]) if name == "spec" and name in made else asked
    return made
