"""`kro-ls new --cluster`: the objects that users created in a namespace, without the fields that the cluster wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kro_ls.openapi.json_values import JsonValue
from tests.fixtures.kubectl import FakeKubectl
from tests.fixtures.manifests import DEPLOYMENT, SERVICE, nodes_of, objects
from tests.fixtures.processes import Invoke

_LISTED = ["list", "create", "get"]
_POD_OWNER = [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "shop-1", "uid": "1", "controller": True}]


def _live(value: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An object as a list has it: without what it is, with what the API server wrote."""
    metadata = {
        **value["metadata"],
        "namespace": "shop",
        "uid": "0",
        "resourceVersion": "7",
        "managedFields": [{}],
        "creationTimestamp": "2026-01-01T00:00:00Z",
    }
    kept = {name: each for name, each in value.items() if name not in ("apiVersion", "kind")}
    return {**kept, "metadata": metadata, "status": {"any": 1}, **more}


def _resources(*kinds: str) -> dict[str, Any]:
    plurals = {"NetworkPolicy": "networkpolicies"}
    listed = [
        {"name": plurals.get(each, f"{each.lower()}s"), "kind": each, "namespaced": True, "verbs": _LISTED}
        for each in kinds
    ]
    return {"resources": [*listed, {"name": "pods/log", "kind": "Pod", "namespaced": True, "verbs": ["get"]}]}


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeKubectl:
    (deployment,), (service,) = objects(DEPLOYMENT), objects(SERVICE)
    deployment["spec"] |= {"progressDeadlineSeconds": 600, "revisionHistoryLimit": 10}
    deployment["spec"]["template"]["spec"] |= {"dnsPolicy": "ClusterFirst", "restartPolicy": "Always"}
    service["spec"] |= {"clusterIP": "10.0.0.7", "clusterIPs": ["10.0.0.7"], "type": "ClusterIP"}
    config = {"metadata": {"name": "kube-root-ca.crt"}, "data": {"ca.crt": "x"}}
    pod = {"metadata": {"name": "shop-1-x", "ownerReferences": _POD_OWNER}, "spec": {"containers": []}}
    secret = {"metadata": {"name": "shop"}, "data": {"password": "aGlkZGVu"}}
    lists: dict[str, list[dict[str, Any]]] = {
        "/api/v1/namespaces/shop/configmaps": [config],
        "/api/v1/namespaces/shop/pods": [pod],
        "/api/v1/namespaces/shop/secrets": [secret],
        "/api/v1/namespaces/shop/services": [service],
        "/apis/apps/v1/namespaces/shop/deployments": [deployment],
    }
    answers: dict[str, Any] = {
        "/api/v1/namespaces/shop": {"metadata": {"name": "shop"}},
        "/apis": {
            "groups": [
                {"name": each, "preferredVersion": {"groupVersion": f"{each}/v1"}}
                for each in ("apps", "networking", "gone")
            ]
        },
        "/api/v1": _resources("ConfigMap", "Pod", "Secret", "Service", "Endpoints"),
        "/apis/apps/v1": _resources("Deployment"),
        "/apis/networking/v1": _resources("NetworkPolicy"),
        "/apis/networking/v1/namespaces/shop/networkpolicies?limit=500": "Error from server (Forbidden): no",
        **{f"{path}?limit=500": {"items": [_live(each) for each in found]} for path, found in lists.items()},
    }
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return FakeKubectl(tmp_path / "bin", answers)


def test_it_is_the_definition_of_the_manifests(invoke: Invoke, cluster: FakeKubectl) -> None:
    Path("manifests.yaml").write_text(f"{DEPLOYMENT}---\n{SERVICE}", encoding="utf-8")
    expected = invoke("new", "--from", "manifests.yaml", "--plain")
    result = invoke("new", "--cluster", "--namespace", "shop", "--plain")
    assert result.exit_code == 0
    found, wanted = nodes_of(result.stdout), nodes_of(expected.stdout)
    assert {id_: found[id_] for id_ in sorted(found)} == {id_: wanted[id_] for id_ in sorted(wanted)}
    assert result.stderr.splitlines() == [
        "you may not list some kinds, so they are left out: NetworkPolicy",
        "left out, because a definition is no place for secrets: 1 Secret (shop)",
        "2 objects became 2 resources and 2 schema fields; a preview gives the same objects",
    ]
    assert "aGlkZGVu" not in result.stdout
    assert all(command[:1] in (["config"], ["get"]) for command in cluster.commands), "it is only read"


def test_a_context_and_a_selector_are_passed_on(invoke: Invoke, cluster: FakeKubectl) -> None:
    selected = "?labelSelector=app%3Dshop&limit=500"
    for path in list(cluster.answers):
        if path.endswith("?limit=500"):
            nothing: JsonValue = {"items": []}
            cluster.answers[path.replace("?limit=500", selected)] = nothing
    cluster.save()
    result = invoke("new", "--cluster", "--context", "test", "--namespace", "shop", "-l", "app=shop")
    assert result.exit_code == 2
    assert "namespace 'shop' has no objects of people with labels that match 'app=shop'; name another" in result.stderr
    assert all("--context=test" in command for command in cluster.commands)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--cluster",), "say which namespace: --cluster --namespace NAME"),
        (("--cluster", "--namespace", "shop", "--template", "job"), "--cluster excludes --from and --template"),
        (("--template", "job", "--namespace", "shop"), "belong to --cluster"),
        (("--cluster", "--namespace", "gone"), "context 'test'"),
    ],
)
@pytest.mark.usefixtures("cluster")
def test_what_is_wrong_is_reported(invoke: Invoke, arguments: tuple[str, ...], message: str) -> None:
    result = invoke("new", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_without_kubectl_it_says_so(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "kubectl is not installed" in invoke("new", "--cluster", "--namespace", "shop").stderr
