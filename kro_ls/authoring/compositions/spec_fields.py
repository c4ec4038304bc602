"""The type of a composition's spec as SimpleSchema: a dataclass, a msgspec Struct, a TypedDict or a Pydantic model.

msgspec and Pydantic make a JSON Schema of it, with the constraints of `Meta(...)` and `Field(...)`; each class inside
becomes a type of `types`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from kro_ls.authoring.compositions.problems import CompositionError
from kro_ls.authoring.from_manifests.template_text import default_text, quoted_text
from kro_ls.openapi.json_values import as_list, as_object, as_text

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue

_ATOMS: Final = {"string": "string", "integer": "integer", "number": "float", "boolean": "boolean"}
_NUMBERS: Final = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")
_MARKERS: Final = ("required", "immutable", "listType", "listMapKey", "validation", "uniqueItems")
"""Markers that JSON Schema does not have: `Meta(extra_json_schema={"immutable": True})` gives them."""


class SpecFields(msgspec.Struct, frozen=True):
    """The fields of a spec, and the types that they use, as SimpleSchema."""

    spec: JsonObject
    types: JsonObject


def spec_fields(type_: Any) -> SpecFields:
    """Return the fields that a type declares. Raises CompositionError for what SimpleSchema cannot express."""
    schema, definitions = _json_schema(type_)
    reader = _Reader(definitions)
    spec = reader.fields(schema, type_.__name__)
    types: JsonObject = {}
    while missing := [name for name in reader.used if name not in types]:
        for name in missing:
            types[name] = reader.fields(as_object(definitions[name]), name)
    return SpecFields(spec, dict(sorted(types.items())))


def _json_schema(type_: Any) -> tuple[JsonObject, JsonObject]:
    if hasattr(type_, "model_json_schema"):
        schema = dict(type_.model_json_schema(ref_template="{model}"))
        definitions = schema.pop("$defs", {})
        return _resolved(schema, definitions), definitions
    try:
        (schema,), definitions = msgspec.json.schema_components((type_,), ref_template="{name}")
    except TypeError as error:
        raise CompositionError(f"the spec {type_!r} has no schema: {error}") from error
    _add_made_defaults(msgspec.inspect.type_info(type_), definitions, set())
    return _resolved(schema, definitions), definitions


def _add_made_defaults(info: Any, definitions: JsonObject, seen: set[object]) -> None:
    """Write down the defaults that functions make (`default_factory=list`), which msgspec leaves out."""
    own = getattr(info, "cls", None)
    if own is not None and own in seen:
        return
    seen.add(own)
    properties = as_object(as_object(definitions.get(own.__name__)).get("properties")) if own else {}
    for field in getattr(info, "fields", ()):
        if field.default_factory is not msgspec.NODEFAULT:
            as_object(properties.get(field.encode_name))["default"] = msgspec.to_builtins(field.default_factory())
        _add_made_defaults(field.type, definitions, seen)
    for inner in ("item_type", "value_type", "type"):
        if hasattr(info, inner):
            _add_made_defaults(getattr(info, inner), definitions, seen)
    for choice in getattr(info, "types", ()):
        _add_made_defaults(choice, definitions, seen)


def _resolved(schema: JsonObject, definitions: JsonObject) -> JsonObject:
    return as_object(definitions[as_text(schema["$ref"])]) if "$ref" in schema else schema


class _Reader:
    """Turns JSON Schema into SimpleSchema; `used` are the definitions that fields refer to."""

    def __init__(self, definitions: JsonObject) -> None:
        self._definitions = definitions
        self.used: dict[str, None] = {}

    def fields(self, schema: JsonObject, owner: str) -> JsonObject:
        """Return the fields of an object. Raises CompositionError for anything else."""
        if schema.get("type") != "object":
            raise CompositionError(f"{owner} is no class with fields: a dataclass, a Struct, a TypedDict or a model")
        required = as_list(schema.get("required"))
        return {
            name: self._field(as_object(field), f"{owner}.{name}", is_required=name in required)
            for name, field in as_object(schema.get("properties")).items()
        }

    def _field(self, schema: JsonObject, place: str, *, is_required: bool) -> str:
        own, is_nullable = self._without_null(schema, place)
        text = self._type(own, place)
        markers = list(self._markers(own))
        if own.get("default") is not None:
            markers.insert(0, f"default={default_text(own['default'])}")
        elif is_required and not is_nullable:
            markers.insert(0, "required=true")
        return f"{text} | {' '.join(markers)}" if markers else text

    def _without_null(self, schema: JsonObject, place: str) -> tuple[JsonObject, bool]:
        if len(as_list(schema.get("allOf"))) == 1:
            schema = {**as_object(as_list(schema["allOf"])[0]), **schema}
        if "anyOf" not in schema:
            types = as_list(schema.get("type"))
            rest = [each for each in types if each != "null"]
            return ({**schema, "type": rest[0]}, "null" in types) if len(rest) == 1 else (schema, False)
        choices = [as_object(each) for each in as_list(schema["anyOf"])]
        values = [each for each in choices if each.get("type") != "null"]
        if len(values) != 1:
            raise CompositionError(f"{place} is a union, which SimpleSchema does not have; give one type")
        return {**values[0], **{key: each for key, each in schema.items() if key != "anyOf"}}, len(choices) > 1

    def _type(self, schema: JsonObject, place: str) -> str:
        if reference := as_text(schema.get("$ref")):
            definition = as_object(self._definitions[reference])
            if "enum" in definition:
                return self._type(definition, place)
            self.used[reference] = None
            return reference
        values = as_list(schema.get("enum")) or ([schema["const"]] if "const" in schema else [])
        if values:
            return "string" if isinstance(values[0], str) else "integer"
        type_ = as_text(schema.get("type"))
        if type_ == "array":
            items = as_object(schema.get("items"))
            return f"[]{self._type(items, f'{place}[]')}" if items else "[]object"
        if type_ == "object":
            inner = schema.get("additionalProperties")
            return f"map[string]{self._type(inner, place)}" if isinstance(inner, dict) and inner else "object"
        if not type_:
            return "object"
        if type_ not in _ATOMS:
            raise CompositionError(f"{place} is of type {type_}, which SimpleSchema does not have")
        return _ATOMS[type_]

    def _markers(self, schema: JsonObject) -> list[str]:
        definition = as_object(self._definitions.get(as_text(schema.get("$ref"))))
        enum = as_list(schema.get("enum")) or as_list(definition.get("enum"))
        found = [f"{name}={default_text(schema[name])}" for name in _NUMBERS if name in schema]
        if enum:
            found.append(f"enum={quoted_text(','.join(map(str, enum)))}")
        if "pattern" in schema:
            found.append(f"pattern={quoted_text(as_text(schema['pattern']))}")
        for name in _MARKERS:
            given = schema.get(name)
            values = given if isinstance(given, list) else [] if given is None else [given]
            found += [f"{name}={_marker(each)}" for each in values]
        if as_text(schema.get("description")) and "$ref" not in schema:
            found.append(f"description={quoted_text(as_text(schema['description']))}")
        return found


def _marker(value: JsonValue) -> str:
    return quoted_text(value) if isinstance(value, str) else default_text(value)
