"""Which schemas the API server calls structural."""

import pytest

from kro_ls.openapi.json_values import JsonObject, JsonValue
from kro_ls.openapi.sources.crds.structural import structural_problems


def problems(**fields: JsonValue) -> list[tuple[str, str]]:
    schema: JsonObject = {"type": "object", "properties": dict(fields)}
    return [
        ("/".join(map(str, problem.path)).removeprefix("properties/"), problem.message)
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


@pytest.mark.parametrize(
    ("schema", "path", "message"),
    [
        ({}, "f", "must not be empty for specified object fields"),
        ({"type": "array", "items": {}}, "f/items", "must not be empty for specified array items"),
        ({"type": "array", "items": [{"type": "string"}]}, "f/items", "not an array"),
        ({"type": "array"}, "f", "items must be specified"),
        ({"type": ["string", "null"]}, "f/type", "Unsupported value"),
        ({"type": "string", "anyOf": [{"type": "string"}]}, "f/anyOf/0/type", "must be undefined"),
        ({"type": "string", "not": {"default": "a"}}, "f/not/default", "must be undefined"),
        ({"x-kubernetes-int-or-string": True, "oneOf": BOTH}, "f/oneOf/0/type", "must be undefined"),
        ({"type": "object", "oneOf": [{"properties": {"metadata": {}}}]}, "f/oneOf/0/properties/metadata", "nested"),
        (
            {"type": "object", "allOf": [{"properties": {"a": {"type": "x"}}}]},
            "f/allOf/0/properties/a/type",
            "undefined",
        ),
        ({"type": "object", "allOf": ["?"]}, "f/allOf/0", "a schema has to be a mapping, not a string"),
        ({"type": "object", "properties": ["a"]}, "f/properties", "mapping of field names"),
        ({"type": "object", "additionalProperties": {}}, "f/additionalProperties", "must not be empty"),
        ({"type": "string", "$ref": "#/a"}, "f/$ref", "not supported"),
        ({"type": "object", "x-kubernetes-embedded-resource": True}, "f/x-kubernetes-embedded-resource", "properties"),
        ({"type": "string", "x-kubernetes-embedded-resource": True}, "f/x-kubernetes-embedded-resource", "object"),
        (
            {"type": "string", "x-kubernetes-preserve-unknown-fields": False},
            "f/x-kubernetes-preserve-unknown-fields",
            "true",
        ),
    ],
)
def test_not_structural(schema: JsonObject, path: str, message: str) -> None:
    assert any(place == path and message in what for place, what in problems(f=schema)), problems(f=schema)


def test_the_root() -> None:
    assert [problem.message for problem in structural_problems({"type": "array", "items": {"type": "string"}})] == [
        "must be object at the root"
    ]
    assert [problem.path for problem in structural_problems({"type": "object", "additionalProperties": True})] == [
        ("additionalProperties",)
    ]
    assert [problem.message for problem in structural_problems("x")] == ["a schema has to be a mapping, not a string"]
    named: JsonObject = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}}}
    assert list(structural_problems({"type": "object", "properties": {"metadata": named}})) == []
    labels: JsonObject = {"type": "object", "properties": {"labels": {"type": "object"}}}
    (problem,) = structural_problems({"type": "object", "properties": {"metadata": labels}})
    assert "other than name and generateName" in problem.message
