"""Makes values as a schema allows and as expressions ask: of an instance, or of what controllers fill into an object.

A value depends on its own path, schema and demand, and on the values that an expression wants it to be equal to; other
fields do not change it.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

from kro_ls.golang.quoting import utf8
from kro_ls.golang.re2.examples import example_of
from kro_ls.openapi.json_values import copy_json
from kro_ls.runtime.nodes.node_objects import MISSING, merge
from kro_ls.runtime.values import fitting
from kro_ls.runtime.values.demands import BOOLEAN, INTEGER, LIST, MAP, MOST_ELEMENTS, NUMBER, TEXT, Demand
from kro_ls.runtime.values.names import item_number, object_name, words_of
from kro_ls.runtime.values.numbers import fitting_number, item_of_number, usual_number
from kro_ls.runtime.values.satisfying import allowed_together
from kro_ls.runtime.values.text_table import TIME
from kro_ls.runtime.values.texts import known_text, realistic_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.schema import Schema
    from kro_ls.runtime.values.names import Names, Subject

_DEEPEST = 6
"""The depth of the objects of a status that no expression demands."""

_DEEPEST_DEMAND = 50
_MOST_VALUES = 100_000
"""Lists of lists with many items each would make a sample unreadable."""

_FAULTS = frozenset(("delete", "deleted", "deletion", "error", "fail", "failed", "failure", "revocation", "revoked"))
"""Words of fields that controllers fill in when something went wrong."""

_NO_DEMAND = Demand()
_NUMBERS = (INTEGER, NUMBER)
_MAP_KEYS = {
    "label": ("app.kubernetes.io/part-of", "shop"),
    "annotation": ("example.com/team", "platform"),
    "tag": ("team", "platform"),
    "env": ("LOG_LEVEL", "info"),
    "environment": ("LOG_LEVEL", "info"),
    "variable": ("LOG_LEVEL", "info"),
    "selector": ("kubernetes.io/os", "linux"),
    "limit": ("cpu", "500m"),
    "request": ("cpu", "250m"),
    "data": ("config.yaml", "key: value"),
}
"""By the last word of a map a key and its text."""


class ValueMaker:
    """Makes values of a subject. `find` returns a value that stands elsewhere, `MISSING` where it is unknown."""

    def __init__(self, subject: Subject, find: Callable[[Demand], Any] | None = None) -> None:
        self._subject = subject
        self._find = find
        self._made: dict[Demand, Any] = {}
        self._depth = 0
        self._left = _MOST_VALUES

    def make(self, demand: Demand | None, schema: Schema | None, names: Names, present: Any = MISSING) -> Any:
        """Return a value for the end of a path; what is `present` already stays as far as it can."""
        asked = demand or _NO_DEMAND
        self._left -= 1
        if present is MISSING and schema is not None and schema.default is not None:
            default = schema.default
            is_final = not item_number(names) and (default != {} or not schema.properties)
            if self._subject.is_instance and is_final:
                return default
            present = MISSING if self._subject.is_instance else default
        kind = _type(asked, schema, present)
        if kind in (MAP, LIST):
            return self._nested(asked, schema, names, kind, present)
        if not kind and self._subject.is_instance:
            return {}
        if not kind and schema is not None and asked is _NO_DEMAND:
            return {} if schema.preserves_unknown_fields else None
        made = self._made[asked] = self._scalar(asked, schema, names, kind or TEXT, present)
        return made

    def _nested(self, demand: Demand, schema: Schema | None, names: Names, kind: str, present: Any) -> Any:
        is_asked = demand is not _NO_DEMAND or self._subject.is_instance
        if self._depth >= (_DEEPEST_DEMAND if is_asked else _DEEPEST):
            return {} if kind == MAP else []
        self._depth += 1
        try:
            if kind == MAP:
                return self._object(demand, schema, names, present)
            return self._list(demand, schema, names, present)
        finally:
            self._depth -= 1

    # Scalars

    def _scalar(self, demand: Demand, schema: Schema | None, names: Names, kind: str, present: Any) -> Any:
        if schema is not None and schema.enum:
            return self._one_of(demand, schema.enum, names, present)
        wanted = self._wanted(demand, schema, kind)
        if wanted is not MISSING:
            return wanted
        if present is not MISSING and present is not None and _fits(demand, kind, present):
            return present
        if kind == BOOLEAN:
            usual = not self._subject.is_instance
            return not usual if usual in demand.others else usual
        if kind in _NUMBERS:
            is_present = isinstance(present, (int, float)) and not isinstance(present, bool)
            if is_present:
                return fitting_number(present, demand, schema)
            return item_of_number(self._number(demand, names), item_number(names), demand, schema)
        return self.text(demand, names, schema)

    def _one_of(self, demand: Demand, values: tuple[JsonValue, ...], names: Names, present: Any) -> Any:
        if present in values and present not in demand.others:
            return present
        asked = [each for each in demand.values if each in values]
        if asked and not item_number(names):
            return asked[0]
        left = [each for each in values if each not in demand.others] or list(values)
        usual = known_text(self._subject, names)
        if usual in left and not item_number(names):
            return usual
        return left[item_number(names) % len(left)]

    def _wanted(self, demand: Demand, schema: Schema | None, kind: str) -> Any:
        """Return the demanded value, in the type that the schema requires; `MISSING` where none is allowed."""
        for each in demand.values:
            if each not in demand.others:
                value = _as_type(each, kind)
                if not isinstance(value, str) or self._allowed(value, schema) == value:
                    return value
        for other in () if self._subject.is_instance else demand.equals:
            found = self._made[other] if other in self._made else self._find(other) if self._find else MISSING
            if found is not MISSING and not isinstance(found, (dict, list)):
                return found
        return MISSING

    def _number(self, demand: Demand, names: Names) -> int:
        usual = usual_number(self._subject, names)
        target = demand.target
        if usual == 1 and target is not None:
            return usual_number(self._subject, target.names)
        return usual

    def _allowed(self, text: str, schema: Schema | None) -> str | None:
        return fitting.allowed_text(text, schema, self._subject.digest("filler")[:16])

    def text(self, demand: Demand, names: Names, schema: Schema | None = None) -> str:
        """Return a text that the schema allows and that is as asked; if not both, that is allowed."""
        if schema is not None and schema.format == "byte":
            return base64.b64encode(utf8(self.text(demand, names))).decode()
        first = None
        for each in self._texts(demand, names, schema):
            text = self._allowed(each, schema)
            if text is not None:
                if fitting.is_as_asked(demand, text):
                    return text
                first = text if first is None else first
        made = self._allowed(self._asked_text(demand, names), schema)
        if made is not None:
            return made
        if first is None and schema is not None:
            first = fitting.example_text(schema, item_number(names))
        return "" if first is None else first

    def _texts(self, demand: Demand, names: Names, schema: Schema | None) -> Iterator[str]:
        """Yield texts for a place, the likeliest first."""
        subject, target = self._subject, demand.target
        if schema is not None and schema.format:
            made = fitting.format_text(schema.format, subject, names)
            if made is not None:
                yield made
        known = known_text(subject, names)
        if known is not None:
            yield known
        if target is not None:
            yield from self._texts_for_target(demand, names)
        if known is None:
            yield realistic_text(subject, names)
        if demand.form in fitting.READABLE:
            yield fitting.READABLE[demand.form]
        is_restricted = demand.starts or demand.ends or demand.contains or demand.pattern
        if is_restricted or (schema is not None and schema.raw.get("pattern")):
            yield from fitting.common_texts(subject, names)
            yield object_name(subject, names)

    def _texts_for_target(self, demand: Demand, names: Names) -> Iterator[str]:
        """Yield texts for the field that an expression writes the value to, where that has a form of its own."""
        target = demand.target
        if target is None:
            return
        if target.schema is not None:
            enum = target.schema.enum
            yield from (
                (each for each in enum[item_number(names) % len(enum) :] if isinstance(each, str)) if enum else ()
            )
        if words_of(str(target.names[-1]))[-1:] != ("name",) and not demand.is_in_name:
            made = known_text(self._subject, (*target.names[-2:], *(each for each in names if isinstance(each, int))))
            if made:
                yield made

    def _asked_text(self, demand: Demand, names: Names) -> str:
        """Return a text that is put together of what is asked."""
        name = object_name(self._subject, names)
        if demand.form:
            return self._readable(demand, names)
        if demand.separator:
            return self._joined(demand, names)
        if demand.pattern:
            return example_of(demand.pattern) or name
        return fitting.constructed(demand, name).ljust(demand.length, "x")

    def _readable(self, demand: Demand, names: Names) -> str:
        inner = demand.read or Demand()
        match demand.form:
            case "int" | "uint" | "double" | "bool":
                value = self.make(inner, None, names)
                return str(value).lower() if isinstance(value, (bool, int, float)) else "1"
            case "base64.decode":
                return base64.b64encode(utf8(str(self.make(inner, None, names)))).decode()
            case "json.unmarshal":
                return json.dumps(self.make(inner, None, names) if inner.type else {})
        return fitting.READABLE.get(demand.form) or object_name(self._subject, names)

    def _joined(self, demand: Demand, names: Names) -> str:
        parts = demand.parts or Demand()
        count = max([2, parts.length, *(index + 1 for index in parts.elements)])
        every = parts.every or Demand()
        texts = [
            self._part(parts.elements.get(index, every), names, index) for index in range(min(count, MOST_ELEMENTS))
        ]
        if "://" in demand.separator and 0 not in parts.elements:
            texts[0] = "https"
        return demand.separator.join(texts)

    def _part(self, demand: Demand, names: Names, index: int) -> str:
        if demand.values:
            return str(demand.values[0])
        name = object_name(self._subject, (*names, index))
        return name if fitting.is_as_asked(demand, name) else self._asked_text(demand, names)

    # Objects and lists

    def _object(self, demand: Demand, schema: Schema | None, names: Names, present: Any) -> Any:
        made: dict[str, Any] = dict(present) if isinstance(present, dict) else {}
        if not made and schema is not None:
            made = self._declared(demand, schema, names)
        filled = frozenset(made) if not isinstance(present, dict) or not present else frozenset()
        for name, inner in demand.fields.items():
            known = schema.child(name) if schema is not None else None
            if known is None and schema is not None and schema.types and not schema.preserves_unknown_fields:
                continue  # a field that cannot be there
            if name not in filled:
                made[name] = self.make(inner, known, (*names, name), made.get(name, MISSING))
        values = schema.additional_properties if schema is not None else None
        for name in demand.keys:
            if name not in made:
                made[name] = name if values is None else self.make(demand.every, values, (*names, name))
        if not made and values is not None and values.raw and (self._subject.is_instance or demand.keys):
            made = self._map(demand, values, names)
        return made if schema is None else allowed_together(made, schema, demand.fields)

    def _declared(self, demand: Demand, schema: Schema, names: Names) -> dict[str, Any]:
        """Return the fields that a schema declares, those of an object as they are when all went well."""
        made: dict[str, Any] = {}
        for name, inner in schema.properties.items():
            asked = demand.fields.get(name)
            if self._subject.is_instance:
                made[name] = self.make(asked, inner, (*names, name))
                continue
            if asked is None and not _FAULTS.isdisjoint(words_of(name)):
                continue
            start = conditions(self._subject.conditions) if name == "conditions" and _are_conditions(inner) else MISSING
            value = start if start is not MISSING and asked is None else self.make(asked, inner, (*names, name), start)
            if value is not None:
                made[name] = value
        return made

    def _map(self, demand: Demand, values: Schema, names: Names) -> dict[str, Any]:
        """Return a map with one entry, a usual one where the name of the map suggests one."""
        word = (words_of(str(next((each for each in reversed(names) if isinstance(each, str)), ""))) or ("",))[-1]
        key, text = _MAP_KEYS.get(word, ("key", ""))
        is_usual = values.types[:1] == (TEXT,) and self._allowed(text, values) == text and text
        made = text if is_usual and demand.every is None else self.make(demand.every, values, (*names, key))
        return {key: made}

    def _list(self, demand: Demand, schema: Schema | None, names: Names, present: Any) -> list[Any]:
        known = schema.items if schema is not None else None
        made = list(present) if isinstance(present, list) else []
        for row in demand.rows:
            if row.type or row.values:
                self._add_row(made, row, known, names)
        made += [each for each in demand.keys if each not in made]
        for index in range(len(made), self._size(made, demand, schema, present)):
            item = demand.elements.get(index) or (demand.every if self._subject.is_instance else None)
            made.append(self.make(item, known, (*names, index)))
        for index, each in demand.elements.items():
            if index < len(made):
                made[index] = self.make(each, known, (*names, index), made[index])
        if demand.every is not None:
            made = [self.make(demand.every, known, (*names, index), each) for index, each in enumerate(made)]
        return made

    def _size(self, made: list[Any], demand: Demand, schema: Schema | None, present: Any) -> int:
        """Return how many items there are to be at least."""
        raw = schema.raw if schema is not None else {}
        size = max([demand.length, fitting.bound(raw.get("minItems"), 0), *(each + 1 for each in demand.elements)])
        is_declared = schema is not None and schema.items is not None
        is_empty = not made and not size
        if is_empty and (demand.every is not None or demand.rows or is_declared or not isinstance(present, list)):
            size = 1
        if is_empty and is_declared and isinstance(present, list) and demand.every is None and not demand.rows:
            size = 0
        size = min(size, fitting.bound(raw.get("maxItems"), size), MOST_ELEMENTS)
        return size if self._left > 0 else 0

    def _add_row(self, made: list[Any], row: Demand, schema: Schema | None, names: Names) -> None:
        for index, each in enumerate(made):
            if _accepts(row, each):
                made[index] = self.make(row, schema, (*names, index), each)
                return
        # A condition that is made up from the schema has another type, so it only resembles the row.
        is_condition = names[-1:] == ("conditions",) and "type" in row.fields
        start: Any = conditions(("",))[0] if is_condition else MISSING
        made.append(self.make(row, schema, (*names, len(made)), start))


def conditions(types: Iterable[str]) -> list[JsonValue]:
    """Return conditions that are all true."""
    return [
        {"type": each, "status": "True", "reason": "Simulated", "message": "", "lastTransitionTime": TIME}
        for each in types
    ]


def _are_conditions(schema: Schema) -> bool:
    return schema.items is not None and {"type", "status"} <= schema.items.properties.keys()


def _fits(demand: Demand, kind: str, present: Any) -> bool:
    if present in demand.others:
        return False
    if kind in _NUMBERS:
        is_number = isinstance(present, (int, float)) and not isinstance(present, bool)
        return is_number and fitting_number(present, demand, None) == present
    if kind == TEXT:
        return isinstance(present, str) and fitting.is_as_asked(demand, present)
    return True


def _type(demand: Demand, schema: Schema | None, present: Any) -> str:
    if schema is not None and schema.types and not schema.is_int_or_string:
        return schema.types[0]
    if demand.type:
        return demand.type
    if isinstance(present, (dict, list)):
        return MAP if isinstance(present, dict) else LIST
    if schema is not None and schema.types:
        return schema.types[0]
    return TEXT if schema is None else ""


def _as_type(value: JsonValue, kind: str) -> Any:
    """Return a value in the type that its place has, where it is written in another one."""
    if kind == TEXT and not isinstance(value, str):
        return json.dumps(value)
    if kind in _NUMBERS and isinstance(value, str):
        return int(value) if value.removeprefix("-").isdecimal() and len(value) < 19 else 1
    return value


def _accepts(row: Demand, element: Any) -> bool:
    """Whether an element can meet a demand and stay the same element."""
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


def completed(
    value: JsonObject, demand: Demand, schema: Schema | None, fields: Iterable[str], subject: Subject
) -> JsonObject:
    """Return a copy of an object in which some of its fields, by name, are as expressions ask.

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

    maker = ValueMaker(subject, find)
    for name in fields:
        inner = demand.fields.get(name)
        known = schema.child(name) if schema is not None else None
        if inner is not None and (schema is None or known is not None):
            names = () if name in ("spec", "status") else (name,)
            asked = maker.make(inner, known, names, made.get(name, MISSING))
            made[name] = merge(asked, made[name]) if name == "spec" and name in made else asked
    return made
