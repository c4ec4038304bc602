"""Custom resources against what the API server's own code answers."""

import json
from typing import Any

import pytest

from kro_ls.kro.rgd_schema import RGD_SCHEMA
from kro_ls.openapi.json_values import JsonObject
from kro_ls.openapi.rules.evaluation import rule_errors
from kro_ls.openapi.sources.crds.structural import structural_problems
from kro_ls.openapi.validation.admission import admit
from kro_ls.openapi.validation.field_errors import place_of
from tests.conformance.custom_resources import definitions
from tests.paths import CONFORMANCE, needs_conformance

pytestmark = needs_conformance


def read_lines(name: str) -> list[Any]:
    path = CONFORMANCE / name
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def schemas_of(definition: Any) -> dict[str, JsonObject]:
    """The schema of every version by its apiVersion."""
    spec = definition["spec"]
    return {f"{spec['group']}/{version['name']}": version["schema"]["openAPIV3Schema"] for version in spec["versions"]}


def test_real_schemas_are_structural() -> None:
    for definition in definitions(CONFORMANCE):
        for schema in schemas_of(definition).values():
            assert list(structural_problems(schema)) == []


def test_instances() -> None:
    """The API server's answers to instances of kinds that RGDs define.

    The recorded texts start with the root's path. They also forbid every key of a map, which comes from a definition
    that never was JSON: the API server reads `additionalProperties: {...}` as allowing keys.
    """
    generated = {line["file"]: line["crd"] for line in read_lines("rgds.jsonl") if line.get("crd")}
    checked = 0
    for case in read_lines("render.jsonl"):
        if case["rgdFile"] not in generated:
            continue
        (schema,) = schemas_of(generated[case["rgdFile"]]).values()
        admission = admit(case["instance"], schema)
        recorded = [text.removeprefix("[].") for text in case["expected"].get("instanceErrors", [])]
        expected = sorted(text for text in recorded if not text.endswith(" is a forbidden property"))
        assert sorted(error.text for error in admission.errors) == expected, case["name"]
        if "instance" in case["expected"]:
            assert admission.defaulted == case["expected"]["instance"], case["name"]
        checked += 1
    print(f"\ninstances that agree: {checked}")
    assert checked


@pytest.mark.parametrize(("lines", "folder"), [("rgds.jsonl", "rgds"), ("faults.jsonl", "faults")])
def test_resource_graph_definitions(lines: str, folder: str) -> None:
    """What the API server says of RGDs. The record leaves out that rules were not checked because of other errors."""
    from kro_ls.yaml_positions.documents.stream import parse_stream
    from kro_ls.yaml_positions.text import Text

    checked, differences = 0, []
    for case in read_lines(lines):
        text = (CONFORMANCE / folder / case["file"]).read_text(encoding="utf-8")
        for document in parse_stream(Text(text)).documents:
            value = document.to_python()
            if not isinstance(value, dict) or value.get("kind") != "ResourceGraphDefinition":
                continue
            admission = admit(value, RGD_SCHEMA, rule_errors)
            errors = sorted(error.text for error in admission.errors if "rules were not checked" not in error.text)
            found = errors, [place_of(path) for path in admission.unknown_fields]
            expected = sorted(case.get("admissionErrors", [])), sorted(case.get("unknownFields", []))
            checked += 1
            if found != expected:
                differences.append(f"{case['file']}: {found} is not {expected}")
    print(f"\nRGDs that agree in {lines}: {checked - len(differences)} of {checked}")
    assert differences == []
    assert checked
