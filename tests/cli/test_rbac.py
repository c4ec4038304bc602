"""`kro-ls rbac`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from kro_ls.analysis.needed_permissions import Permission, permissions_of, rules_of
from tests.fixtures.definitions import rgd
from tests.fixtures.processes import GOOD, Invoke
from tests.paths import CLUSTER, needs_cluster

_CASES = sorted(each.name for each in CLUSTER.glob("stuck/rbac-*"))
_SERVICE = rgd("- id: svc\n  template:\n    apiVersion: v1\n    kind: Service\n    metadata: {name: x}")


def test_the_role_has_the_label_of_the_chart(invoke: Invoke) -> None:
    result = invoke("rbac", "-", stdin=_SERVICE)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout == (
        "apiVersion: rbac.authorization.k8s.io/v1\n"
        "kind: ClusterRole\n"
        "metadata:\n"
        "  name: kro:controller:apps\n"
        "  labels:\n"
        '    rbac.kro.run/aggregate-to-controller: "true"\n'
        "rules:\n"
        '- apiGroups:\n  - ""\n  resources:\n  - services\n'
        "  verbs:\n  - get\n  - list\n  - watch\n  - create\n  - patch\n  - delete\n"
        "- apiGroups:\n  - kro.run\n  resources:\n  - apps\n  verbs:\n  - get\n  - list\n  - watch\n  - patch\n"
        "- apiGroups:\n  - kro.run\n  resources:\n  - apps/status\n  verbs:\n  - update\n"
    )


def test_text_says_what_each_permission_is_for(invoke: Invoke) -> None:
    assert invoke("rbac", "--format", "text", "-", stdin=_SERVICE).stdout == (
        "RESOURCE             VERBS                               FOR\n"
        "apps.kro.run         get,list,watch,patch                app: instances\n"
        "apps.kro.run/status  update                              app: status of instances\n"
        "services             get,list,watch,create,patch,delete  app: svc, child\n"
    )


def test_a_kind_that_another_definition_declares_is_known(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "child.yaml").write_text(_SERVICE.replace("kind: App", "kind: Ox").replace("name: app", "name: ox"))
    (tmp_path / "parent.yaml").write_text(
        rgd("- id: child\n  template:\n    apiVersion: kro.run/v1alpha1\n    kind: Ox\n    metadata: {name: x}")
    )
    result = invoke("rbac", "--format", "text", str(tmp_path))
    assert result.stderr == ""
    assert "oxen.kro.run" in result.stdout
    assert "oxen.kro.run/status" in result.stdout
    assert "name: kro:controller:definitions" in invoke("rbac", str(tmp_path)).stdout


def test_a_guessed_plural_is_marked(invoke: Invoke, tmp_path: Path) -> None:
    text = rgd("- id: a\n  template:\n    apiVersion: x.example/v1\n    kind: Mystery\n    metadata: {name: x}")
    result = invoke("rbac", "-", stdin=text)
    assert result.stderr == (
        "note: app: a: kind 'Mystery' is not known, so 'mysteries' is a guess; name its CRD with --crds\n"
    )
    crd = tmp_path / "crd.yaml"
    crd.write_text(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: mysterium.x.example}\n"
        "spec:\n  group: x.example\n  names: {kind: Mystery, plural: mysterium}\n  scope: Namespaced\n"
        "  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]\n"
    )
    result = invoke("rbac", "--crds", str(crd), "-", stdin=text)
    assert result.stderr == ""
    assert "- mysterium\n" in result.stdout


@needs_cluster
@pytest.mark.parametrize("case", _CASES)
def test_a_role_that_lacks_one_permission(invoke: Invoke, tmp_path: Path, case: str) -> None:
    """In a real cluster kro did not get on without each of these."""
    definition = str(CLUSTER / "stuck" / case / "rgd.yaml")
    cause = (CLUSTER / "stuck" / case / "cause.txt").read_text()
    found = re.search(r"may not (\w+) ([\w.]+?)(?:;|, )", cause)
    assert found
    verb = found[1]
    resource, _, group = found[2].partition(".")
    lacking = Permission(group, resource, verb)
    role = json.loads(invoke("rbac", "--format", "json", definition).stdout)["role"]
    whole = list(permissions_of(role["rules"]))
    assert lacking in whole
    role["rules"] = rules_of(each for each in whole if each != lacking)
    file = tmp_path / "role.yaml"
    file.write_text(json.dumps(role))
    result = invoke("rbac", definition, "--diff", str(file), "--format", "json")
    assert result.exit_code == 1
    compared = json.loads(result.stdout)
    assert [(each["group"], each["resource"], each["verb"]) for each in compared["missing"]] == [
        (group, resource, verb)
    ]
    assert compared["superfluous"] == []


def _role(rules: list[Any], *, kind: str = "ClusterRole", label: bool = True, name: str = "a") -> dict[str, Any]:
    labels = {"rbac.kro.run/aggregate-to-controller": "true"} if label else {}
    metadata = {"name": name, "labels": labels}
    return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": metadata, "rules": rules}


_APPS = [
    {"apiGroups": ["kro.run"], "resources": ["apps"], "verbs": ["get", "list", "watch", "patch"]},
    {"apiGroups": ["kro.run"], "resources": ["apps/status"], "verbs": ["update"]},
]


def test_what_the_chart_grants_is_not_missing(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "role.json").write_text(json.dumps(_role(_APPS)))
    result = invoke("rbac", "-", "--diff", str(tmp_path / "role.json"), stdin=GOOD)
    assert (result.exit_code, result.stdout) == (0, "the role grants what kro needs, and no more\n")


def test_more_than_needed_does_not_fail(invoke: Invoke, tmp_path: Path) -> None:
    more = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list"]}
    (tmp_path / "role.json").write_text(json.dumps(_role([*_APPS, more])))
    result = invoke("rbac", "-", "--diff", str(tmp_path / "role.json"), stdin=GOOD)
    assert (result.exit_code, result.stdout) == (0, "not needed  get,list pods\n")


def test_only_labelled_cluster_roles_count(invoke: Invoke, tmp_path: Path) -> None:
    roles = [
        _role(_APPS[:1], name="counts"),
        _role(_APPS, label=False, name="plain"),
        _role(_APPS, kind="Role", name="local"),
    ]
    (tmp_path / "roles.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": roles}))
    result = invoke("rbac", "-", "--diff", str(tmp_path / "roles.json"), stdin=GOOD)
    assert result.exit_code == 1
    assert result.stdout == "missing     update apps.kro.run/status (app: status of instances)\n"
    assert "ClusterRole 'plain' does not count: it lacks the label" in result.stderr
    assert "Role 'local' does not count: it grants in one namespace" in result.stderr


def test_roles_beside_the_definitions_are_compared(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text(_SERVICE)
    (tmp_path / "role.yaml").write_text(
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n"
        'metadata:\n  name: ours\n  labels: {rbac.kro.run/aggregate-to-controller: "true"}\n'
        f"rules: {json.dumps(_APPS)}\n"
    )
    result = invoke("rbac", str(tmp_path))
    assert result.exit_code == 0
    assert result.stdout.startswith("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n")
    assert result.stderr.startswith(
        f"{tmp_path}/role.yaml:4:9: warning: kro lacks get,list,watch,create,patch,delete services (app: svc, child)\n"
    )


def test_files_without_a_definition_or_a_role(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("apiVersion: v1\nkind: ConfigMap\n")
    result = invoke("rbac", str(tmp_path / "other.yaml"))
    assert (result.exit_code, result.stderr) == (2, "Error: no ResourceGraphDefinition found\n")
    result = invoke("rbac", "-", "--diff", str(tmp_path / "other.yaml"), stdin=GOOD)
    assert result.exit_code == 2
    assert "no ClusterRole found in" in result.stderr
