"""Completion of a definition's own fields, of resources, and of whole definitions."""

from __future__ import annotations

import pytest

from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text
from tests.fixtures.language import fixture
from tests.fixtures.yaml_completion import OWN, accepted, completed, inserted, labels

PRINTER_COLUMN_TYPES = ["string", "integer", "number", "boolean", "date"]
NEW_RESOURCES = [
    f"- {name}"
    for name in (
        *("resource", "collection", "external reference"),
        *("ConfigMap", "Secret", "Pod", "Service", "PersistentVolumeClaim", "Deployment", "StatefulSet", "DaemonSet"),
        *("Job", "CronJob", "Ingress", "NetworkPolicy"),
    )
]


@pytest.mark.parametrize("typed", ["kro", "rgd", "kind", "apiV", "resource"])
def test_a_definition_is_begun_by_what_people_type(typed: str) -> None:
    item = completed(fixture(f"{typed}$0"))["ResourceGraphDefinition"]
    assert (item.filter_text or item.label).lower().startswith(typed.lower())


@pytest.mark.parametrize("typed", ["", "k", "Res"])
def test_the_kind_follows_the_api_version_of_kro(typed: str) -> None:
    found = completed(fixture(f"apiVersion: kro.run/v1alpha1\n{typed}$0"))
    assert found["kind"].insert_text == "kind: "
    assert list(found) == ["kind", "ResourceGraphDefinition"]
    for others in (f"apiVersion: apps/v1\n{typed}$0", f"apiVersion: kro.run/v1alpha1\nkind: Shop\n{typed}$0"):
        assert "ResourceGraphDefinition" not in completed(fixture(others))


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("apiVersion: $0", "kro.run/v1alpha1"),
        ("apiVersion: kr$0\nkind: Res", "kro.run/v1alpha1"),
        ("apiVersion: kro.run/v1alpha1\nkind: $0\nmetadata:\n", "ResourceGraphDefinition"),
        ("apiVersion: apps/v1\n---\nkind: $0", "ResourceGraphDefinition"),
        ("apiVersion: apps/v1\nkind: $0", None),
        ("apiVersion: $0\nkind: Deployment", None),
        ("  kind: $0", None),
    ],
)
def test_the_head_of_a_document_that_is_none_yet(source: str, value: str | None) -> None:
    assert labels(source) == ([value] if value else [])


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("$0", ["metadata", "spec"]),
        ("spec:\n  $0", ["schema", "resources"]),
        ("spec:\n  schema:\n    scope: $0", ["Namespaced", "Cluster"]),
        ("spec:\n  schema:\n    apiVersion: $0", ["v1alpha1", "v1beta1", "v1"]),
        ("spec:\n  schema:\n    kind: $0", []),
        ("spec:\n  schema:\n    spec:\n      $0", []),
        ("spec:\n  resources:\n    - id: a\n      template: {}\n      $0", ["readyWhen", "includeWhen", "forEach"]),
        ("spec:\n  resources:\n    - id: a\n      readyWhen:\n        - $0", ["${...}"]),
        ("spec:\n  resources:\n    - id: a\n      includeWhen: [$0]", ["${...}"]),
        ("spec:\n  resources:\n    - id: a\n      forEach:\n        - $0", ["iterator"]),
        ("spec:\n  schema:\n    additionalPrinterColumns:\n      - type: $0", PRINTER_COLUMN_TYPES),
        ("spec:\n  resources:\n    $0", NEW_RESOURCES),
        ("spec:\n  resources:\n    - id: a\n    $0", NEW_RESOURCES),
        ("spec:\n  resources:\n    - id: a\n  $0", ["schema"]),
        ("spec:\n  resources:\n    - id: a\n  sch$0", ["schema"]),
        ("spec:\n  resources:\n    - id: a\nmeta$0", ["metadata"]),
        ("kind: $0", ["ResourceGraphDefinition"]),
    ],
)
def test_the_own_fields_of_an_rgd(typed: str, expected: list[str]) -> None:
    head = OWN.replace("kind: ResourceGraphDefinition\n", "") if typed.startswith("kind") else OWN
    if typed.startswith("kind"):
        typed = "kind: ResourceGraphDefinition$0"
    assert labels(head + typed) == expected


def test_own_fields_bring_expressions() -> None:
    source = OWN + "spec:\n  resources:\n    - id: a\n      $0"
    assert inserted(source.replace("$0", "includeWhen: [$0]"), "${...}") == '"\\${$1\\}"'
    assert inserted(source, "readyWhen") == "readyWhen:\n  - \\${$1\\}"
    assert inserted(source, "forEach") == "forEach:\n  - ${1:item}: \\${$2\\}"
    assert inserted(source, "externalRef").startswith("externalRef:\n  apiVersion: $1\n  kind: $2\n")


@pytest.mark.parametrize("label", ["resource", "collection", "external reference"])
@pytest.mark.parametrize("dash", ["- ", ""])
def test_a_new_resource_is_whole(label: str, dash: str) -> None:
    source = OWN + "metadata: {name: a}\nspec:\n  schema: {apiVersion: v1, kind: App}\n  resources:\n    " + dash + "$0"
    text = accepted(source, label if dash else f"- {label}")
    document = Document("file:///a.yaml", 1, Text(text))
    (resource,) = document.analysis.rgds[0].rgd.resources
    assert resource.resource.id == "name"
    assert {"yaml-syntax", "unknown-field", "wrong-type"} & {
        each.code for each in document.diagnosis.diagnostics
    } == set()


def test_a_new_resource_can_be_of_a_usual_kind() -> None:
    source = OWN + "metadata: {name: a}\nspec:\n  schema: {apiVersion: v1, kind: App}\n  resources:\n    - $0"
    offered = labels(source)
    assert offered.index("resource") < offered.index("ConfigMap") < offered.index("Deployment")
    text = accepted(source, "Deployment")
    (resource,) = Document("file:///a.yaml", 1, Text(text)).analysis.rgds[0].rgd.resources
    assert resource.resource.id == "deployment"
    assert "apiVersion: apps/v1\n        kind: Deployment\n" in text
    assert inserted(source, "Deployment").startswith("id: ${1:deployment}\n")
    assert "    name: $2\n" in inserted(source, "Deployment")


@pytest.mark.parametrize("source", ["$0", "Res$0", "\n\n$0\n", "---\n$0", "a: b\n---\n$0\n---\nc: d\n"])
def test_an_empty_document_becomes_an_rgd(source: str) -> None:
    assert labels(source) == ["ResourceGraphDefinition"]
    text = accepted(source, "ResourceGraphDefinition")
    assert Document("file:///a.yaml", 1, Text(text)).analysis.rgds


def test_the_new_rgd_is_right_but_for_its_template() -> None:
    text = accepted("$0", "ResourceGraphDefinition").replace("$0", "")
    found = Document("file:///a.yaml", 1, Text(text)).diagnosis.diagnostics
    assert [(each.code, text[each.span.start : each.span.end]) for each in found if each.severity == "error"] == [
        ("resource-form", "template")
    ]


@pytest.mark.parametrize("source", ["a: b\n$0", "kind: Deployment\n$0", "a:\n  $0", "a b$0", "$0 a: b"])
def test_other_documents_are_left_alone(source: str) -> None:
    assert labels(source) == []
