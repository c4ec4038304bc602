"""What pods and other objects say of themselves."""

from __future__ import annotations

from typing import Any

import pytest

from kro_ls.openapi.json_values import as_text
from tests.runtime.causes.given import (
    DEPLOYMENT_READY,
    child_of,
    condition_of,
    definition_of,
    first_cause,
    instance_saying,
    node_of,
    waiting_for,
)


@pytest.mark.parametrize(
    ("pod", "code", "words"),
    [
        (
            {
                "phase": "Pending",
                "conditions": [
                    {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/3 nodes"}
                ],
            },
            "unschedulable",
            "0/3 nodes",
        ),
        (
            {
                "phase": "Pending",
                "containerStatuses": [{"name": "c", "state": {"waiting": {"reason": "ErrImagePull", "message": "no"}}}],
            },
            "image-pull",
            "ErrImagePull: no",
        ),
        (
            {
                "phase": "Running",
                "containerStatuses": [
                    {
                        "name": "c",
                        "state": {"waiting": {"reason": "CrashLoopBackOff"}},
                        "lastState": {"terminated": {"exitCode": 3}},
                    }
                ],
            },
            "crash-loop",
            "it ended with 3",
        ),
        (
            {
                "phase": "Pending",
                "containerStatuses": [
                    {
                        "name": "c",
                        "state": {"waiting": {"reason": "CreateContainerConfigError", "message": 'secret "s"'}},
                    }
                ],
            },
            "container-config",
            'secret "s"',
        ),
        (
            {
                "phase": "Running",
                "conditions": [
                    {"type": "PodScheduled", "status": "True"},
                    {"type": "Ready", "status": "False"},
                ],
                "containerStatuses": [{"name": "c", "ready": False, "state": {"running": {}}}],
            },
            "probe-failing",
            "c is not ready",
        ),
    ],
)
def test_pods(pod: dict[str, Any], code: str, words: str) -> None:
    web = node_of("web", "Deployment", {"replicas": 1}, ready=DEPLOYMENT_READY)
    owned = {"name": "p", "namespace": "x", "uid": "p", "ownerReferences": [{"uid": "u-web"}]}
    cause = first_cause(
        instance_saying(waiting_for("web", DEPLOYMENT_READY)),
        definition_of(web),
        child_of(web, {"replicas": 1}),
        {"apiVersion": "v1", "kind": "Pod", "metadata": owned, "status": pod},
    )
    assert (cause.kind.code, cause.node) == (code, "web")
    assert words in cause.message
    assert cause.place is not None


@pytest.mark.parametrize(
    ("node", "status", "code", "words"),
    [
        (
            node_of("a", "PersistentVolumeClaim", {}, ready="a.status.phase == 'Bound'"),
            {"phase": "Pending"},
            "volume-pending",
            "Pending",
        ),
        (
            node_of("a", "Service", {"type": "LoadBalancer"}, ready="a.status.loadBalancer.ingress.size() > 0"),
            {"loadBalancer": {}},
            "load-balancer-pending",
            "has no address",
        ),
        (
            node_of("a", "Ingress", {}, ready="a.status.loadBalancer.ingress.size() > 0"),
            {"loadBalancer": {}},
            "load-balancer-pending",
            "has no address",
        ),
        (
            node_of("a", "Namespace", ready="a.status.phase == 'Ready'"),
            {"phase": "Active"},
            "never-true",
            "never 'Ready'",
        ),
        (
            node_of("a", "Secret", ready="a.stringData.k == 'v'"),
            None,
            "never-there",
            "stringData",
        ),
        (
            node_of("a", "Deployment", {"replicas": 0}, ready="a.status.availableReplicas == 0"),
            {"observedGeneration": 1, **condition_of("Available", "True")},
            "never-there",
            "0 replicas",
        ),
        (
            node_of("a", "Deployment", {"replicas": 1}, ready="a.status.unavailableReplicas == 0"),
            {"availableReplicas": 1, **condition_of("Available", "True")},
            "never-there",
            "a zero is left out",
        ),
        (
            node_of("a", "Deployment", {"replicas": 1}, ready="a.status.availableReplicas == 1"),
            condition_of("ReplicaFailure", "True", 'pods "a" is forbidden: exceeded quota: q, requested: pods=1'),
            "quota",
            "exceeded quota: q",
        ),
        (
            node_of("a", "Deployment", {"replicas": 1, "paused": True}, ready="a.status.availableReplicas == 1"),
            {"replicas": 1},
            "paused",
            "is paused",
        ),
        (node_of("a", "Job", {"suspend": True}, ready="a.status.succeeded > 0"), {}, "job-suspended", "suspended"),
        (
            {
                "id": "a",
                "template": {"apiVersion": "x.example/v1", "kind": "Thing", "metadata": {"name": "a"}},
                "readyWhen": ["${a.status.id != ''}"],
            },
            condition_of("Ready", "False", "no credentials"),
            "controller-says",
            "no credentials",
        ),
        (
            {
                "id": "a",
                "template": {"apiVersion": "x.example/v1", "kind": "Thing", "metadata": {"name": "a"}},
                "readyWhen": ["${a.status.id != ''}"],
            },
            None,
            "no-controller",
            "has no status",
        ),
    ],
    ids=as_text,
)
def test_objects(node: dict[str, Any], status: dict[str, Any] | None, code: str, words: str) -> None:
    expression = node["readyWhen"][0][2:-1]
    cause = first_cause(instance_saying(waiting_for("a", expression)), definition_of(node), child_of(node, status))
    assert (cause.kind.code, cause.node) == (code, "a")
    assert words in cause.message
