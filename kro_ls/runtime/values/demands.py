"""What expressions demand of a made-up value: its form, its fields, and what it must be equal to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    from kro_ls.analysis.model.paths import Path
    from kro_ls.openapi.json_values import JsonValue
    from kro_ls.openapi.schema import Schema

LIST = "array"
MAP = "object"
TEXT = "string"
NUMBER = "number"
INTEGER = "integer"
BOOLEAN = "boolean"
_TYPES = {bool: BOOLEAN, int: INTEGER, float: NUMBER, str: TEXT, list: LIST, dict: MAP}


MOST_ELEMENTS = 100
"""The most elements of a value, whatever is demanded; it has at most ten times as many characters."""


class Target(Struct, frozen=True, eq=False):
    """The field of an object that an expression writes a value to: its path without `spec`, and its schema."""

    names: Path
    schema: Schema | None


class Demand(Struct, eq=False):
    """What is demanded of one value. The types are those of JSON Schema, in the order of the demands.

    `same` is the demand of all elements that an expression sees as one, such as the objects of a collection. `path`
    leads from the node `owner` to the value, where there is such a path.
    """

    owner: str = ""
    path: Path | None = None
    same: Demand | None = None
    types: dict[str, None] = field(default_factory=dict)
    values: list[JsonValue] = field(default_factory=list)
    """What it is compared with; the first is what it should be."""
    others: list[JsonValue] = field(default_factory=list)
    """What it must not be."""
    equals: list[Demand] = field(default_factory=list)
    """Values that it is compared with and that stand elsewhere."""
    least: float | None = None
    most: float | None = None
    is_needed: bool = False
    """Whether an expression reads it without testing first whether it exists."""
    fields: dict[str, Demand] = field(default_factory=dict)
    keys: dict[str, None] = field(default_factory=dict)
    """What must be a key of it, or an element."""
    elements: dict[int, Demand] = field(default_factory=dict)
    every: Demand | None = None
    """What is asked of all elements."""
    rows: list[Demand] = field(default_factory=list)
    """For each an element must be there that is as asked."""
    group: str = ""
    """Of an instance the API group of most cloud resources that it stands for."""
    length: int = 0
    """How many elements or characters there must be at least."""
    starts: str = ""
    contains: list[str] = field(default_factory=list)
    ends: str = ""
    pattern: str = ""
    separator: str = ""
    parts: Demand | None = None
    """What is asked of the pieces between the separators of a text."""
    form: str = ""
    """What the text is read as: the name of the function that reads it."""
    read: Demand | None = None
    """What is asked of what it is read as."""
    target: Target | None = None
    """Where it is first written to as it is."""
    is_in_name: bool = False
    """Whether the name of an object is made of it."""

    def ask_type(self, name: str) -> None:
        """Ask for a type of JSON Schema."""
        self.types.setdefault(name)

    def ask_value(self, value: JsonValue) -> None:
        """Ask for a value."""
        if value not in self.values:
            self.values.append(value)

    def ask_number(self, least: float | None, most: float | None) -> None:
        """Ask for a number between two bounds, both inclusive."""
        if least is not None:
            self.least = least if self.least is None else max(self.least, least)
        if most is not None:
            self.most = most if self.most is None else min(self.most, most)

    def ask_length(self, least: int) -> None:
        """Ask for a number of elements or characters."""
        self.length = max(self.length, min(least, 10 * MOST_ELEMENTS))

    def field(self, name: str) -> Demand:
        """Return what is asked of a field."""
        return self.fields.setdefault(name, self._below(name))

    def element(self, index: int) -> Demand:
        """Return what is asked of an element."""
        if self.same is not None:
            return self.same
        self.ask_type(LIST)
        return self.elements.setdefault(index, self._below(index))

    def each(self) -> Demand:
        """Return what is asked of every element."""
        if self.same is not None:
            return self.same
        if self.every is None:
            self.every = Demand()
        return self.every

    def row(self) -> Demand:
        """Return what is asked of one more element that must be there."""
        if self.same is not None:
            return self.same
        self.rows.append(Demand())
        return self.rows[-1]

    def read_as(self, form: str) -> Demand:
        """Return what is asked of the value that the text is read as."""
        self.form = self.form or form
        if self.read is None:
            self.read = Demand()
        return self.read

    def split_by(self, separator: str) -> Demand:
        """Return what is asked of the list of pieces."""
        self.separator = self.separator or separator
        if self.parts is None:
            self.parts = Demand()
        return self.parts

    def _below(self, step: str | int) -> Demand:
        return Demand(self.owner, None if self.path is None else (*self.path, step))

    @property
    def type(self) -> str:
        """The type that fits what is asked best; empty where any does."""
        for name in (MAP, LIST):
            if name in self.types:
                return name
        if self.fields:
            return MAP
        if self.elements or self.every or self.rows:
            return LIST
        if self.form or self.separator or self.starts or self.ends or self.contains or self.pattern:
            return TEXT
        if self.values:
            return _TYPES.get(type(self.values[0]), "")
        if self.least is not None or self.most is not None:
            return INTEGER
        return next(iter(self.types), MAP if self.keys else LIST if self.length else "")
