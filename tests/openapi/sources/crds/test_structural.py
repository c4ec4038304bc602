"""Which schemas the API server calls structural."""

import pytest

from kro_ls.openapi.json_values import JsonObject, JsonValue
from kro_ls.openapi.sources.crds.structural import structural_problems


def problems(**fields: JsonValue) -> list[tuple[str, str, str]]:
    schema: JsonObject = {"type": "object", "properties": dict(fields)}
    return [
        ("/".join(map(str, problem.path)).removeprefix("properties/"), problem.message, problem.printed)
        for problem in structural_problems(schema)
    ]


BOTH: list[JsonValue] = [{"type": "integer"}, {"type": "string"}]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "anyOf": [{"pattern": "^a"}, {"enum": ["b"]}]},
        {"x-kubernetes-int-or-string": True},
        {"x-kubernetes-int-or-string": True, "anyOf": BOTH, "pattern": "^[0-9]+%?$"},
        {"x-kubernetes-int-or-string": True, "allOf": [{"anyOf": BOTH}, {"maxLength": 3}]},
        {"x-kubernetes-preserve-unknown-fields": True},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "object", "additionalProperties": True},
        {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}},
        {"type": "object", "properties": {"a": {"type": "string"}}, "oneOf": [{"required": ["a"]}, {"not": {}}]},
        {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True},
    ],
)
def test_structural(schema: JsonObject) -> None:
    assert problems(f=schema) == []


EMBEDDED = "x-kubernetes-embedded-resource"
KEEPS = "x-kubernetes-preserve-unknown-fields"


@pytest.mark.parametrize(
    ("schema", "path", "message", "printed"),
    [
        ({}, "f", "'f' has no type", "[f].type: Required value: must not be empty for specified object fields"),
        (
            {"type": "array", "items": {}},
            "f/items",
            "'items' has no type",
            "[f].items.type: Required value: must not be empty for specified array items",
        ),
        (
            {"type": "array", "items": [{"type": "string"}]},
            "f/items",
            "'items' must be one schema for all items, not a list of schemas",
            "[f].items: Forbidden: items must be a schema object and not an array",
        ),
        (
            {"type": "array"},
            "f",
            "an array needs 'items', the schema of its items",
            "[f].items: Required value: must be specified",
        ),
        (
            {"type": "strin"},
            "f/type",
            "'strin' is not a type of schemas; did you mean 'string'?",
            '[f].type: Unsupported value: "strin": supported values: "array", "boolean"',
        ),
        (
            {"type": "date"},
            "f/type",
            "'date' is not a type of schemas; expected 'array', 'boolean', 'integer', 'number', 'object' or 'string'",
            "[f].type: Unsupported value",
        ),
        ({"type": ["string", "null"]}, "f/type", "a list is not a type of schemas", "[f].type: Unsupported value"),
        (
            {"type": "string", "anyOf": [{"type": "string"}]},
            "f/anyOf/0/type",
            "'type' is not allowed inside allOf, anyOf, oneOf or not",
            "[f].anyOf[0].type: Forbidden: must be empty to be structural",
        ),
        (
            {"type": "string", "not": {"default": "a"}},
            "f/not/default",
            "'default' is not allowed inside allOf",
            "[f].not.default: Forbidden: must be undefined to be structural",
        ),
        ({"x-kubernetes-int-or-string": True, "oneOf": BOTH}, "f/oneOf/0/type", "'type' is not allowed", "Forbidden"),
        (
            {"type": "object", "oneOf": [{"properties": {"metadata": {}}}]},
            "f/oneOf/0/properties/metadata",
            "'metadata' is not allowed inside allOf, anyOf, oneOf or not",
            "[f].oneOf[0].properties[metadata]: Forbidden: must not be specified in a nested context",
        ),
        (
            {"type": "object", "allOf": [{"properties": {"a": {"type": "x"}}}]},
            "f/allOf/0/properties/a/type",
            "'type' is not allowed",
            "must be empty to be structural",
        ),
        ({"type": "object", "allOf": ["?"]}, "f/allOf/0", "a schema must be a mapping, not a string", ""),
        (
            {"type": "object", "properties": ["a"]},
            "f/properties",
            "'properties' must be a mapping of field names to schemas, not a list",
            "",
        ),
        ({"type": "object", "additionalProperties": {}}, "f/additionalProperties", "has no type", "must not be empty"),
        (
            {"type": "string", "$ref": "#/a"},
            "f/$ref",
            "'$ref' is not supported in a CustomResourceDefinition",
            "[f].$ref: Forbidden: $ref is not supported",
        ),
        (
            {"type": "object", EMBEDDED: True},
            f"f/{EMBEDDED}",
            f"'{EMBEDDED}' needs 'properties', or '{KEEPS}: true'",
            "[f].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without",
        ),
        (
            {"type": "string", EMBEDDED: True},
            f"f/{EMBEDDED}",
            f"'{EMBEDDED}' is only allowed on the type object",
            '[f].type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true',
        ),
        ({"type": "string", "minLength": "3"}, "f/minLength", "'minLength' must be an integer, not a string", ""),
        (
            {"type": "string", KEEPS: False},
            f"f/{KEEPS}",
            f"'{KEEPS}' must be true or absent",
            f"[f].{KEEPS}: Invalid value: false: must be true or undefined",
        ),
    ],
)
def test_not_structural(schema: JsonObject, path: str, message: str, printed: str) -> None:
    found = problems(f=schema)
    assert any(place == path and message in what and printed in answer for place, what, answer in found), found


def test_the_root() -> None:
    assert [problem.message for problem in structural_problems({"type": "array", "items": {"type": "string"}})] == [
        "the type at the top of a schema must be object, not array"
    ]
    assert [problem.path for problem in structural_problems({"type": "object", "additionalProperties": True})] == [
        ("additionalProperties",)
    ]
    assert [problem.message for problem in structural_problems("x")] == ["a schema must be a mapping, not a string"]
    named: JsonObject = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}}}
    assert list(structural_problems({"type": "object", "properties": {"metadata": named}})) == []
    labels: JsonObject = {"type": "object", "properties": {"labels": {"type": "object"}}}
    (problem,) = structural_problems({"type": "object", "properties": {"metadata": labels}})
    assert problem.message == "the schema of 'metadata' may only describe 'name' and 'generateName'"
    assert problem.printed.startswith("properties[metadata]: Forbidden: must not specify anything other than name")
