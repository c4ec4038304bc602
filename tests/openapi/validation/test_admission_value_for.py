"""YAML trees as values to validate."""

from __future__ import annotations

from kro_ls.openapi.json_values import JsonObject
from kro_ls.openapi.validation.admission import value_for
from kro_ls.yaml_positions.documents.chunks import parse_chunk
from kro_ls.yaml_positions.nodes import Alias, Mapping, Scalar

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "list": {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "string"}}},
        "open": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        "closed": {"type": "object"},
    },
}


def test_the_value_goes_as_far_as_the_schema() -> None:
    text = """\
name: [1, 2]
list: [{a: b, c: {d: e}}, 5, [x]]
open: {a: {b: c}}
closed: {a: b}
unknown: {a: [b]}
1: ~
[a]: b
"""
    assert value_for(parse_chunk(text).root, SCHEMA) == {
        "name": [],
        "list": [{"a": "b", "c": {}}, 5, []],
        "open": {},
        "closed": {},
        "unknown": {},
        "1": None,
    }


def test_aliases_and_merge_keys_are_followed() -> None:
    text = "base: &base {name: a, list: [&map {x: z}]}\nuse: {<<: *base, name: b, open: *none}\n"
    root = parse_chunk(text).root
    assert isinstance(root, Mapping)
    assert value_for(root.get("use"), SCHEMA) == {"name": "b", "list": [{"x": "z"}], "open": None}


def test_many_aliases_in_what_the_schema_leaves_open_cost_nothing() -> None:
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 40)]
    mapping = parse_chunk("\n".join([*lines, "open: {x: *a39}", "unknown: *a39"])).root
    value = value_for(mapping, SCHEMA)
    assert isinstance(value, dict)
    assert (value["open"], value["unknown"], value["a39"]) == ({}, None, [])  # repeated too often


def test_no_node_is_null() -> None:
    assert value_for(None, SCHEMA) is None
    assert value_for(Alias(0, 2, "a", None), SCHEMA) is None
    scalar = parse_chunk("5").root
    assert isinstance(scalar, Scalar)
    assert value_for(scalar, SCHEMA) == 5
