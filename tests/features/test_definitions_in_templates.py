"""Completion and hover in the template of a CustomResourceDefinition."""

from __future__ import annotations

import textwrap

import pytest

from kro_ls.openapi.index import SchemaIndex
from kro_ls.openapi.sources.bundled import kubernetes, minors
from tests.fixtures.definitions import rgd
from tests.fixtures.features import check_hover
from tests.fixtures.language import fixture
from tests.fixtures.yaml_completion import accepted, completed, labels

HEAD = """
- id: gadgets
  template:
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata:
      name: gadgets.example.com
    spec:
      group: example.com
      names: {kind: Gadget, plural: gadgets}
      scope: Namespaced
      versions:
        - name: v1
          schema:
            openAPIV3Schema:
"""
SIZE = "type: object\nproperties:\n  spec:\n    type: object\n    properties:\n      size:\n"


def definition(schema: str) -> str:
    return rgd(HEAD + textwrap.indent(schema, " " * 14) + "\n")


def field(schema: str) -> str:
    """Return a definition whose deepest field has a schema."""
    return definition(SIZE + textwrap.indent(schema, " " * 8))


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ("$0", ["type", "description", "properties"]),
        ("type: object\n$0", ["properties", "description", "required"]),
        ("type: array\n$0", ["items", "description", "x-kubernetes-list-type"]),
        ("type: string\n$0", ["description", "maxLength", "pattern"]),
        ("type: integer\n$0", ["format", "description", "minimum"]),
        ("properties: {}\n$0", ["type", "description", "required"]),
        ("x-kubernetes-int-or-string: true\n$0", ["description", "anyOf", "pattern"]),
        ("type: array\nitems:\n  type: object\n  additionalProperties:\n    $0", ["type", "description", "properties"]),
        ("type: object\noneOf:\n- $0", ["required", "not", "anyOf"]),
        ("type: string\nnot:\n  $0", ["required", "not", "anyOf"]),
        ("type: string\nx-kubernetes-validations:\n- $0", ["rule", "fieldPath", "message"]),
        ("type: $0", ["string", "object", "array", "integer", "boolean", "number"]),
        ("items: {}\ntype: $0", ["array", "string", "object", "integer", "boolean", "number"]),
        ("type: integer\nformat: $0", ["int64", "int32"]),
        ("type: number\nformat: $0", ["double", "float"]),
        ("type: string\nformat: $0", ["date-time", "byte", "cidr"]),
        ("type: boolean\ndefault: $0", ["true", "false"]),
        ("type: string\nenum: [small, large]\ndefault: $0", ["small", "large"]),
        ("type: array\nx-kubernetes-list-type: $0", ["atomic", "set", "map"]),
        ("type: object\nx-kubernetes-map-type: $0", ["atomic", "granular"]),
        ("type: object\nx-kubernetes-preserve-unknown-fields: $0", ["true"]),
    ],
)
def test_what_a_schema_says_is_offered_at_any_depth(schema: str, expected: list[str]) -> None:
    assert labels(field(schema))[: len(expected)] == expected


def test_what_the_api_server_refuses_is_not_offered() -> None:
    keywords = set(labels(field("$0")))
    assert not {"$ref", "definitions", "patternProperties", "uniqueItems"} & keywords
    assert not {"type", "default", "nullable"} & set(labels(field("type: string\nanyOf:\n- $0")))


def test_every_kubernetes_has_the_keywords() -> None:
    for minor in minors():
        found = fixture(field("type: string\n$0"), schemas=SchemaIndex(kubernetes(minor)))
        assert found.cursor.open_yaml
        assert found.cursor.open_yaml.schema
        assert {"pattern", "x-kubernetes-validations"} <= set(found.cursor.open_yaml.schema.schema.properties)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ("type: object\nproperties:\n  $0", ["spec", "status", "apiVersion", "kind", "metadata"]),
        ("properties:\n  spec: {}\n  status:\n    properties:\n      $0", ["conditions", "observedGeneration"]),
        ("properties:\n  spec:\n    required: [size, color]\n    properties:\n      size: {}\n      $0", ["color"]),
        ("properties:\n  spec: {}\n  status: {}\nrequired:\n- $0", ["spec", "status"]),
        ("properties:\n  spec: {}\n  status: {}\nrequired:\n  $0", ["- spec", "- status"]),
        ("properties:\n  spec: {}\n  status: {}\nrequired:\n- spec\n- $0", ["status"]),
        ("properties:\n  spec:\n    items: {properties: {name: {}}}\n    x-kubernetes-list-map-keys: [$0]", ["name"]),
    ],
)
def test_names_of_fields_are_offered(schema: str, expected: list[str]) -> None:
    assert labels(definition(schema)) == expected


def test_the_fields_of_another_version_are_offered() -> None:
    source = (
        definition("type: object\nproperties:\n  spec:\n    properties:\n      $0")
        + """\
            - name: v1beta1
              schema:
                openAPIV3Schema:
                  properties:
                    spec:
                      properties:
                        size: {type: integer}
"""
    )
    assert labels(source) == ["size"]
    assert "size:\n                          type: integer\n" in accepted(source, "size")


FIELDS = "properties:\n  spec:\n    properties:\n      $0\n"
KNOWN = """\
//- gadgets.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  names: {kind: Gadget, plural: gadgets}
  scope: Namespaced
  versions:
    - name: v1alpha1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: {type: integer}
                parts: {type: array, items: {type: string}}
//- rgd.yaml
"""


def test_the_fields_of_a_kind_that_is_known_already_are_offered() -> None:
    fields = definition(FIELDS)
    assert labels(fields) == []
    found = completed(fixture(KNOWN + fields))
    assert [(label, item.detail) for label, item in found.items()] == [("size", "integer"), ("parts", "array")]
    parts = definition("type: object\nproperties:\n  spec:\n    properties:\n      parts:\n        $0")
    assert labels(KNOWN + parts)[:2] == ["type", "items"]
    assert labels(KNOWN + parts.replace("$0", "type: $0"))[0] == "array"


def test_the_fields_of_objects_of_the_kind_are_offered() -> None:
    gadget = "- id: a\n  template:\n    apiVersion: example.com/v1\n    kind: Gadget\n    spec: {size: 3, sides: [a]}\n"
    source = rgd(f"{gadget}{HEAD.lstrip()}{textwrap.indent(FIELDS, ' ' * 14)}")
    found = completed(fixture(source))
    assert [(label, item.detail) for label, item in found.items()] == [("size", "integer"), ("sides", "array")]


def test_the_order_of_an_author_who_sorts_the_keywords_is_kept() -> None:
    assert labels(definition("description: a\nproperties:\n  spec:\n    $0"))[:2] == ["description", "type"]
    assert labels(definition("type: object\nproperties:\n  spec:\n    $0"))[:2] == ["type", "properties"]


def test_accepted_keys_begin_what_they_need() -> None:
    assert "items:\n" in accepted(field("type: array\n$0"), "items")
    assert "spec:\n                      type: object\n" in accepted(definition("properties:\n  $0"), "spec")


def test_hover_says_what_a_keyword_means() -> None:
    check_hover(
        fixture(field("type: array\nx-kubernetes-list-$0type: set")), "server-side apply", "CustomResourceDefinition"
    )
    check_hover(fixture(field("type: str$0ing")), "one of: ", '"integer"')
    check_hover(fixture(field("type: string\nformat: date-$0time")), "text or number")
