"""What rules of roles grant, as the API server reads them."""

from __future__ import annotations

import pytest

from kro_ls.analysis.needed_permissions import Permission, permissions_of, rules_of, without_granted


@pytest.mark.parametrize(
    ("held", "wanted", "is_granted"),
    [
        (Permission("", "pods", "get"), Permission("", "pods", "get"), True),
        (Permission("", "pods", "get"), Permission("", "pods", "list"), False),
        (Permission("", "pods", "get"), Permission("apps", "pods", "get"), False),
        (Permission("*", "*", "*"), Permission("apps", "deployments/status", "update"), True),
        (Permission("*", "*", "*"), Permission("", "", "get", url="/metrics"), False),
        (Permission("apps", "deployments", "*"), Permission("apps", "deployments/status", "update"), False),
        (Permission("apps", "*/status", "update"), Permission("apps", "deployments/status", "update"), True),
        (Permission("apps", "*/status", "update"), Permission("apps", "deployments", "update"), False),
        (Permission("", "pods", "get", "a"), Permission("", "pods", "get"), False),
        (Permission("", "pods", "get"), Permission("", "pods", "get", "a"), True),
        (Permission("", "", "get", url="/healthz/*"), Permission("", "", "get", url="/healthz/live"), True),
        (Permission("", "", "get", url="/healthz"), Permission("", "", "get", url="/metrics"), False),
    ],
)
def test_grants(held: Permission, wanted: Permission, is_granted: bool) -> None:
    assert held.grants(wanted) is is_granted
    assert bool(without_granted([wanted], [held])) is not is_granted


def test_rules_are_read_and_written() -> None:
    permissions = [
        Permission("", "services", "list"),
        Permission("", "services", "get"),
        Permission("", "secrets", "get"),
        Permission("", "secrets", "list"),
        Permission("apps", "deployments", "get", "a"),
        Permission("", "", "get", url="/metrics"),
    ]
    rules = rules_of(permissions)
    assert rules == [
        {"apiGroups": [""], "resources": ["secrets", "services"], "verbs": ["get", "list"]},
        {"apiGroups": ["apps"], "resources": ["deployments"], "resourceNames": ["a"], "verbs": ["get"]},
        {"nonResourceURLs": ["/metrics"], "verbs": ["get"]},
    ]
    assert set(permissions_of([*rules])) == set(permissions)


@pytest.mark.parametrize("rules", [None, "all", [None, "x"], [{"verbs": "get"}], [{"verbs": ["get"]}]])
def test_what_is_no_rule_grants_nothing(rules: object) -> None:
    assert not list(permissions_of(rules))  # type: ignore[arg-type] # the wrong shape is what it is about
