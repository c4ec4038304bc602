"""An instance after the API server has defaulted and checked it."""

from __future__ import annotations

from typing import Any

import pytest

from kro_ls.runtime.cluster.instance import AdmittedInstance, admit_instance
from kro_ls.runtime.values.sample_instance import sample_instance
from tests.fixtures.runtime import config_map, definition, instance

SCHEMA = """\
    spec:
      replicas: integer | default=2 minimum=1
      name: string | required=true
      even: integer | validation="self % 2 == 0"
      frozen: string | immutable=true
      nested: {deep: string | default=x}
"""


def admit(value: dict[str, Any], schema: str = SCHEMA) -> AdmittedInstance:
    return admit_instance(definition(config_map("a", "a"), schema=schema), value)


def test_defaults_and_pruning() -> None:
    found = admit(instance(name="n", gone=1))
    assert found.errors == ()
    assert found.unknown_fields == (("spec", "gone"),)
    assert found.instance["spec"] == {"name": "n", "replicas": 2, "nested": {"deep": "x"}}


def test_errors_have_paths_and_the_texts_of_the_api_server() -> None:
    found = admit(instance(replicas=0))
    bound = "spec.replicas in body should be greater than or equal to 1"
    not_checked = "some validation rules were not checked because the object was invalid"
    assert [(each.path, each.text.partition("; ")[0]) for each in found.errors] == [
        (("spec", "replicas"), f"spec.replicas: Invalid value: 0: {bound}"),
        (("spec", "name"), "spec.name: Required value"),
        ((), f"<nil>: Invalid value: null: {not_checked}"),
    ]


def test_rules_in_cel() -> None:
    found = admit(instance(name="n", even=3, frozen="f"))
    assert [(each.path, each.text) for each in found.errors] == [
        (("spec", "even"), "spec.even: Invalid value: 3: validation failed")
    ]
    assert admit(instance(name="n", even=4)).errors == ()


@pytest.mark.parametrize(
    ("changes", "path", "text"),
    [
        ({"kind": "Other"}, ("kind",), "'kind' must be 'App', not 'Other', as in all instances of this definition"),
        (
            {"apiVersion": "v1"},
            ("apiVersion",),
            "'apiVersion' must be 'kro.run/v1alpha1', not 'v1', as in all instances of this definition",
        ),
        ({"metadata": {}}, ("metadata", "name"), "metadata.name: Required value: name or generateName is required"),
    ],
)
def test_what_is_not_an_instance(changes: dict[str, Any], path: tuple[str, ...], text: str) -> None:
    found = admit({**instance(name="n"), **changes})
    assert [(each.path, each.text) for each in found.errors] == [(path, text)]


def test_a_namespace_is_filled_in_where_the_kind_has_one() -> None:
    nameless = {**instance(), "metadata": {"name": "x"}}
    assert admit(nameless, "    spec: {}\n").instance["metadata"] == {"name": "x", "namespace": "default"}


def test_the_sample_is_an_instance() -> None:
    schema = """\
    spec:
      size: integer | minimum=5 maximum=6
      kind: string | enum="a,b"
      name: string | pattern="^[a-z]{3}-[0-9]+$"
      items: '[]integer | minItems=2'
      map: map[string]boolean
"""
    rgd = definition(config_map("a", "a"), schema=schema)
    assert admit_instance(rgd, sample_instance(rgd)).errors == ()
