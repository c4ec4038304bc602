"""Whether a CustomResourceDefinition's schema is structural, which the API server demands.

Source: k8s.io/apiextensions-apiserver, pkg/apiserver/schema/validation.go and convert.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import JsonObject, JsonValue, as_list, as_object
from kro_ls.openapi.sources.crds.constraints import StructuralProblem, answer, constraint_problems
from kro_ls.openapi.sources.crds.definition_schema import BRANCHES, FORBIDDEN_IN_BRANCHES, TYPES, UNSUPPORTED
from kro_ls.openapi.validation.field_errors import go_value
from kro_ls.openapi.well_formed import damaged_constraints
from kro_ls.spelling import closest, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import Path

_INT_OR_STRING: list[JsonValue] = [{"type": "integer"}, {"type": "string"}]
_IN_BRANCHES = ("uniqueItems",)
_METADATA = {"description", "type", "properties"}

_ABSENT = {
    **dict.fromkeys(
        ("type", "title", "description", "x-kubernetes-list-map-keys", "x-kubernetes-validations"), "empty"
    ),
    **dict.fromkeys(("nullable", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"), "false"),
    "x-kubernetes-int-or-string": "false",
}
"""The value that the API server demands of a keyword there, if it is not `undefined`."""


def structural_problems(schema: JsonValue) -> Iterator[StructuralProblem]:
    """Yield why an `openAPIV3Schema` is not structural."""
    if not isinstance(schema, dict):
        yield StructuralProblem((), f"a schema must be a mapping, not {_kind(schema)}")
        return
    if "additionalProperties" in schema:
        message = "'additionalProperties' is not allowed at the top of a schema"
        yield StructuralProblem(
            ("additionalProperties",), message, "additionalProperties: Forbidden: must not be used at the root"
        )
    own_type = schema.get("type")
    if isinstance(own_type, str) and own_type in TYPES and own_type != "object":
        message = f"the type at the top of a schema must be object, not {own_type}"
        yield StructuralProblem(
            ("type",), message, f"type: Invalid value: {go_quoted(own_type)}: must be object at the root", at_value=True
        )
    metadata = as_object(as_object(schema.get("properties")).get("metadata"))
    if set(metadata) - _METADATA or set(as_object(metadata.get("properties"))) - {"name", "generateName"}:
        printed = "must not specify anything other than name and generateName, but metadata is implicitly specified"
        message = "the schema of 'metadata' may only describe 'name' and 'generateName'"
        yield StructuralProblem(("properties", "metadata"), message, f"properties[metadata]: Forbidden: {printed}")
    yield from _schema(schema, (), "at the root")


def _schema(schema: JsonValue, path: Path, place: str) -> Iterator[StructuralProblem]:
    if not isinstance(schema, dict):
        yield StructuralProblem(path, f"a schema must be a mapping, not {_kind(schema)}")
        return
    yield from _own_keywords(schema, path, place)
    properties = schema.get("properties", {})
    if isinstance(properties, dict):
        for name, child in properties.items():
            yield from _schema(child, (*path, "properties", name), "for specified object fields")
    else:
        message = f"'properties' must be a mapping of field names to schemas, not {_kind(properties)}"
        yield StructuralProblem((*path, "properties"), message)
    if isinstance(schema.get("items"), list):
        message = "'items' must be one schema for all items, not a list of schemas"
        printed = answer((*path, "items"), "Forbidden: items must be a schema object and not an array")
        yield StructuralProblem((*path, "items"), message, printed)
    elif "items" in schema:
        yield from _schema(schema["items"], (*path, "items"), "for specified array items")
    if not isinstance(schema.get("additionalProperties", True), bool):
        further = schema["additionalProperties"]
        yield from _schema(further, (*path, "additionalProperties"), "for specified object fields")
    yield from _branches(schema, path)


def _own_keywords(schema: JsonObject, path: Path, place: str) -> Iterator[StructuralProblem]:
    for keyword in UNSUPPORTED:
        if keyword in schema:
            yield _unsupported(path, keyword)
    for keyword, expected in damaged_constraints(schema):
        message = f"'{keyword}' must be {expected}, not {_kind(schema[keyword])}"
        yield StructuralProblem((*path, keyword), message, at_value=True)
    own_type = schema.get("type")
    open_types = ("x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields")
    if own_type is not None and (not isinstance(own_type, str) or own_type not in TYPES):
        known = ", ".join(map(go_quoted, sorted(TYPES)))
        printed = answer((*path, "type"), f"Unsupported value: {go_value(own_type)}: supported values: {known}")
        shown = f"'{own_type}'" if isinstance(own_type, str) else _kind(own_type)
        meant = closest(own_type, TYPES) if isinstance(own_type, str) else None
        expected = f"did you mean '{meant}'?" if meant else f"expected {listed(sorted(TYPES))}"
        message = f"{shown} is not a type of schemas; {expected}"
        yield StructuralProblem((*path, "type"), message, printed, meant=meant or "", at_value=True)
    elif own_type is None and not any(_is_true(schema, keyword) for keyword in open_types):
        name = f"'{path[-1]}'" if path and isinstance(path[-1], str) else "this schema"
        printed = answer((*path, "type"), f"Required value: must not be empty {place}")
        yield StructuralProblem(path, f"{name} has no type", printed, absent="type")
    if own_type == "array" and "items" not in schema:
        printed = answer((*path, "items"), "Required value: must be specified")
        yield StructuralProblem(path, "an array needs 'items', the schema of its items", printed, absent="items")
    yield from constraint_problems(schema, path)
    if schema.get("x-kubernetes-preserve-unknown-fields") is False:
        keyword = "x-kubernetes-preserve-unknown-fields"
        printed = answer((*path, keyword), "Invalid value: false: must be true or undefined")
        yield StructuralProblem((*path, keyword), f"'{keyword}' must be true or absent", printed, at_value=True)
    if _is_true(schema, "x-kubernetes-int-or-string"):
        for keyword in ("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"):
            if _is_true(schema, keyword):
                message = f"'{keyword}' is not allowed beside 'x-kubernetes-int-or-string'"
                printed = "Invalid value: true: must be false if x-kubernetes-int-or-string is true"
                yield StructuralProblem((*path, keyword), message, answer((*path, keyword), printed))
    if _is_true(schema, "x-kubernetes-embedded-resource"):
        yield from _embedded_resource(schema, path)


def _embedded_resource(schema: JsonObject, path: Path) -> Iterator[StructuralProblem]:
    keyword = "x-kubernetes-embedded-resource"
    if schema.get("type") != "object":
        message = f"'{keyword}' is only allowed on the type object"
        wrong = f"Invalid value: {go_value(schema['type'])}" if schema.get("type") else "Required value"
        printed = answer((*path, "type"), f"{wrong}: must be object if {keyword} is true")
        yield StructuralProblem((*path, keyword), message, printed)
    if "additionalProperties" in schema:
        message = f"'additionalProperties' is not allowed beside '{keyword}'"
        place = (*path, "additionalProperties")
        yield StructuralProblem(place, message, answer(place, f"Forbidden: must not be used if {keyword} is set"))
    if not schema.get("properties") and not _is_true(schema, "x-kubernetes-preserve-unknown-fields"):
        message = f"'{keyword}' needs 'properties', or 'x-kubernetes-preserve-unknown-fields: true'"
        printed = f"must not be empty if {keyword} is true without x-kubernetes-preserve-unknown-fields"
        yield StructuralProblem((*path, keyword), message, answer((*path, "properties"), f"Required value: {printed}"))


def _branches(schema: JsonObject, path: Path) -> Iterator[StructuralProblem]:
    """Yield the problems in `allOf`, `anyOf`, `oneOf` and `not` of a schema or of one of its branches."""
    int_or_string = _is_true(schema, "x-kubernetes-int-or-string")
    for keyword in BRANCHES:
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
        yield StructuralProblem(path, f"a schema must be a mapping, not {_kind(branch)}")
        return
    for keyword in FORBIDDEN_IN_BRANCHES:
        if branch.get(keyword) not in (None, False, "", []):
            message = f"'{keyword}' is not allowed inside allOf, anyOf, oneOf or not"
            printed = f"Forbidden: must be {_ABSENT.get(keyword, 'undefined')} to be structural"
            yield StructuralProblem((*path, keyword), message, answer((*path, keyword), printed))
    for keyword in UNSUPPORTED:
        if keyword in branch:
            yield _unsupported(path, keyword)
    yield from constraint_problems({name: branch[name] for name in _IN_BRANCHES if name in branch}, path)
    for name, child in as_object(branch.get("properties")).items():
        place = (*path, "properties", name)
        if name == "metadata":
            message = "'metadata' is not allowed inside allOf, anyOf, oneOf or not"
            printed = answer(place, "Forbidden: must not be specified in a nested context")
            yield StructuralProblem(place, message, printed)
        yield from _branch(child, place)
    if "items" in branch:
        yield from _branch(branch["items"], (*path, "items"))
    yield from _branches(branch, path)


def _unsupported(path: Path, keyword: str) -> StructuralProblem:
    message = f"'{keyword}' is not supported in a CustomResourceDefinition"
    return StructuralProblem(
        (*path, keyword), message, answer((*path, keyword), f"Forbidden: {keyword} is not supported")
    )


def _is_true(schema: JsonObject, keyword: str) -> bool:
    return schema.get(keyword) is True


def _kind(value: JsonValue) -> str:
    if value is None:
        return "nothing"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list", dict: "a mapping"}
    return names[type(value)]
