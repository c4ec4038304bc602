"""The generated CustomResourceDefinition."""

from typing import Any

import pytest

from kro_ls.analysis.crd.generate import CONDITIONS_SCHEMA, generate_crd, instance_schema

SPEC = {"type": "object", "properties": {"name": {"type": "string"}}}
SECTION: dict[str, Any] = {"kind": "ClusterPolicy", "apiVersion": "v1alpha1"}


def version(crd: dict[str, Any]) -> dict[str, Any]:
    (only,) = crd["spec"]["versions"]
    assert isinstance(only, dict)
    return only


def test_defaults() -> None:
    crd = generate_crd(SECTION, SPEC)
    assert crd["metadata"] == {"name": "clusterpolicies.kro.run"}
    assert crd["spec"]["group"] == "kro.run"
    assert crd["spec"]["scope"] == "Namespaced"
    assert crd["spec"]["names"] == {
        "kind": "ClusterPolicy",
        "listKind": "ClusterPolicyList",
        "plural": "clusterpolicies",
        "singular": "clusterpolicy",
    }
    assert {name: version(crd)[name] for name in ("name", "served", "storage", "subresources")} == {
        "name": "v1alpha1",
        "served": True,
        "storage": True,
        "subresources": {"status": {}},
    }
    assert [column["name"] for column in version(crd)["additionalPrinterColumns"]] == ["State", "Ready", "Age"]


def test_settings_of_the_author() -> None:
    section = {
        **SECTION,
        "group": "example.com",
        "scope": "Cluster",
        "shortNames": ["cp"],
        "categories": ["all"],
        "metadata": {"labels": {"a": "b"}, "annotations": {}},
        "additionalPrinterColumns": [
            {"name": "Name", "type": "string", "jsonPath": ".spec.name", "priority": 0, "description": ""},
            {"name": "N", "type": "integer", "jsonPath": ".spec.n", "priority": 1, "format": "int32", "other": 1},
        ],
    }
    crd = generate_crd(section, SPEC)
    assert crd["metadata"] == {"name": "clusterpolicies.example.com", "labels": {"a": "b"}}
    assert crd["spec"]["scope"] == "Cluster"
    assert crd["spec"]["names"]["shortNames"] == ["cp"]
    assert crd["spec"]["names"]["categories"] == ["all"]
    assert version(crd)["additionalPrinterColumns"] == [
        {"name": "Name", "type": "string", "jsonPath": ".spec.name"},
        {"name": "N", "type": "integer", "jsonPath": ".spec.n", "priority": 1, "format": "int32"},
    ]


def test_an_empty_group_is_kept_and_an_unset_one_is_kros() -> None:
    assert generate_crd({**SECTION, "group": ""}, SPEC)["metadata"]["name"] == "clusterpolicies."
    assert generate_crd({**SECTION, "group": None}, SPEC)["spec"]["group"] == "kro.run"


def test_instance_schema() -> None:
    schema = instance_schema(SPEC)
    assert "required" not in schema
    assert schema["properties"]["spec"] is SPEC
    assert schema["properties"]["status"] == {
        "type": "object",
        "properties": {"state": {"type": "string"}, "conditions": CONDITIONS_SCHEMA},
    }


def test_status_of_the_author_wins_and_is_not_changed() -> None:
    status = {"type": "object", "properties": {"state": {"type": "integer"}, "url": {"type": "string"}}}
    properties = instance_schema(SPEC, status)["properties"]["status"]["properties"]
    assert properties["state"] == {"type": "integer"}
    assert list(properties) == ["state", "url", "conditions"]
    assert list(status["properties"]) == ["state", "url"]


@pytest.mark.parametrize(
    "section",
    [
        {},
        {"kind": None, "apiVersion": 1, "group": [], "scope": {}, "shortNames": "x", "categories": {}},
        {"kind": "A", "metadata": "x", "additionalPrinterColumns": [1, {"name": 1}], "shortNames": [1, None]},
    ],
)
def test_half_written_sections_give_a_crd(section: Any) -> None:
    assert generate_crd(section, SPEC)["kind"] == "CustomResourceDefinition"
