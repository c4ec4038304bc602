"""OpenAPI schemas as CEL types: what `schema.spec.replicas` is when `schema` has a given schema.

A struct type is named by its place: `__type_<variable>`, `.field` (escaped), `.@idx` for the elements of a list,
`.@elem` for the values of a map. Its fields are computed when they are first asked for. Only what kro exposes is there:
a property without a usable `type` does not exist for an expression.
Source: kro `pkg/cel/schemas.go` and `types.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

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
    Type,
    list_type,
    map_type,
    struct_type,
)
from kro_ls.queries.cells import Interned

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kro_ls.openapi.json_values import JsonObject, JsonValue

TYPE_NAME_PREFIX: Final = "__type_"
ELEMENT: Final = "@idx"
VALUE: Final = "@elem"

_SCALARS: Final = {"string": STRING, "boolean": BOOL, "number": DOUBLE, "integer": INT}
_STRING_FORMATS: Final = {"byte": BYTES, "duration": DURATION, "date": TIMESTAMP, "date-time": TIMESTAMP}
_NO_SCHEMA: Final[Mapping[str, JsonValue]] = {}
_NAME_AND_GENERATE_NAME: Final[JsonObject] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "generateName": {"type": "string"}},
}


def cel_type(schema: Mapping[str, JsonValue], name: str) -> Type | None:
    """Return the type of a value with this schema, None when kro does not expose it to expressions.

    `name` is the name of the type if it is a struct, and the prefix of the types in it.
    """
    if schema.get("format") == "int-or-string" or schema.get("x-kubernetes-int-or-string") is True:
        return DYN
    match first_type(schema):
        case "array":
            items = schema.get("items")
            element = cel_type(items, f"{name}.{ELEMENT}") if isinstance(items, dict) else None
            return None if element is None else list_type(element)
        case "object":
            values = schema.get("additionalProperties")
            if isinstance(values, dict):
                return map_type(STRING, cel_type(values, f"{name}.{VALUE}") or DYN)
            return struct_type(name)
        case "string":
            return _STRING_FORMATS.get(str(schema.get("format")), STRING)
        case scalar:
            return _SCALARS.get(scalar)


def first_type(schema: Mapping[str, JsonValue]) -> str:
    """Return the first type of a schema, the only one that kro reads; empty when there is none."""
    declared = schema.get("type")
    if isinstance(declared, list):
        declared = declared[0] if declared else None
    return declared if isinstance(declared, str) else ""


class SchemaRoot:
    """A variable with its schema, and the struct types below it.

    `declare` returns the same object for the same variable and schema, so results can be cached by identity. `cells`
    has what others compute about it.
    """

    def __init__(self, variable: str, schema: JsonObject) -> None:
        self.variable = variable
        self.schema = schema
        self.name = TYPE_NAME_PREFIX + variable
        self.cells: dict[object, Any] = {}
        self.type = cel_type(schema, self.name)
        """None when kro does not expose the schema, and so does not declare the variable."""
        self._schemas: dict[str, Mapping[str, JsonValue] | None] = {self.name: schema}
        self._structs: dict[str, StructFields | None] = {}
        self._field_types: dict[tuple[str, str], Type | None] = {}

    def find_struct(self, name: str) -> StructFields | None:
        """Return the fields of the struct type called `name`, None when it is not below this root."""
        if name not in self._structs:
            schema = self._struct_schema(name)
            self._structs[name] = None if schema is None else _fields(schema, name)
        return self._structs[name]

    def field_type(self, name: str, field: str) -> Type | None:
        """Return the type of a field: by its escaped name, a reserved word as itself, or dyn in an open struct."""
        key = (name, field)
        if key not in self._field_types:
            self._field_types[key] = self._plain_field_type(name, field) or self._any_field_type(name, field)
        return self._field_types[key]

    def _plain_field_type(self, name: str, field: str) -> Type | None:
        """Return the type of a field whose name needs no escape, without computing the others."""
        schema = self._struct_schema(name) if escape(field) == field else None
        found = None if schema is None else _properties(schema).get(field)
        return cel_type(found, f"{name}.{field}") if isinstance(found, dict) else None

    def _any_field_type(self, name: str, field: str) -> Type | None:
        struct = self.find_struct(name)
        if struct is None:
            return None
        found = struct.fields.get(field) or struct.fields.get(field_name(field))
        return DYN if found is None and struct.is_open else found

    def _struct_schema(self, name: str) -> Mapping[str, JsonValue] | None:
        schema = self.find_schema(name)
        return schema if schema is not None and cel_type(schema, name) == struct_type(name) else None

    def find_schema(self, name: str) -> Mapping[str, JsonValue] | None:
        """Return the schema of the value whose type is, or would as a struct be, called `name`."""
        if name not in self._schemas:
            parent_name, _, segment = name.rpartition(".")
            parent = self.find_schema(parent_name) if parent_name else None
            self._schemas[name] = None if parent is None else _child(parent, segment)
        return self._schemas[name]


_living: Final[Interned[tuple[str, int, bool], SchemaRoot]] = Interned()


def declare(variable: str, schema: JsonObject, *, as_list: bool = False) -> SchemaRoot:
    """Return the types of a variable with a schema, or of one whose lists have items with that schema.

    The same schema, which must not be changed, gives the same object as long as that is alive.
    """
    own: JsonObject = {"type": "array", "items": schema} if as_list else schema
    # A root keeps its schema alive, and so the id of the schema.
    return _living.value((variable, id(schema), as_list), SchemaRoot, variable, own)


class SchemaTypes:
    """The struct types of some variables, as the checker asks for them."""

    def __init__(self, roots: Iterable[SchemaRoot]) -> None:
        self._roots = {root.name: root for root in roots}

    def root_of(self, name: str) -> SchemaRoot | None:
        """Return the variable that has a type called `name`, None when none has."""
        return self._roots.get(name.partition(".")[0])

    def find_struct(self, name: str) -> StructFields | None:
        """Return the fields of the struct type called `name`, None when no variable has it."""
        root = self.root_of(name)
        return None if root is None else root.find_struct(name)

    def field_type(self, name: str, field: str) -> Type | None:
        """Return the type of a field: by its escaped name, a reserved word as itself, or dyn in an open struct."""
        root = self.root_of(name)
        return None if root is None else root.field_type(name, field)

    def find_schema(self, name: str) -> Mapping[str, JsonValue] | None:
        """Return the schema that a type called `name` comes from, for its description and the like."""
        root = self.root_of(name)
        return None if root is None else root.find_schema(name)


def _fields(schema: Mapping[str, JsonValue], name: str) -> StructFields:
    fields: dict[str, Type] = {}
    for property_name, property_schema in _properties(schema).items():
        escaped = escape(property_name)
        if escaped is not None and isinstance(property_schema, dict):
            type_ = cel_type(property_schema, f"{name}.{escaped}")
            if type_ is not None:
                fields[escaped] = type_
    return StructFields(fields, is_open=schema.get("x-kubernetes-preserve-unknown-fields") is True)


def _properties(schema: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else _NO_SCHEMA


def _child(parent: Mapping[str, JsonValue], segment: str) -> Mapping[str, JsonValue] | None:
    """Return the schema one step down, of an embedded resource with its added fields."""
    found: JsonValue
    if segment == ELEMENT:
        found = parent.get("items")
    elif segment == VALUE:
        found = parent.get("additionalProperties")
    else:
        properties = _properties(parent)
        found = properties.get(segment) if escape(segment) == segment else None
        if found is None:
            found = next((value for name, value in properties.items() if escape(name) == segment), None)
    if not isinstance(found, dict):
        return None
    return with_object_metadata(found) if found.get("x-kubernetes-embedded-resource") is True else found


def with_object_metadata(schema: JsonObject) -> Mapping[str, JsonValue]:
    """Return the schema of an embedded resource with apiVersion, kind and metadata of two names.

    A schema that declares all of these stays as it is; otherwise its own metadata is lost.
    """
    properties = _properties(schema)
    metadata = _object(properties.get("metadata"))
    declared = [properties.get("apiVersion"), properties.get("kind")]
    declared += [_properties(metadata).get("name"), _properties(metadata).get("generateName")]
    if _has_type(metadata, "object") and all(_has_type(_object(value), "string") for value in declared):
        return schema
    gained: JsonObject = {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "metadata": _NAME_AND_GENERATE_NAME,
    }
    return {**schema, "properties": {**properties, **gained}}


def _object(value: JsonValue) -> Mapping[str, JsonValue]:
    return value if isinstance(value, dict) else _NO_SCHEMA


def _has_type(schema: Mapping[str, JsonValue], name: str) -> bool:
    declared = schema.get("type")
    return declared == name or (isinstance(declared, list) and name in declared)
