"""Which results of expressions kro lets fill which fields (executed cases of its structural comparison)."""

from __future__ import annotations

from functools import lru_cache

import pytest

from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.index import SchemaIndex
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.crds.source import CrdSource
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.yaml_positions.text import Text

_CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: targets.example.com}
spec:
  group: example.com
  names: {kind: Target, plural: targets}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                text: {type: string}
                whole: {type: integer}
                number: {type: number}
                flag: {type: boolean}
                bytes: {type: string, format: byte}
                time: {type: string, format: date-time}
                length: {type: string, format: duration}
                texts: {type: array, items: {type: string}}
                wholes: {type: array, items: {type: integer}}
                map: {type: object, additionalProperties: {type: string}}
                point: {type: object, properties: {x: {type: integer}, "y": {type: integer}}}
                points: {type: array, items: {type: object, properties: {x: {type: integer}, "y": {type: integer}}}}
                byname: {type: object, additionalProperties: {type: object, properties: {x: {type: integer}}}}
                container:
                  type: object
                  properties: {name: {type: string}, image: {type: string}, args: {type: array, items: {type: string}}}
                empty: {type: object}
                open: {type: object, x-kubernetes-preserve-unknown-fields: true}
                either: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
                anything: {x-kubernetes-preserve-unknown-fields: true}
                my-field: {type: object, properties: {x: {type: integer}}}
"""
_RGD = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec:
      text: string
      m: "map[string]string"
      px: {x: integer}
      pxyz: {x: integer, "y": integer, z: integer}
      ptext: {x: string}
      free: object
      points: "[]point"
    types:
      point: {x: integer}
  resources:
    - id: target
      template:
        apiVersion: example.com/v1
        kind: Target
        metadata: {name: a}
        spec:
          FIELD: |-
            ${EXPRESSION}
"""


@lru_cache(maxsize=1)
def _schemas() -> SchemaIndex:
    return schema_index(kubernetes(), (CrdSource([("crd.yaml", _CRD)], schema_index(kubernetes()).object_meta),))


def errors(field: str, expression: str, for_each: str = "") -> list[tuple[str, str]]:
    """Return code and message of each error when a field of the target is filled with an expression."""
    text = _RGD.replace("FIELD", field).replace("EXPRESSION", expression)
    if for_each:
        text = text.replace("      template:", f"      forEach: [{{v: '{for_each}'}}]\n      template:")
        text = text.replace("{name: a}", "{name: '${v}'}")
    found = diagnose_text(Text(text), schemas=_schemas()).diagnostics
    return [(each.code, str(each.kro_message)) for each in found if each.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("field", "expression"),
    [
        ("text", "optional.of('a')"),
        ("text", "optional.of(optional.of('a'))"),
        ("text", "json.unmarshal('{}')"),
        ("text", "schema.spec.free.a"),
        ("text", "[1, 'a'][0]"),
        ("whole", "dyn('a')"),
        ("number", "1.5"),
        ("bytes", "b'a'"),
        ("time", "timestamp(schema.spec.text)"),
        ("length", "duration('1s')"),
        ("texts", "[]"),
        ("texts", "[1, 'a']"),
        ("texts", "[optional.of('a')]"),
        ("texts", "schema.spec.m"),
        ("map", "{}"),
        ("map", "schema.spec.ptext"),
        ("point", "null"),
        ("point", "schema.spec.px"),
        ("point", "{'foo': 1}"),
        ("point", "{'x': 1, 'foo': 'a'}"),
        ("point", "'text'"),
        ("point", "1"),
        ("point", "[1]"),
        ("point", "type(1)"),
        ("point", "quantity('1')"),
        ("point", "schema.spec.free"),
        ("points", "[schema.spec.px]"),
        ("points", "schema.spec.points"),
        ("points", "[1]"),
        ("container", "{'name': 'a', 'args': ['b']}"),
        ("empty", "{'a': 1}"),
        ("empty", "1"),
        ("open", "schema.spec.pxyz"),
        ("open", "{'a': 1}"),
        ("open", "1"),
        ("either", "true"),
        ("either", "[1]"),
        ("anything", "schema.spec.px"),
        ("anything", "{}"),
        ("map", "true ? schema.spec.m : {}"),
        ("my-field", "schema.spec.ptext"),
        ("my-field", "{}"),
    ],
)
def test_what_a_field_takes(field: str, expression: str) -> None:
    assert errors(field, expression) == []


@pytest.mark.parametrize(
    ("field", "expression", "reason"),
    [
        ("text", "1", 'type kind mismatch: got "int", expected "string"'),
        ("text", "optional.of(1)", 'type kind mismatch: got "int", expected "string"'),
        ("text", "null", 'type kind mismatch: got "null_type", expected "string"'),
        ("text", "schema.metadata.creationTimestamp", 'got "google.protobuf.Timestamp", expected "string"'),
        ("whole", "1.0", 'type kind mismatch: got "double", expected "int"'),
        ("whole", "1u", 'type kind mismatch: got "uint", expected "int"'),
        ("number", "1", 'type kind mismatch: got "int", expected "double"'),
        ("flag", "'true'", 'type kind mismatch: got "string", expected "bool"'),
        ("bytes", "schema.spec.text", 'type kind mismatch: got "string", expected "bytes"'),
        ("time", "schema.spec.text", 'type kind mismatch: got "string", expected "google.protobuf.Timestamp"'),
        ("length", "'1s'", 'type kind mismatch: got "string", expected "google.protobuf.Duration"'),
        ("texts", "null", "list parameter count mismatch: got 0, expected 1"),
        ("texts", "'a'", "list parameter count mismatch: got 0, expected 1"),
        ("texts", "[1]", 'list element type incompatible: type kind mismatch: got "int", expected "string"'),
        ("wholes", "schema.spec.m", 'list element type incompatible: type kind mismatch: got "string", expected "int"'),
        ("map", "{'a': 1}", 'map value type incompatible: type kind mismatch: got "int", expected "string"'),
        ("map", "{1: 'a'}", 'map key type incompatible: type kind mismatch: got "int", expected "string"'),
        ("map", "['a']", "map parameter count mismatch: got 1, expected 2"),
        ("map", "schema.spec.px", 'struct field "x" incompatible with map value type'),
        ("point", "schema.spec.pxyz", 'field "z" exists in output but not in expected type'),
        ("point", "schema.spec.ptext", 'field "x" has incompatible type'),
        ("point", "{'x': 'a'}", 'map value incompatible with struct field "x"'),
        ("point", "{1: 1}", "map keys must be strings to assign to struct"),
        ("point", "{}", "map keys must be strings to assign to struct"),
        ("points", "[schema.spec.pxyz]", 'field "z" exists in output but not in expected type'),
        ("container", "{'name': 'a', 'image': 'b'}", 'map value incompatible with struct field "args"'),
        ("empty", "schema.spec.px", 'field "x" exists in output but not in expected type'),
        ("empty", "{}", "map keys must be strings to assign to struct"),
        ("open", "{}", "map keys must be strings to assign to struct"),
        ("open", "{1: 1}", "map keys must be strings to assign to struct"),
    ],
)
def test_what_a_field_refuses(field: str, expression: str, reason: str) -> None:
    found = errors(field, expression)
    assert [code for code, _ in found] == ["type-mismatch"], found
    assert reason in found[0][1]


@pytest.mark.parametrize("expression", ["schema.spec.pxyz", "schema.spec.ptext", "{'x': 'a'}", "{}"])
def test_in_a_collection_objects_are_not_compared(expression: str) -> None:
    """The item type of a collection has another name than the expected type, which then cannot be resolved."""
    assert errors("point", expression, '${["a"]}') == []


def test_in_a_collection_other_values_are_compared() -> None:
    assert [code for code, _ in errors("text", "1", '${["a"]}')] == ["type-mismatch"]
    assert [code for code, _ in errors("map", "{'a': 1}", '${["a"]}')] == ["type-mismatch"]
