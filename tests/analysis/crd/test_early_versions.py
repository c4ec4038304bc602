"""The CRD as older versions of kro make it."""

from __future__ import annotations

from typing import Any

import pytest

from kro_ls.analysis.crd.generated_crd import generated_crd
from kro_ls.kro.versions.version import parse_version
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.settings import Settings
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd_around

SOURCE = """
    schema:
      apiVersion: v1alpha1
      kind: Example
      spec:
        ratio: float | default=1.50
        ratios: '[]float'
        name: string | immutable=true validation="self != ''"
        size: integer | default=big
      status:
        labels: ${config.metadata.labels}
        metadata: ${config.metadata}
        made: ${config.metadata.creationTimestamp}
        owners: ${config.metadata.ownerReferences}
        list: ["${config.kind}"]
        inner: {names: [{name: "${config.kind}"}], kind: "${config.kind}"}
        text: x${config.metadata.generation}
    resources:
      - id: config
        template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}
"""
ANYTHING = {"type": "object", "additionalProperties": True}
STRING = {"type": "string"}


def crd_of(source: str, version: str) -> dict[str, Any]:
    """Return the CRD of a definition."""
    text = Text(rgd_around(source))
    crd = generated_crd(diagnose_text(text, Settings(version=parse_version(version))).analysis.rgds[0])
    assert crd
    return crd


def schemas(version: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the schemas of the fields of spec and status."""
    fields = crd_of(SOURCE, version)["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]
    return fields["spec"]["properties"], fields["status"]["properties"]


@pytest.mark.parametrize("version", ["0.6.3", "0.7.1", "0.8.0", "0.8.5", "0.9.1"])
def test_floats_and_the_last_rule_are_kept(version: str) -> None:
    spec, _ = schemas(version)
    assert spec["ratio"] == {"type": "float", "default": 1.5}
    assert spec["ratios"] == {"type": "array", "items": {"type": "float"}}
    assert [each["rule"] for each in spec["name"]["x-kubernetes-validations"]] == ["self != ''"]


def test_newer_versions_write_numbers_and_all_rules() -> None:
    spec, _ = schemas("0.9.2")
    assert spec["ratio"] == {"type": "number", "default": 1.5}
    assert [each["rule"] for each in spec["name"]["x-kubernetes-validations"]] == ["self == oldSelf", "self != ''"]


@pytest.mark.parametrize("version", ["0.6.3", "0.7.1", "0.8.0", "0.8.5"])
def test_objects_in_the_status_may_have_any_fields(version: str) -> None:
    _, status = schemas(version)
    assert status["metadata"] == ANYTHING
    assert status["owners"] == {"type": "array", "items": ANYTHING}
    assert status["labels"] == {"type": "object", "additionalProperties": STRING}


def test_objects_in_the_status_have_their_fields_since_0_9() -> None:
    _, status = schemas("0.9.0")
    assert "name" in status["metadata"]["properties"]


@pytest.mark.parametrize(("version", "format_"), [("0.7.1", "datetime"), ("0.8.0", "date-time")])
def test_a_timestamp_has_the_format_that_the_version_gives_it(version: str, format_: str) -> None:
    _, status = schemas(version)
    assert (status["made"]["type"], status["made"]["format"]) == ("string", format_)


def test_0_6_has_no_schema_for_a_timestamp() -> None:
    _, status = schemas("0.6.3")
    assert status["made"]["x-kubernetes-preserve-unknown-fields"] is True


def test_lists_in_the_status_were_objects_before_0_8() -> None:
    _, status = schemas("0.7.1")
    assert status["list"] == {"type": "object"}
    assert status["inner"]["properties"] == {"names": {"type": "object"}, "kind": STRING}
    _, status = schemas("0.8.0")
    assert status["list"] == {"type": "array", "items": STRING}


def test_a_text_with_one_expression_had_the_type_of_the_expression_before_0_8() -> None:
    assert schemas("0.7.1")[1]["text"] == {"type": "integer"}
    assert schemas("0.8.0")[1]["text"] == STRING


def test_instances_are_admitted_with_numbers() -> None:
    text = Text(rgd_around(SOURCE))
    rgd = diagnose_text(text, Settings(version=parse_version("0.8.5"))).analysis.rgds[0]
    found = admit_instance(
        rgd,
        {
            "apiVersion": "kro.run/v1alpha1",
            "kind": "Example",
            "metadata": {"name": "one"},
            "spec": {"ratio": 0.5, "size": 1},
        },
    )
    assert not found.errors


@pytest.mark.parametrize(("version", "group"), [("0.6.3", "kro.run"), ("0.7.0", "kro.run"), ("0.7.1", "")])
def test_an_empty_group_is_that_of_kro_before_0_7_1(version: str, group: str) -> None:
    source = SOURCE.replace("kind: Example", "kind: Example\n      group: ''")
    assert crd_of(source, version)["metadata"]["name"] == f"examples.{group}"


@pytest.mark.parametrize("version", ["0.6.3", "0.8.4"])
def test_types_are_nested_as_deeply_as_one_likes_before_0_8_5(version: str) -> None:
    source = SOURCE.replace("'[]float'", f"'{'[]' * 20}string'")
    schema = crd_of(source, version)["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    field = schema["properties"]["spec"]["properties"]["ratios"]
    for _ in range(20):
        field = field["items"]
    assert field == STRING
