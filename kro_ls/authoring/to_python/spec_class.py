"""The fields of a definition's instances as dataclasses; constraints stand in `Meta`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.authoring.python_fields import python_name
from kro_ls.authoring.to_python.cel_in_python import python_text
from kro_ls.openapi.json_values import as_list, as_object, as_text

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue

_ATOMS: Final = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
_CONSTRAINTS: Final = {
    "minimum": "ge",
    "maximum": "le",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_length",
    "maxItems": "max_length",
    "pattern": "pattern",
    "description": "description",
}
_KNOWN: Final = frozenset(
    {"type", "default", "enum", "items", "properties", "additionalProperties", "required", *_CONSTRAINTS}
)


ABSENT: Final = "ABSENT"
"""The name of the default of a field that an instance may omit."""


class NoClassError(Exception):
    """A dataclass cannot express this; SimpleSchema has to."""


class SpecClass(Struct):
    """Classes as lines of Python, the inner ones first, and what they import from `typing` and `dataclasses`."""

    name: str
    lines: list[str]
    from_typing: set[str]
    has_meta: bool = False
    has_factories: bool = False
    has_absent: bool = False
    """Whether a field may be left out and has no default; to CEL, too, it is of its type and not of that or null."""


def spec_class(name: str, schema: JsonObject) -> SpecClass:
    """Return the classes for the schema of `spec`. Raises NoClassError."""
    made = SpecClass(name, [], set())
    _add_class(name, schema, made, {name})
    return made


def _add_class(name: str, schema: JsonObject, made: SpecClass, taken: set[str]) -> None:
    own = ["@dataclass(kw_only=True)", f"class {name}:"]
    required = as_list(schema.get("required"))
    for field, each in as_object(schema.get("properties")).items():
        if not field.isidentifier() or python_name(field) != field or field.startswith("_"):
            raise NoClassError
        own.append(f"    {field}: {_field(name, field, as_object(each), made, taken, is_required=field in required)}")
    if not as_object(schema.get("properties")):
        raise NoClassError
    made.lines += [*own, "", ""]


def _field(owner: str, name: str, schema: JsonObject, made: SpecClass, taken: set[str], *, is_required: bool) -> str:
    if schema.keys() - _KNOWN:
        raise NoClassError
    type_ = _type(owner, name, schema, made, taken)
    constraints = [f"{argument}={_constant(schema[key])}" for key, argument in _CONSTRAINTS.items() if key in schema]
    default = schema.get("default")
    is_object = "properties" in schema
    has_default = default is not None and not is_object
    if is_object and default is not None:  # kro fills in the fields inside, which no Python default expresses
        constraints.append(f"extra_json_schema={{'default': {default!r}}}".replace("'default'", '"default"'))
        is_required = True
    if constraints:
        made.has_meta = True
        made.from_typing.add("Annotated")
        type_ = f"Annotated[{type_}, Meta({', '.join(constraints)})]"
    if has_default:
        return f"{type_} = {_default(default, made)}"
    if is_required:
        return type_
    made.from_typing.add("Any")
    made.has_absent = True
    return f"{type_} = {ABSENT}"


def _type(owner: str, name: str, schema: JsonObject, made: SpecClass, taken: set[str]) -> str:
    kind = as_text(schema.get("type"))
    values = as_list(schema.get("enum"))
    if values:
        made.from_typing.add("Literal")
        return f"Literal[{', '.join(map(_constant, values))}]"
    if kind in _ATOMS:
        return _ATOMS[kind]
    if kind == "array":
        return f"list[{_type(owner, name.removesuffix('s'), as_object(schema.get('items')), made, taken)}]"
    if kind != "object":
        raise NoClassError
    if "properties" in schema:
        class_name = f"{owner.removesuffix('Spec')}{name[0].upper()}{name[1:]}"
        if class_name in taken:
            raise NoClassError
        taken.add(class_name)
        _add_class(class_name, schema, made, taken)
        return class_name
    if "additionalProperties" in schema:
        inner = schema["additionalProperties"]
        if not isinstance(inner, dict):
            raise NoClassError
        return f"dict[str, {_type(owner, name.removesuffix('s'), inner, made, taken)}]"
    raise NoClassError


def _constant(value: JsonValue) -> str:
    return python_text(value) if isinstance(value, str) else repr(value)


def _default(value: JsonValue, made: SpecClass) -> str:
    if isinstance(value, list | dict):
        made.has_factories = True
        return f"field(default_factory=lambda: {value!r})"
    return _constant(value)
