"""A damaged CustomResourceDefinition takes nothing away but what it says itself."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.openapi.sources.crds.parsing import crd_problems
from kro_ls.openapi.well_formed import well_formed
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.yaml_positions.text import Text
from tests.fixtures.language import schemas_with

SPEC: dict[str, Any] = {
    "type": "object",
    "required": ["size"],
    "properties": {
        "size": {"type": "integer", "minimum": 1, "default": 1},
        "name": {"type": "string", "maxLength": 5, "pattern": "^[a-z]+$", "enum": ["a", "b"]},
        "port": {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]},
        "tags": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "rules": {"type": "object", "x-kubernetes-validations": [{"rule": "self.a > 1"}]},
    },
}
RGD = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    spec: {name: string}
    status: {size: "${box.spec.size}"}
  resources:
    - id: box
      template:
        apiVersion: example.com/v1
        kind: Box
        metadata: {name: "${schema.spec.name}"}
        spec: {size: 1, name: "${schema.spec.name}", port: 80, tags: [a], labels: {a: b}, rules: {}}
    - id: wrong
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, dta: {}}
"""
DAMAGE = [5, "string", [1], ["x"], None, True, {}, {"a": 1}, [{"type": 5}], "", -1, 1.5]


def definition(spec: object) -> str:
    root = {"type": "object", "properties": {"spec": spec}}
    return json.dumps(
        {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "boxes.example.com"},
            "spec": {
                "group": "example.com",
                "scope": "Namespaced",
                "names": {"kind": "Box", "plural": "boxes"},
                "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": root}}],
            },
        }
    )


def diagnosed(crd: str) -> set[tuple[str, str]]:
    diagnostics = diagnose_text(Text(RGD), schemas=schemas_with(("crd.json", crd))).diagnostics
    return {(each.code, each.message) for each in diagnostics}


def places(schema: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    found = [path]
    items = schema.items() if isinstance(schema, dict) else enumerate(schema) if isinstance(schema, list) else ()
    for key, value in items:
        found += places(value, (*path, key))
    return found


def test_a_schema_without_damage_stays_the_same_object() -> None:
    assert well_formed(SPEC) is SPEC


@given(st.sampled_from(places(SPEC)[1:]), st.sampled_from(DAMAGE))
def test_damage_raises_nothing_and_other_faults_are_still_found(path: tuple[object, ...], damage: object) -> None:
    spec = copy.deepcopy(SPEC)
    holder: Any = spec
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = damage
    assert any(code == "unknown-template-field" for code, _ in diagnosed(definition(spec)))


@pytest.mark.parametrize(
    ("keyword", "damage"),
    [("properties", "string"), ("type", 5), ("type", [1]), ("anyOf", ["x"]), ("required", "size"), ("items", "x")],
)
def test_damage_is_reported_at_the_definition_and_nowhere_else(keyword: str, damage: object) -> None:
    crd = definition({**SPEC, keyword: damage})
    assert crd_problems(crd)
    assert diagnosed(crd) <= diagnosed(definition(SPEC))
