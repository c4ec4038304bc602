"""Which fields cannot be changed once an object exists."""

from __future__ import annotations

import pytest

from kro_ls.openapi.json_values import JsonObject
from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
from kro_ls.openapi.schema import is_immutable
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.validation.objects.edits import immutable_part

FIXED: JsonObject = {"type": "string", "x-kubernetes-validations": [{"rule": "self == oldSelf"}]}
SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "name": FIXED,
                "list": {"type": "array", "items": {"type": "object", "properties": {"name": FIXED}}},
                "network": {**FIXED, "type": "object", "properties": {"cidr": {"type": "string"}}},
                "size": {"type": "integer", "x-kubernetes-validations": [{"rule": "self >= oldSelf"}]},
            },
        }
    },
}
NAME = GroupVersionKind("example.com", "v1", "Thing")
THING = KindSchema(NAME, "things", True, (), "", lambda: SCHEMA, declared_schema=SCHEMA)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("spec", "name"), ("spec", "name")),
        (("spec", "network", "cidr"), ("spec", "network")),
        (("spec", "list", 0, "name"), ("spec", "list", 0, "name")),
        (("spec", "size"), None),
        (("spec", "unknown", "name"), None),
        (("spec",), None),
        ((), None),
    ],
)
def test_fields_with_a_rule(path: tuple[str | int, ...], expected: tuple[str | int, ...] | None) -> None:
    assert immutable_part(THING, path) == expected


@pytest.mark.parametrize(
    ("rule", "answer"),
    [
        ("self == oldSelf", True),
        (" oldSelf==self ", True),
        ("self >= oldSelf", False),
        ("self.name == oldSelf.name", False),
        ("self == oldSelf || self == ''", False),
    ],
)
def test_rules_that_allow_no_change(rule: str, answer: bool) -> None:
    assert is_immutable(rule) is answer


def test_built_in_kinds() -> None:
    deployment = kubernetes().find(GroupVersionKind("apps", "v1", "Deployment"))
    assert deployment is not None
    selector = ("spec", "selector")
    assert immutable_part(deployment, (*selector, "matchLabels", "app")) == selector
    assert immutable_part(deployment, ("spec", "replicas")) is None
