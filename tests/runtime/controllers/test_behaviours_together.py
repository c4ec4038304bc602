"""Objects whose status depends on other objects: quotas count them, claims and volumes find each other."""

from __future__ import annotations

from typing import Any

from kro_ls.runtime.controllers.behaviours import together, used

POD = {"containers": [{"resources": {"requests": {"memory": "512Mi", "cpu": "250m"}, "limits": {"cpu": "0.5"}}}]}


def make(api_version: str, kind: str, name: str = "a", namespace: str = "n", **more: Any) -> dict[str, Any]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": namespace}, **more}


def counts(hard: dict[str, str], *objects: Any) -> Any:
    quota = make("v1", "ResourceQuota", spec={"hard": hard})
    found: Any = used(quota, [quota, *objects])["status"]
    assert found["hard"] == hard
    return found["used"]


def test_a_quota_counts_the_objects_of_its_namespace() -> None:
    hard = dict.fromkeys(("configmaps", "secrets", "resourcequotas", "count/deployments.apps", "count/configmaps"), "9")
    objects = make("v1", "ConfigMap"), make("v1", "ConfigMap", namespace="other"), make("apps/v1", "Deployment")
    assert counts(hard, *objects) == {
        "configmaps": "2",  # with the one that is in each namespace
        "secrets": "0",
        "resourcequotas": "1",
        "count/deployments.apps": "1",
        "count/configmaps": "2",
    }


def test_a_quota_counts_the_pods_of_workloads_and_what_they_ask_for() -> None:
    hard = dict.fromkeys(("pods", "requests.memory", "cpu", "limits.cpu", "requests.storage"), "9")
    deployment = make("apps/v1", "Deployment", spec={"replicas": 3, "template": {"spec": POD}})
    claim = make("v1", "PersistentVolumeClaim", spec={"resources": {"requests": {"storage": "1Gi"}}})
    assert counts(hard, deployment, make("v1", "Pod", spec=POD), claim) == {
        "pods": "4",
        "requests.memory": "2Gi",
        "cpu": "1",
        "limits.cpu": "2",
        "requests.storage": "1Gi",
    }


def test_a_quota_counts_services_by_their_types() -> None:
    hard = dict.fromkeys(("services", "services.loadbalancers", "services.nodeports"), "9")
    balanced = make("v1", "Service", spec={"type": "LoadBalancer", "ports": [{}, {}]})
    assert counts(hard, balanced, make("v1", "Service", spec={"type": "ClusterIP", "ports": [{}]})) == {
        "services": "2",
        "services.loadbalancers": "1",
        "services.nodeports": "2",
    }


def test_a_claim_has_the_capacity_of_the_volume_that_it_names() -> None:
    volume = make("v1", "PersistentVolume", "v", "", spec={"capacity": {"storage": "2Gi"}, "accessModes": ["A"]})
    claim = make("v1", "PersistentVolumeClaim", spec={"volumeName": "v"}, status={"phase": "Bound"})
    of_claim, of_volume = together(claim), together(volume)
    assert of_claim is not None
    assert of_volume is not None
    assert of_claim(claim, [volume, claim])["status"] == {
        "phase": "Bound",
        "capacity": {"storage": "2Gi"},
        "accessModes": ["A"],
    }
    bound: Any = of_volume(volume, [volume, claim])
    assert (bound["spec"]["claimRef"]["name"], bound["spec"]["claimRef"]["namespace"]) == ("a", "n")
    assert of_claim(claim, [claim]) == claim
    assert of_volume(volume, [volume]) == volume


def test_other_kinds_depend_on_nothing() -> None:
    assert together(make("v1", "ConfigMap")) is None
