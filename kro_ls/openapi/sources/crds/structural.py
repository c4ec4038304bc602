"""Whether a CustomResourceDefinition's schema is structural, which the API server demands.

Source: k8s.io/apiextensions-apiserver, pkg/apiserver/schema/validation.go and convert.go. Messages keep its words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object
from kro_ls.openapi.well_formed import damaged_constraints

if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[str | int, ...]

_TYPES = frozenset({"array", "boolean", "integer", "number", "object", "string"})
_UNSUPPORTED = ("id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions")
_INT_OR_STRING: list[JsonValue] = [{"type": "integer"}, {"type": "string"}]
_METADATA = {"description", "type", "properties"}
# What `allOf`, `anyOf`, `oneOf` and `not` must leave to the schema around them.
_FORBIDDEN_IN_BRANCHES = (
    "type",
    "additionalProperties",
    "default",
    "title",
    "description",
    "nullable",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
    "x-kubernetes-validations",
)


class StructuralProblem(Struct, frozen=True):
    """What is wrong, and where: a path from the schema down to the keyword or value."""

    path: Path
    message: str


def structural_problems(schema: JsonValue) -> Iterator[StructuralProblem]:
    """Everything that keeps an `openAPIV3Schema` from being structural."""
    if not isinstance(schema, dict):
        yield StructuralProblem((), f"a schema has to be a mapping, not {_kind(schema)}")
        return
    if "additionalProperties" in schema:
        yield StructuralProblem(("additionalProperties",), "Forbidden: must not be used at the root")
    own_type = schema.get("type")
    if isinstance(own_type, str) and own_type in _TYPES and own_type != "object":
        yield StructuralProblem(("type",), "must be object at the root")
    metadata = as_object(as_object(schema.get("properties")).get("metadata"))
    if set(metadata) - _METADATA or set(as_object(metadata.get("properties"))) - {"name", "generateName"}:
        message = "must not specify anything other than name and generateName, but metadata is implicitly specified"
        yield StructuralProblem(("properties", "metadata"), message)
    yield from _schema(schema, (), "at the root")


def _schema(schema: JsonValue, path: Path, place: str) -> Iterator[StructuralProblem]:
    if not isinstance(schema, dict):
        yield StructuralProblem(path, f"a schema has to be a mapping, not {_kind(schema)}")
        return
    yield from _own_keywords(schema, path, place)
    properties = schema.get("properties", {})
    if isinstance(properties, dict):
        for name, child in properties.items():
            yield from _schema(child, (*path, "properties", name), "for specified object fields")
    else:
        message = f"has to be a mapping of field names to schemas, not {_kind(properties)}"
        yield StructuralProblem((*path, "properties"), message)
    if isinstance(schema.get("items"), list):
        yield StructuralProblem((*path, "items"), "must be a schema object and not an array")
    elif "items" in schema:
        yield from _schema(schema["items"], (*path, "items"), "for specified array items")
    if not isinstance(schema.get("additionalProperties", True), bool):
        further = schema["additionalProperties"]
        yield from _schema(further, (*path, "additionalProperties"), "for specified object fields")
    yield from _branches(schema, path)


def _own_keywords(schema: JsonObject, path: Path, place: str) -> Iterator[StructuralProblem]:
    for keyword in _UNSUPPORTED:
        if keyword in schema:
            yield StructuralProblem((*path, keyword), f"'{keyword}' is not supported in a CustomResourceDefinition")
    for keyword, expected in damaged_constraints(schema):
        yield StructuralProblem((*path, keyword), f"{keyword} has to be {expected}, not {_kind(schema[keyword])}")
    own_type = schema.get("type")
    open_types = ("x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields")
    if own_type is not None and (not isinstance(own_type, str) or own_type not in _TYPES):
        known = ", ".join(sorted(_TYPES))
        yield StructuralProblem((*path, "type"), f"Unsupported value: {own_type!r}: supported values: {known}")
    elif own_type is None and not any(_is_true(schema, keyword) for keyword in open_types):
        yield StructuralProblem(path, f"Required value: type must not be empty {place}")
    if own_type == "array" and "items" not in schema:
        yield StructuralProblem(path, "Required value: items must be specified for an array")
    if schema.get("x-kubernetes-preserve-unknown-fields") is False:
        yield StructuralProblem((*path, "x-kubernetes-preserve-unknown-fields"), "must be true or undefined")
    if _is_true(schema, "x-kubernetes-int-or-string"):
        for keyword in ("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"):
            if _is_true(schema, keyword):
                message = "must be false if x-kubernetes-int-or-string is true"
                yield StructuralProblem((*path, keyword), message)
    if _is_true(schema, "x-kubernetes-embedded-resource"):
        yield from _embedded_resource(schema, path)


def _embedded_resource(schema: JsonObject, path: Path) -> Iterator[StructuralProblem]:
    keyword = "x-kubernetes-embedded-resource"
    if schema.get("type") != "object":
        yield StructuralProblem((*path, keyword), f"type must be object if {keyword} is true")
    if "additionalProperties" in schema:
        message = f"Forbidden: must not be used if {keyword} is set"
        yield StructuralProblem((*path, "additionalProperties"), message)
    if not schema.get("properties") and not _is_true(schema, "x-kubernetes-preserve-unknown-fields"):
        message = f"properties must not be empty if {keyword} is true without x-kubernetes-preserve-unknown-fields"
        yield StructuralProblem((*path, keyword), message)


def _branches(schema: JsonObject, path: Path) -> Iterator[StructuralProblem]:
    """The problems in `allOf`, `anyOf`, `oneOf` and `not` of a schema or of one of its branches."""
    int_or_string = _is_true(schema, "x-kubernetes-int-or-string")
    for keyword in ("allOf", "anyOf", "oneOf"):
        for position, branch in enumerate(as_list(schema.get(keyword))):
            place = (*path, keyword, position)
            if int_or_string and keyword == "anyOf" and schema[keyword] == _INT_OR_STRING:
                continue
            if int_or_string and keyword == "allOf" and position == 0 and branch == {"anyOf": _INT_OR_STRING}:
                continue
            yield from _branch(branch, place)
    if "not" in schema:
        yield from _branch(schema["not"], (*path, "not"))


def _branch(branch: JsonValue, path: Path) -> Iterator[StructuralProblem]:
    if not isinstance(branch, dict):
        yield StructuralProblem(path, f"a schema has to be a mapping, not {_kind(branch)}")
        return
    for keyword in _FORBIDDEN_IN_BRANCHES:
        if branch.get(keyword) not in (None, False, "", []):
            message = f"Forbidden: {keyword} must be undefined to be structural (below allOf, anyOf, oneOf or not)"
            yield StructuralProblem((*path, keyword), message)
    for keyword in _UNSUPPORTED:
        if keyword in branch:
            yield StructuralProblem((*path, keyword), f"'{keyword}' is not supported in a CustomResourceDefinition")
    for name, child in as_object(branch.get("properties")).items():
        place = (*path, "properties", name)
        if name == "metadata":
            yield StructuralProblem(place, "Forbidden: must not be specified in a nested context")
        yield from _branch(child, place)
    if "items" in branch:
        yield from _branch(branch["items"], (*path, "items"))
    yield from _branches(branch, path)


def _is_true(schema: JsonObject, keyword: str) -> bool:
    return schema.get(keyword) is True


def _kind(value: JsonValue) -> str:
    if value is None:
        return "nothing"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list", dict: "a mapping"}
    return names[type(value)]
