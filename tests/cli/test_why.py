"""`kro-ls why`: states that do not go on, as a real cluster had them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.kubectl import FakeKubectl
from tests.fixtures.processes import Invoke
from tests.paths import CLUSTER, needs_cluster

_STUCK = CLUSTER / "stuck"

_EXPECTED = {
    "01-ready-when-waiting": ("pods-unavailable", "web", "web.status.availableReplicas"),
    "03-field-never-there": ("never-there", "svc", "svc.status.loadBalancer.ingress"),
    "05-external-ref-missing": ("external-missing", "settings", "ConfigMap stuck/team-settings"),
    "07-api-refusal": ("instance-value-refused", "web", "spec.port of the instance"),
    "09-applyset-conflict": ("other-owner", "conf", "does not depend on the instance"),
    "11-invalid-definition": ("definition-refused", "", "undefined field 'nam'"),
    "13-immutable-field": ("immutable-field", "web", "spec.app of the instance, which was edited"),
    "15-namespace-missing": ("namespace-missing", "conf", "namespace team-a"),
    "17-child-is-being-deleted": ("being-deleted", "conf", "'example.com/hold' holds it"),
    "19-suspended": ("suspended", "", "kro.run/reconcile: disabled"),
    "21-admission-policy": ("admission-policy", "web", "a Deployment needs the label team"),
    "23-chained-child-waits": ("child-instance", "child", "ChainedChild stuck/one-child is not ACTIVE"),
    "25-collection-collision": ("collection-collision", "confs", 'spec.zones has "a" twice'),
    "27-job-failed": ("job-failed", "job", "BackoffLimitExceeded"),
    "29-left-out-with-its-dependency": ("left-out", "conf", "includeWhen is not true"),
    "31-rbac-instance-kind": ("permission", "", "may not list or watch rbactests.kro.run"),
    "rbac-basic-01-rbactests-list": ("permission", "", "list or watch rbactests.kro.run"),
    "rbac-basic-03-rbactests-watch": ("kro-silent", "", "get/list/watch/patch rbactests.kro.run"),
    "rbac-basic-05-secrets-list": ("kro-silent", "", "get/list/watch secrets"),
    "rbac-basic-07-secrets-get": ("kro-silent", "", "get/list/watch secrets"),
    "rbac-basic-09-serviceaccounts-get": ("kro-silent", "", "get/list/watch secrets, serviceaccounts"),
    "rbac-basic-11-services-watch": ("kro-silent", "", "get/list/watch secrets, serviceaccounts, services"),
    "rbac-basic-13-services-get": ("kro-silent", "", "get/list/watch secrets, serviceaccounts, services"),
    "rbac-basic-15-serviceaccounts-create": ("kro-silent", "", "create/patch/delete serviceaccounts"),
    "rbac-basic-17-services-create": ("kro-silent", "", "create/patch/delete serviceaccounts, services"),
    "rbac-basic-19-services-delete": ("permission", "svc", "may not delete services"),
    "rbac-role-01-rbacroles-list": ("permission", "", "list or watch rbacroles.kro.run"),
    "rbac-role-03-rbacroles-get": ("kro-silent", "", "get/list/watch/patch rbacroles.kro.run"),
    "rbac-role-05-roles-list": ("kro-silent", "", "get/list/watch roles.rbac.authorization.k8s.io"),
    "rbac-seeded-01-serviceaccounts-patch": ("permission", "account", "may not patch serviceaccounts"),
    "rbac-seeded-02-services-patch": ("permission", "svc", "may not patch services"),
    "rbac-seeded-04-services-create": ("permission", "svc", "may not create services"),
    "rbac-seeded-06-serviceaccounts-delete": ("permission", "account", "may not delete serviceaccounts"),
}
"""By case the cause, the node that it is about, and words of the message; they come from the cases' cause.txt."""


def _files(case: str) -> list[str]:
    names = ("instance.yaml", "children.yaml", "rgd.yaml")
    return [str(_STUCK / case / name) for name in names if (_STUCK / case / name).exists()]


@needs_cluster
@pytest.mark.parametrize("case", _EXPECTED)
def test_the_right_cause_comes_first(invoke: Invoke, case: str) -> None:
    result = invoke("why", *_files(case), "--format", "json")
    assert result.stderr == ""
    first = json.loads(result.stdout)["causes"][0]
    cause, node, words = _EXPECTED[case]
    assert (first["cause"], first.get("node", "")) == (cause, node)
    assert words in first["message"]
    assert first["unblock"]
    assert result.exit_code == (0 if cause == "left-out" else 1)
    assert ("line" in first) == bool(node)


@needs_cluster
@pytest.mark.parametrize("case", ["07-api-refusal", "13-immutable-field", "27-job-failed"])
def test_the_instance_is_found_among_the_objects(invoke: Invoke, case: str) -> None:
    result = invoke("why", *reversed(_files(case)), "--format", "json")
    assert json.loads(result.stdout) == json.loads(invoke("why", *_files(case), "--format", "json").stdout)
    children = [each for each in _files(case) if "rgd" not in each]
    swapped = invoke("why", *reversed(children), "--rgd", str(_STUCK / case / "rgd.yaml"), "--format", "json")
    assert json.loads(swapped.stdout)["causes"][0]["cause"] == _EXPECTED[case][0]


@needs_cluster
def test_the_table_has_every_case() -> None:
    assert {each.name for each in _STUCK.iterdir()} == set(_EXPECTED)


@needs_cluster
@pytest.mark.parametrize("case", [each for each in _EXPECTED if (_STUCK / each / "instance.yaml").exists()])
def test_without_the_definition_it_is_asked_for(invoke: Invoke, case: str) -> None:
    result = invoke("why", str(_STUCK / case / "instance.yaml"), "--format", "json")
    assert result.stderr == ""
    fetched = [command for cause in json.loads(result.stdout)["causes"] for command in cause["fetch"]]
    assert any(command.startswith("kubectl get resourcegraphdefinitions.kro.run") for command in fetched) or (
        case in ("11-invalid-definition", "29-left-out-with-its-dependency")
    )


_DENIAL = (
    '{"level":"error","error":"secrets is forbidden: User \\"system:serviceaccount:kro-system:kro\\" cannot get '
    'resource \\"secrets\\" in API group \\"\\" in the namespace \\"rbac\\""}\n'
)
_CAN_I = """\
Resources                       Non-Resource URLs   Resource Names   Verbs
secrets                         []                  []               [list watch create patch delete]
serviceaccounts                 []                  []               [*]
services                        []                  []               [*]
rbactests.kro.run               []                  []               [*]
rbactests.kro.run/status        []                  []               [update]
                                [/healthz]          []               [get]
"""


@needs_cluster
@pytest.mark.parametrize(
    ("output", "words"),
    [(_DENIAL, "its log says that it may not get secrets"), (_CAN_I, "by its roles it may not get secrets")],
    ids=["the log", "the permissions"],
)
def test_what_other_commands_print_says_which_permission_is_missing(
    invoke: Invoke, tmp_path: Path, output: str, words: str
) -> None:
    (tmp_path / "output").write_text(output, encoding="utf-8")
    result = invoke("why", *_files("rbac-basic-07-secrets-get"), str(tmp_path / "output"), "--format", "json")
    first = json.loads(result.stdout)["causes"][0]
    assert first["cause"] == "permission"
    assert words in first["message"]


@needs_cluster
def test_a_log_that_denies_nothing_changes_nothing(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "kro.log").write_text('{"level":"info"}\n{"level":"info", "kind: x\n', encoding="utf-8")
    files = _files("rbac-basic-07-secrets-get")
    result = invoke("why", *files, str(tmp_path / "kro.log"))
    assert (result.stdout, result.stderr) == (invoke("why", *files).stdout, "")


@needs_cluster
def test_text_has_the_place_and_the_way_out(invoke: Invoke) -> None:
    case = _STUCK / "03-field-never-there"
    result = invoke("why", *_files(case.name), "--rgd", str(case / "definition.yaml"))
    assert result.stdout == (
        "FieldMissing stuck/one is IN_PROGRESS\n"
        "\n"
        f"{case}/definition.yaml:31:17: "
        "conf reads svc.status.loadBalancer.ingress: a Service of type ClusterIP never "
        "has status.loadBalancer.ingress: only type LoadBalancer gets it [never-there]\n"
        "   |\n"
        "31 |         host: ${svc.status.loadBalancer.ingress[0].hostname}\n"
        "   |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "  matter of:  the definition\n"
        "  to unblock: set spec.type to LoadBalancer, or read another field\n"
        "\n"
        "kro says\n"
        "  FieldMissing ResourcesReady=False NotReady: resource reconciliation failed: "
        "waiting for unresolved resource: "
        'gvr "/v1, Resource=configmaps": node "conf": failed to evaluate expression: eval '
        '"svc.status.loadBalancer.ingress[0].hostname": no such key: ingress (data pending)\n'
    )


@needs_cluster
def test_the_errors_of_a_refused_definition_have_their_places(invoke: Invoke) -> None:
    result = invoke("why", *_files("11-invalid-definition"))
    assert "rgd.yaml:20:29: error[undefined-field]: unknown field 'nam'; did you mean 'name'?" in result.stdout


@needs_cluster
def test_roles_say_which_permission_lacks(invoke: Invoke, tmp_path: Path) -> None:
    case = "rbac-basic-05-secrets-list"
    role = json.loads(invoke("rbac", "--format", "json", str(_STUCK / case / "rgd.yaml")).stdout)["role"]
    for rule in role["rules"]:
        if "secrets" in rule["resources"]:
            rule["verbs"].remove("list")
    (tmp_path / "role.yaml").write_text(json.dumps(role))
    result = invoke("why", *_files(case), str(tmp_path / "role.yaml"), "--format", "json")
    (cause,) = json.loads(result.stdout)["causes"]
    assert (cause["cause"], cause["node"]) == ("permission", "settings")
    assert cause["message"].endswith("by its roles it may not list secrets")


def test_a_file_without_objects(invoke: Invoke) -> None:
    result = invoke("why", "-", stdin="# nothing\n")
    assert (result.exit_code, result.stderr) == (2, "Error: no object found in the files\n")


_DEFINITION: dict[str, Any] = {
    "apiVersion": "kro.run/v1alpha1",
    "kind": "ResourceGraphDefinition",
    "metadata": {"name": "app"},
    "spec": {
        "schema": {"apiVersion": "v1alpha1", "kind": "App", "spec": {"name": "string"}},
        "resources": [
            {
                "id": "web",
                "template": {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}},
                "readyWhen": ["${web.status.availableReplicas > 0}"],
            }
        ],
    },
}
_MESSAGE = (
    'resource reconciliation failed: apply results contain errors: waiting for node "web": node "web": failed to '
    'evaluate readyWhen expression: "web.status.availableReplicas > 0" (waiting for readiness)'
)


def test_the_cluster_is_read_with_kubectl(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    conditions = [{"type": "ResourcesReady", "status": "False", "reason": "NotReady", "message": _MESSAGE}]
    instance: dict[str, Any] = {
        "apiVersion": "kro.run/v1alpha1",
        "kind": "App",
        "metadata": {"name": "one", "namespace": "x", "uid": "u"},
        "status": {"state": "IN_PROGRESS", "conditions": conditions},
    }
    labels = {"kro.run/node-id": "web", "kro.run/instance-id": "u"}
    deployment: dict[str, Any] = {
        "metadata": {"name": "a", "namespace": "x", "uid": "d", "labels": labels},
        "spec": {"replicas": 1},
        "status": {"replicas": 1},
    }
    owners = [{"uid": "d"}]
    replica_set: dict[str, Any] = {"metadata": {"name": "a-1", "namespace": "x", "uid": "r", "ownerReferences": owners}}
    waiting = {"waiting": {"reason": "ImagePullBackOff", "message": "Back-off pulling image"}}
    pod: dict[str, Any] = {
        "metadata": {"name": "a-1-z", "namespace": "x", "uid": "p", "ownerReferences": [{"uid": "r"}]},
        "status": {"phase": "Pending", "containerStatuses": [{"name": "c", "state": waiting}]},
    }
    kubectl = FakeKubectl(
        tmp_path / "bin",
        {
            "/apis/kro.run/v1alpha1/namespaces/x/apps/one": instance,
            "/apis/kro.run/v1alpha1/resourcegraphdefinitions": {"items": [_DEFINITION]},
            "/apis/apps/v1/deployments?labelSelector=kro.run%2Finstance-id%3Du": {"items": [deployment]},
            "/apis/apps/v1/namespaces/x/replicasets": {"items": [replica_set]},
            "/api/v1/namespaces/x/pods": {"items": [pod]},
        },
    )
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "one.yaml").write_text("apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {name: one, namespace: x}\n")
    result = invoke("why", str(tmp_path / "one.yaml"), "--cluster", "--format", "json")
    assert result.stderr == ""
    (cause,) = json.loads(result.stdout)["causes"]
    assert (cause["cause"], cause["node"], cause["object"]) == ("image-pull", "web", "Pod x/a-1-z")
    assert cause["file"] == "ResourceGraphDefinition app in the cluster"
    assert all(command[0] == "get" or "config" in command for command in kubectl.commands)


def test_an_instance_that_the_cluster_has_not(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FakeKubectl(tmp_path / "bin", {})
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    result = invoke("why", "-", "--cluster", stdin="apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {name: one}\n")
    assert result.exit_code == 2
    assert "(NotFound)" in result.stderr
