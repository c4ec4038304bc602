"""When an object of a kind is ready."""

from __future__ import annotations

from typing import Any

import pytest

from kro_ls.openapi.json_values import JsonObject
from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
from kro_ls.openapi.readiness import signs_of
from kro_ls.openapi.sources.bundled import kubernetes

CONDITIONS = {
    "type": "array",
    "items": {"type": "object", "properties": {"type": {"type": "string"}, "status": {"type": "string"}}},
}


def kind(status: dict[str, Any] | None, *columns: str, group: str = "example.com") -> KindSchema:
    properties: JsonObject = {} if status is None else {"status": {"type": "object", "properties": status}}
    schema: JsonObject = {"type": "object", "properties": properties}
    name = GroupVersionKind(group, "v1", "Thing")
    return KindSchema(name, "things", True, (), "", lambda: schema, declared_schema=schema, columns=columns)


def means(group: str, name: str, schema: KindSchema | None = None) -> list[str]:
    return [each.means for each in signs_of(group, name, schema)]


@pytest.mark.parametrize(
    ("group", "name", "expected"),
    [
        ("iam.services.k8s.aws", "Role", ["is synced", "is ready"]),
        ("kustomize.toolkit.fluxcd.io", "Kustomization", ["is ready"]),
        ("notification.toolkit.fluxcd.io", "Alert", []),
        ("argoproj.io", "Application", ["is healthy", "is synced"]),
        ("argoproj.io", "AppProject", []),
        ("batch", "Job", ["is complete", "has succeeded"]),
        ("s3.aws.m.upbound.io", "Bucket", ["is ready", "is synced"]),
        ("example.com", "Thing", []),
    ],
)
def test_kinds_whose_definition_is_not_there(group: str, name: str, expected: list[str]) -> None:
    assert means(group, name) == expected


def test_a_definition_must_have_what_a_sign_reads() -> None:
    group = "ec2.services.k8s.aws"
    assert means(group, "Thing", kind({"conditions": CONDITIONS}, group=group)) == ["is synced", "is ready"]
    assert means(group, "Thing", kind({"id": {"type": "string"}}, group=group)) == []
    assert means(group, "Thing", kind({}, group=group)) == ["is synced", "is ready"]  # nothing is said of its status
    assert means(group, "Thing", kind(None, group=group)) == []


@pytest.mark.parametrize(
    ("columns", "condition"),
    [
        ((), "Ready"),
        (('.status.conditions[?(@.type=="Available")].status',), "Available"),
        ((".status.conditions[?(@.type == 'Paused')].status", ".spec.size"), "Ready"),
        (
            (
                ".status.conditions[?(@.type=='Degraded')].status",
                ".status.conditions[?(@.type=='Synced')].status",
                ".status.conditions[?(@.type=='Available')].reason",
            ),
            "Synced",
        ),
        (('.status.conditions[?(@.type=="Synced")].status', ".status.conditions[?(@.type=='Ready')].status"), "Ready"),
    ],
)
def test_printer_columns_show_which_condition_counts(columns: tuple[str, ...], condition: str) -> None:
    (sign,) = signs_of("example.com", "Thing", kind({"conditions": CONDITIONS}, *columns))
    assert sign.condition == condition
    assert f'"{condition}"' in sign.expression


@pytest.mark.parametrize(
    ("field", "schema", "expected"),
    [
        ("phase", {"type": "string"}, '{x}.status.phase == "Ready"'),
        ("state", {"type": "string"}, '{x}.status.state == "ACTIVE"'),
        ("state", {"type": "string", "enum": ["creating", "available"]}, '{x}.status.state == "available"'),
        ("phase", {"type": "string", "enum": ["Failed", "Bound", "Running"]}, '{x}.status.phase == "Running"'),
        ("phase", {"type": "string", "enum": ["One", "Two"]}, None),
        ("phase", {"type": "integer"}, None),
        ("conditions", {"type": "object"}, None),
        ("conditions", {"type": "array", "items": {"type": "string"}}, None),
        ("conditions", {"type": "array", "items": {"type": "object", "properties": {"name": {}}}}, None),
    ],
)
def test_a_status_without_conditions(field: str, schema: dict[str, Any], expected: str | None) -> None:
    found = signs_of("example.com", "Thing", kind({field: schema}))
    assert [each.expression for each in found] == ([expected] if expected else [])


def test_built_in_kinds_have_signs_of_the_table_alone() -> None:
    found = {
        name.kind: signs_of(name.group, name.kind, kubernetes().find(name))
        for name in kubernetes().names()
        if name.version == "v1"
    }
    waited_for = {kind for kind, signs in found.items() if signs}
    assert {"Pod", "Deployment", "Job", "PersistentVolumeClaim", "Ingress", "CustomResourceDefinition"} <= waited_for
    assert waited_for.isdisjoint({"ConfigMap", "Secret", "PodDisruptionBudget", "NetworkPolicy", "CronJob"})
