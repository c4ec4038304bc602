"""OpenAPI schemas as CEL types: exposure, names, escaping, open structs, embedded resources."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.kro.environment import base_environment
from kro_ls.openapi.cel_types import SchemaTypes, cel_type, declare
from tests.fixtures.declared_variables import declare_variables

JsonObject = dict[str, Any]
STRING: JsonObject = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, "string"),
        ({"type": "string", "format": "uuid", "enum": ["a"]}, "string"),
        ({"type": "string", "format": "byte"}, "bytes"),
        ({"type": "string", "format": "duration"}, "google.protobuf.Duration"),
        ({"type": "string", "format": "date"}, "google.protobuf.Timestamp"),
        ({"type": "string", "format": "date-time"}, "google.protobuf.Timestamp"),
        ({"type": "string", "format": "quantity"}, "string"),
        ({"type": "boolean"}, "bool"),
        ({"type": "number", "format": "int32"}, "double"),
        ({"type": "integer", "format": "int64"}, "int"),
        ({"type": ["integer", "null"]}, "int"),
        ({"type": ["null", "integer"]}, None),
        ({"type": []}, None),
        ({"x-kubernetes-int-or-string": True}, "dyn"),
        ({"type": "string", "format": "int-or-string"}, "dyn"),
        ({"x-kubernetes-int-or-string": False}, None),
        ({}, None),
        ({"type": "file"}, None),
        ({"oneOf": [{"type": "string"}]}, None),
        ({"x-kubernetes-preserve-unknown-fields": True}, None),
        ({"type": "array"}, None),
        ({"type": "array", "items": [{"type": "string"}]}, None),
        ({"type": "array", "items": {}}, None),
        ({"type": "array", "items": {"type": "integer"}}, "list(int)"),
        ({"type": "array", "items": {"type": "array", "items": {"type": "object"}}}, "list(list(__type_x.@idx.@idx))"),
        ({"type": "object"}, "__type_x"),
        ({"type": "object", "additionalProperties": True}, "__type_x"),
        ({"type": "object", "additionalProperties": False}, "__type_x"),
        ({"type": "object", "additionalProperties": {}}, "map(string, dyn)"),
        ({"type": "object", "additionalProperties": {"oneOf": []}}, "map(string, dyn)"),
        ({"type": "object", "additionalProperties": STRING, "properties": {"a": {}}}, "map(string, string)"),
        ({"type": "object", "additionalProperties": {"type": "object"}}, "map(string, __type_x.@elem)"),
        ({"type": "object", "x-kubernetes-preserve-unknown-fields": True}, "__type_x"),
    ],
)
def test_type_of_a_schema(schema: JsonObject, expected: str | None) -> None:
    found = cel_type(schema, "__type_x")
    assert (None if found is None else str(found)) == expected


SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "my-field": STRING,
                "namespace": STRING,
                "untyped": {},
                "$bad": STRING,
                "items": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}},
                "byName": {"type": "object", "additionalProperties": {"type": "object", "properties": {"x": STRING}}},
                "open": {
                    "type": "object",
                    "x-kubernetes-preserve-unknown-fields": True,
                    "properties": {"known": {"type": "boolean"}},
                },
            },
        }
    },
}


def provider(**schemas: JsonObject) -> SchemaTypes:
    return SchemaTypes([declare(variable, schema) for variable, schema in schemas.items()])


@pytest.mark.parametrize(
    ("struct", "field", "expected"),
    [
        ("__type_v", "spec", "__type_v.spec"),
        ("__type_v.spec", "my__dash__field", "string"),
        ("__type_v.spec", "my-field", None),
        ("__type_v.spec", "namespace", "string"),
        ("__type_v.spec", "__namespace__", "string"),
        ("__type_v.spec", "untyped", None),
        ("__type_v.spec", "$bad", None),
        ("__type_v.spec", "items", "list(__type_v.spec.items.@idx)"),
        ("__type_v.spec.items.@idx", "n", "int"),
        ("__type_v.spec", "byName", "map(string, __type_v.spec.byName.@elem)"),
        ("__type_v.spec.byName.@elem", "x", "string"),
        ("__type_v.spec.open", "known", "bool"),
        ("__type_v.spec.open", "other", "dyn"),
        ("__type_v.spec.open", "for", "dyn"),
        ("__type_v.spec.items", "n", None),
        ("__type_v.nothing", "n", None),
        ("__type_other", "n", None),
    ],
)
def test_fields(struct: str, field: str, expected: str | None) -> None:
    found = provider(v=SCHEMA).field_type(struct, field)
    assert (None if found is None else str(found)) == expected


def test_only_objects_are_structs() -> None:
    types = provider(v=SCHEMA)
    assert types.find_struct("__type_v.spec.items") is None
    assert types.find_struct("__type_v.spec.byName") is None
    assert types.find_struct("__type_v.spec.byName.@elem") is not None
    assert types.find_struct("__type_v.spec.untyped") is None


def test_the_schema_behind_a_type() -> None:
    assert provider(v=SCHEMA).find_schema("__type_v.spec.my__dash__field") == STRING


def test_an_embedded_resource_gains_names_and_loses_its_metadata() -> None:
    embedded: JsonObject = {
        "type": "object",
        "x-kubernetes-embedded-resource": True,
        "properties": {"metadata": {"type": "object", "properties": {"labels": STRING}}, "data": STRING},
    }
    types = provider(v={"type": "array", "items": embedded})
    struct = types.find_struct("__type_v.@idx")
    metadata = types.find_struct("__type_v.@idx.metadata")
    assert struct is not None
    assert metadata is not None
    assert set(struct.fields) == {"apiVersion", "kind", "metadata", "data"}
    assert set(metadata.fields) == {"name", "generateName"}


def test_an_embedded_resource_with_all_names_stays() -> None:
    metadata: JsonObject = {
        "type": "object",
        "properties": {"name": STRING, "generateName": {"type": ["string", "null"]}, "labels": STRING},
    }
    embedded: JsonObject = {
        "type": "object",
        "x-kubernetes-embedded-resource": True,
        "properties": {"apiVersion": STRING, "kind": STRING, "metadata": metadata},
    }
    found = provider(v={"type": "object", "properties": {"o": embedded}}).find_struct("__type_v.o.metadata")
    assert found is not None
    assert "labels" in found.fields


def test_a_root_is_not_treated_as_embedded() -> None:
    root: JsonObject = {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"a": STRING}}
    found = provider(v=root).find_struct("__type_v")
    assert found is not None
    assert set(found.fields) == {"a"}


def test_variables_that_are_not_exposed_are_not_declared() -> None:
    environment = declare_variables(base_environment(), {"a": SCHEMA, "b": {}, "c": {"type": "array", "items": SCHEMA}})
    assert {name: str(found) for name, found in environment.variables.items()} == {
        "runtime": "kro.run.Runtime",
        "a": "__type_a",
        "c": "list(__type_c.@idx)",
    }
    assert str(environment.field_type("__type_c.@idx.spec", "namespace")) == "string"
    assert str(environment.field_type("kro.run.Condition", "reason")) == "string"
    assert environment.field_type("kro.run.Condition", "nope") is None


def test_the_same_schema_is_declared_once() -> None:
    assert declare("v", SCHEMA) is declare("v", SCHEMA)
    assert declare("v", SCHEMA) is not declare("w", SCHEMA)
    assert declare("v", SCHEMA) is not declare("v", dict(SCHEMA))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["string", "object", "array", "x", "date-time"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "properties", "items", "additionalProperties", "format", "x-kubernetes-embedded-resource", "a"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["type", "properties", "items", "additionalProperties", "format"]), JSON))
def test_malformed_schemas_never_raise(schema: JsonObject) -> None:
    root = declare("v", schema)
    for name in ("__type_v", "__type_v.a", "__type_v.@idx", "__type_v.@elem.type", "__type_v.items.metadata"):
        root.find_struct(name)
