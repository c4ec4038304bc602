"""What `self` is in a validation rule: its CEL type, and how large its values can be.

Source: apiserver `pkg/cel/common/schemas.go`. A schema without a usable type is dyn here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from kro_ls.cel.syntax.identifiers import escape, field_name
from kro_ls.cel.types.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    StructFields,
    list_type,
    map_type,
    struct_type,
)
from kro_ls.golang.quoting import utf8
from kro_ls.openapi.cel_types import with_object_metadata
from kro_ls.openapi.json_values import as_list, as_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.cel.types.types import Type
    from kro_ls.openapi.json_values import JsonObject, JsonValue

LARGEST_REQUEST: Final = 3 * 1024 * 1024
"""Bytes."""

_LONGEST_TEXT: Final = LARGEST_REQUEST - 2


class Declaration(Struct, frozen=True):
    """The type of values with a schema.

    `most_elements` is the greatest length of a text in bytes or number of entries, 0 for what has none; `least_bytes`
    is the least length of the value as JSON.
    """

    type: Type
    least_bytes: int
    most_elements: int = 0
    fields: Mapping[str, Declaration] = field(default_factory=dict)
    key: Declaration | None = None
    element: Declaration | None = None

    def step(self, name: str) -> Declaration | None:
        """Return the declaration after one step of a path in a cost estimate."""
        if name in ("@items", "@values"):
            return self.element
        return self.key if name == "@keys" else self.fields.get(name)

    def most_elements_at(self, path: tuple[str, ...]) -> int | None:
        """Return the most elements at a path, whose first step is the variable; None where there is no value."""
        found: Declaration | None = self
        for step in path[1:]:
            found = found.step(step) if found else None
        return found.most_elements if found else None


class StructTable:
    """Struct types, as the checker asks for them."""

    def __init__(self, structs: Mapping[str, Mapping[str, Type]]) -> None:
        """`structs` has the types of the fields of each struct, by its name."""
        self._structs = structs

    def find_struct(self, name: str) -> StructFields | None:
        """Return the fields of the struct type called `name`."""
        fields = self._structs.get(name)
        return None if fields is None else StructFields(fields)

    def field_type(self, name: str, field: str) -> Type | None:
        """Return the type of a field, by its escaped name or a reserved word as itself."""
        fields = self._structs.get(name, {})
        return fields.get(field) or fields.get(field_name(field))


def declared_structs(root: Declaration) -> StructTable:
    """Return the struct types of a declaration."""
    structs: dict[str, Mapping[str, Type]] = {}
    pending = [root]
    while pending:
        declared = pending.pop()
        if declared.type == struct_type(declared.type.name):
            structs[declared.type.name] = {name: each.type for name, each in declared.fields.items()}
        pending += [*declared.fields.values(), *([declared.element] if declared.element else [])]
    return StructTable(structs)


_KEY: Final = Declaration(STRING, 2)
_UNTYPED: Final = Declaration(DYN, 1, _LONGEST_TEXT)
_SCALARS: Final = {"boolean": Declaration(BOOL, 4), "number": Declaration(DOUBLE, 1), "integer": Declaration(INT, 1)}
_FORMATS: Final = {
    "duration": Declaration(DURATION, 3, 32),
    "date": Declaration(TIMESTAMP, 12, 12),
    "date-time": Declaration(TIMESTAMP, 21, 32),
}


def declaration(schema: JsonObject, name: str = "self") -> Declaration:
    """Return the declaration of values with a schema; `name` is the prefix of the names of struct types."""
    if schema.get("x-kubernetes-int-or-string") is True:
        return Declaration(DYN, 1, _longest(schema, 4) or _LONGEST_TEXT)
    match schema.get("type"):
        case "array":
            element = _child(schema.get("items"), f"{name}.@idx")
            most = _bound(schema, "maxItems", _LONGEST_TEXT // (element.least_bytes + 1))
            return Declaration(list_type(element.type), 2, most, element=element)
        case "object":
            return _object(schema, name)
        case "string":
            return _text(schema)
        case str(scalar):
            return _SCALARS.get(scalar, _UNTYPED)
        case _:
            return _UNTYPED


def _child(schema: JsonValue, name: str) -> Declaration:
    found = as_object(schema)
    if found.get("x-kubernetes-embedded-resource") is True:
        found = dict(with_object_metadata(found))
    return declaration(found, name)


def _object(schema: JsonObject, name: str) -> Declaration:
    values = schema.get("additionalProperties")
    if isinstance(values, dict):
        element = _child(values, f"{name}.@elem")
        most = _bound(schema, "maxProperties", _LONGEST_TEXT // (element.least_bytes + 6))
        return Declaration(map_type(STRING, element.type), 2, most, key=_KEY, element=element)
    fields: dict[str, Declaration] = {}
    required = set(map(str, as_list(schema.get("required"))))
    least = 2
    for field_, value in as_object(schema.get("properties")).items():
        escaped = escape(field_)
        declared = _child(value, f"{name}.{escaped or field_}")
        if escaped is not None:
            fields[escaped] = declared
        if field_ in required and as_object(value).get("default") is None:
            least += len(utf8(field_)) + declared.least_bytes + 4
    return Declaration(struct_type(name), least, fields=fields)


def _text(schema: JsonObject) -> Declaration:
    text_format = schema.get("format")
    if text_format == "byte":
        return Declaration(BYTES, 2, _bound(schema, "maxLength", _LONGEST_TEXT))
    if isinstance(text_format, str) and text_format in _FORMATS:
        return _FORMATS[text_format]
    longest = _longest(schema, 4)
    values = [each for each in as_list(schema.get("enum")) if isinstance(each, str)]
    if longest is None and schema.get("enum"):
        longest = max((len(utf8(each)) for each in values), default=0)
    return Declaration(STRING, 2, _LONGEST_TEXT if longest is None else longest)


def _longest(schema: JsonObject, bytes_each: int) -> int | None:
    most = schema.get("maxLength")
    return max(most, 0) * bytes_each if isinstance(most, int) else None


def _bound(schema: JsonObject, keyword: str, default: int) -> int:
    most = schema.get(keyword)
    return max(most, 0) if isinstance(most, int) else default
