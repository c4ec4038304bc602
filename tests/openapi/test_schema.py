"""The typed view of a schema."""

from kro_ls.openapi.json_values import JsonObject
from kro_ls.openapi.schema import ANYTHING, Schema

ROOT = Schema(
    {
        "type": "object",
        "description": "An example.",
        "required": ["spec"],
        "properties": {
            "spec": {
                "type": "object",
                "properties": {
                    "ports": {
                        "type": "array",
                        "x-kubernetes-list-type": "map",
                        "x-kubernetes-list-map-keys": ["name"],
                        "items": {"type": "object", "properties": {"name": {"type": "string"}}},
                    },
                    "labels": {"type": "object", "additionalProperties": {"type": "string"}},
                    "open": {
                        "type": "object",
                        "x-kubernetes-preserve-unknown-fields": True,
                        "properties": {"a": {"type": "integer", "format": "int32", "default": 3, "nullable": True}},
                    },
                    "any": {"type": "object", "additionalProperties": True},
                },
            }
        },
    }
)


def types(schema: JsonObject) -> tuple[str, ...]:
    return Schema(schema).types


def test_fields_are_found_by_path() -> None:
    name = ROOT.field(("spec", "ports", 3, "name"))
    assert name is not None
    assert name.types == ("string",)
    labels = ROOT.field(("spec", "labels", "a.b/c"))
    assert labels is not None
    assert labels.types == ("string",)
    assert ROOT.field(()) is ROOT


def test_unknown_fields() -> None:
    for path in [("spek",), ("spec", "ports", "name"), ("spec", "ports", 0, "x", "y"), ("spec", 1)]:
        assert ROOT.field(path) is None


def test_what_is_open() -> None:
    assert ROOT.field(("spec", "open", "b")) is ANYTHING
    assert ROOT.field(("spec", "open", "b", 0, "c")) is ANYTHING
    known = ROOT.field(("spec", "open", "a"))
    assert known is not None
    assert (known.default, known.nullable, known.format) == (3, True, "int32")
    unrestricted = ROOT.field(("spec", "any", "x"))
    assert unrestricted is not None
    assert unrestricted.types == ()


def test_keywords() -> None:
    ports = ROOT.field(("spec", "ports"))
    assert ports is not None
    assert ports.list_type == "map"
    assert (ROOT.required, ROOT.description, ROOT.list_type) == (("spec",), "An example.", "atomic")
    assert list(ROOT.properties) == ["spec"]
    assert ROOT.items is None
    assert not ROOT.preserves_unknown_fields
    assert Schema({"description": "Old. Deprecated: use b."}).is_deprecated


def test_types() -> None:
    assert types({"type": "string"}) == ("string",)
    assert types({"type": ["string", "null"]}) == ("string", "null")
    assert types({"x-kubernetes-int-or-string": True}) == ("integer", "string")
    assert types({"format": "int-or-string", "oneOf": [{"type": "integer"}, {"type": "string"}]}) == (
        "integer",
        "string",
    )
    assert types({"oneOf": [{"type": "string"}, {"type": "number"}]}) == ("string", "number")
    assert types({}) == ()


def test_branches_restrict() -> None:
    schema = Schema({"enum": ["a", "b"], "allOf": [{"enum": ["b", "c"]}, {"required": ["x"]}], "required": ["y"]})
    assert schema.enum == ("b",)
    assert schema.required == ("y", "x")
    assert Schema({"anyOf": [{"enum": ["a"]}, {"enum": ["b"]}]}).enum == ("a", "b")
    assert Schema({"anyOf": [{"enum": ["a"]}, {"pattern": "^x"}]}).enum == ()


def test_malformed_keywords_are_as_if_absent() -> None:
    schema = Schema(
        {"description": 3, "required": "a", "enum": {}, "properties": [], "items": "x", "type": 7, "anyOf": 1}
    )
    assert (schema.description, schema.required, schema.enum, schema.properties) == ("", (), (), {})
    assert (schema.items, schema.types, schema.additional_properties) == (None, (), None)
    assert schema.field(("a",)) is None
