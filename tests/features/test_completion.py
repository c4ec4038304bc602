"""Completion inside expressions, whole and half-typed."""

from __future__ import annotations

import pytest

from kro_ls.features.completion import completion, resolve
from tests.features.fixtures import fixture, rgd

RESOURCES = """
- id: config
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: $HERE
    data: {a: b}
- id: pods
  forEach:
    - zone: ${schema.spec.zones}
  readyWhen:
    - $READY
  template:
    apiVersion: v1
    kind: Pod
    metadata: {name: "${zone}"}
"""

SPEC = '{name: string, zones: "[]string", size: Size}\n    types: {Size: {cpu: integer}}'


def labels(value: str, place: str = "$HERE") -> list[str]:
    source = rgd(RESOURCES, spec=SPEC).replace(place, value).replace("$HERE", "x").replace("$READY", "${each.x}")
    found = fixture(source)
    return [item.label for item in completion(found.document, found.cursor, snippets=False).items]


@pytest.mark.parametrize(
    "value",
    [
        "${$0}",
        '"${$0}"',
        "a-${$0}-b",
        "${$0",
        '"${$0',
        "${schema.spec.name + $0}",
        "${[1].map(x, $0)}",
        "|\n        ${$0}",
    ],
)
def test_names_are_offered_wherever_an_expression_can_begin(value: str) -> None:
    found = labels(value)
    assert {"pods", "schema", "size", "random", "has"} <= set(found)
    assert "config" not in found, "a resource cannot refer to itself"
    assert "zone" not in found, "iterators belong to their own resource"


def test_macro_variables_come_first() -> None:
    assert labels("${schema.spec.zones.map(item_zone, it$0")[0] == "item_zone"


@pytest.mark.parametrize("value", ["plain$0", "$0", '${"text $0"}', "${schema.spec.name} $0", "${1}$0"])
def test_nothing_is_offered_outside_of_expressions(value: str) -> None:
    assert labels(value) == []


@pytest.mark.parametrize(
    ("value", "fields"),
    [
        ("${schema.$0}", ["apiVersion", "kind", "metadata", "spec"]),
        ("${schema.spec.$0}", ["name", "zones", "size"]),
        ("${schema.spec.na$0", ["name", "zones", "size"]),
        ("${schema.spec.size.$0}", ["cpu"]),
        ("${schema.spec.?size.?$0}", ["cpu"]),
    ],
)
def test_the_fields_of_the_instance_come_first(value: str, fields: list[str]) -> None:
    assert labels(value)[: len(fields)] == fields


def test_methods_follow_the_fields() -> None:
    found = labels("${schema.spec.name.$0}")
    assert {"startsWith", "size", "map"} <= set(found)
    assert "pods" not in found


def test_a_namespace_offers_its_functions_only() -> None:
    assert labels("${random.$0}") == ["seededString", "seededInt"]


def test_ready_when_of_a_collection_offers_each_and_no_resource() -> None:
    found = labels("${$0}", place="$READY")
    assert "each" in found
    assert not {"config", "pods", "schema", "zone"} & set(found)


def test_the_word_being_typed_is_replaced() -> None:
    found = fixture(rgd(RESOURCES, spec=SPEC).replace("$HERE", "${schema.spec.na$0me}").replace("$READY", "x"))
    item = completion(found.document, found.cursor, snippets=True).items[0]
    assert item.text_edit is not None
    edited = item.text_edit
    assert not hasattr(edited, "insert")
    assert (edited.range.start.character, edited.range.end.character) == (30, 32)


def test_functions_are_documented_when_asked() -> None:
    found = fixture(rgd(RESOURCES, spec=SPEC).replace("$HERE", "${schema.spec.name.$0}").replace("$READY", "x"))
    items = completion(found.document, found.cursor, snippets=True).items
    item = next(each for each in items if each.label == "startsWith")
    assert item.documentation is None
    assert "startsWith" in str(resolve(item).documentation)
    assert item.text_edit is not None
    assert item.text_edit.new_text == "startsWith($0)"
