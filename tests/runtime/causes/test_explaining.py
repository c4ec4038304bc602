"""Causes that no recorded case has: what kro, the API server and controllers write of each."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from kro_ls.runtime.causes.given_objects import name_of
from tests.runtime.causes.given import (
    DEPLOYMENT_READY,
    ERRORS,
    FAILED,
    child_of,
    definition_of,
    explanation_of,
    first_cause,
    instance_saying,
    node_of,
    waiting_for,
)


@pytest.mark.parametrize(
    ("message", "code", "words"),
    [
        (
            'pods "a" is forbidden: exceeded quota: small, requested: pods=1, used: pods=2, limited: pods=2',
            "quota",
            "the quota small is used up: pods=1",
        ),
        ('admission webhook "v.example.com" denied the request: no', "admission-webhook", "v.example.com"),
        (
            'Internal error occurred: failed calling webhook "v.example.com": failed to call webhook: timeout',
            "admission-webhook",
            "failed to call webhook",
        ),
        (
            'pods "a" is forbidden: violates PodSecurity "restricted:latest": privileged',
            "admission-policy",
            "restricted:latest",
        ),
        (
            'configmaps "a" is forbidden: unable to create new content in namespace x because it is being terminated',
            "namespace-terminating",
            "namespace x",
        ),
        ('no matches for kind "Widget" in version "x.example/v1"', "kind-missing", "Widget"),
        ("the server could not find the requested resource", "kind-missing", "could not find"),
        ("found resources with conflicts: resourceID: a conflicts with resourceID: b", "same-object", "a and b"),
        (
            'StatefulSet.apps "a" is invalid: spec: Forbidden: updates to statefulset spec for fields other than x',
            "immutable-field",
            "updates to statefulset spec",
        ),
        (
            'Apply failed with 1 conflict: conflict with "helm" using v1: .data.a',
            "field-conflict",
            "helm owns a field",
        ),
        (
            "failed to create typed patch object (x/a; apps/v1, Kind=Deployment): .spec.replicas: expected numeric",
            "value-refused",
            "expected numeric",
        ),
        (
            'user "kro" (groups=["a"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[]}',
            "permission",
            "which grants what kro itself does not hold",
        ),
        ('error looking up service account x/nobody: serviceaccount "nobody" not found', "reference-missing", "nobody"),
        ('node "a": failed to evaluate expression: eval "1 / 0": division by zero', "evaluation-error", "1 / 0"),
        ("cost limit exceeded", "cost-limit", "cost limit"),
        ("cluster mutated", "fight", "in every pass"),
        ("something nobody knows", "unknown", "something nobody knows"),
    ],
)
def test_messages(message: str, code: str, words: str) -> None:
    for head in (FAILED, ERRORS):
        cause = first_cause(instance_saying(head + message, "ERROR"), definition_of())
        assert cause.kind.code == code
        assert words in cause.message
        assert cause.kro.startswith("ResourcesReady: ")


def test_the_errors_of_several_objects_are_reported_one_by_one() -> None:
    lines = 'namespaces "a" not found\nnamespaces "b" not found'
    causes = explanation_of(instance_saying(ERRORS + lines), definition_of()).causes
    assert [each.message for each in causes] == ["namespace a does not exist", "namespace b does not exist"]


def test_what_events_say_is_reported() -> None:
    claim = node_of("a", "PersistentVolumeClaim", {}, ready="a.status.phase == 'Bound'")
    event = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": "e"},
        "type": "Warning",
        "reason": "ProvisioningFailed",
        "message": "no such class",
        "involvedObject": {"kind": "PersistentVolumeClaim", "name": "a", "uid": "u-a"},
    }
    objects = definition_of(claim), child_of(claim, {"phase": "Pending"}), event
    cause = first_cause(instance_saying(waiting_for("a", "a.status.phase == 'Bound'")), *objects)
    assert cause.message.endswith("; ProvisioningFailed: no such class")


def test_objects_that_are_not_given_are_asked_for() -> None:
    web = node_of("web", "Deployment", {"replicas": 1}, ready=DEPLOYMENT_READY)
    cause = first_cause(instance_saying(waiting_for("web", DEPLOYMENT_READY)), definition_of(web))
    assert cause.fetch == ("kubectl get deployments.apps -A -l kro.run/node-id=web -o yaml",)


def test_a_chained_instance_is_explained_by_its_own_definition() -> None:
    child = {
        "id": "child",
        "template": {"apiVersion": "kro.run/v1alpha1", "kind": "Inner", "metadata": {"name": "i"}},
        "readyWhen": ["${child.status.state == 'ACTIVE'}"],
    }
    inner_node = node_of("web", "Deployment", {"replicas": 1}, ready=DEPLOYMENT_READY)
    inner = definition_of(inner_node)
    inner["metadata"] = {"name": "inner"}
    inner["spec"]["schema"]["kind"] = "Inner"
    inner_instance = child_of(child, instance_saying(waiting_for("web", DEPLOYMENT_READY))["status"])
    inner_instance["metadata"]["labels"]["kro.run/owned"] = "true"
    grandchild = child_of(inner_node, {"replicas": 1})
    grandchild["metadata"]["labels"]["kro.run/instance-id"] = "u-child"
    subject = instance_saying(waiting_for("child", "child.status.state == 'ACTIVE'"))
    cause = first_cause(subject, definition_of(child), inner, inner_instance, grandchild)
    assert cause.kind.code == "child-instance"
    assert "Inner x/child is not ACTIVE: web.status.availableReplicas is not there" in cause.message
    assert "0 of 1 replicas" in cause.message


def scaler(kind: str, target: dict[str, str], **metadata: str) -> dict[str, Any]:
    version = {"HorizontalPodAutoscaler": "autoscaling/v2", "ScaledObject": "keda.sh/v1alpha1"}[kind]
    spec = {"scaleTargetRef": {"name": "web", **target}}
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "s", **metadata}, "spec": spec}


@pytest.mark.parametrize(
    "found",
    [
        scaler("HorizontalPodAutoscaler", {"kind": "Deployment"}, namespace="x"),
        scaler("HorizontalPodAutoscaler", {"kind": "Deployment"}),  # as a file may have it
        scaler("ScaledObject", {}, namespace="x"),
    ],
)
def test_a_scaler_that_fights_with_kro(found: dict[str, Any]) -> None:
    web = node_of("web", "Deployment", {"replicas": 1})
    cause = first_cause(instance_saying(f"{FAILED}cluster mutated"), definition_of(web), child_of(web), found)
    assert (cause.kind.code, cause.node, cause.field) == ("fight", "web", ("spec", "replicas"))
    assert f"kro and {found['kind']} " in cause.message


@pytest.mark.parametrize(
    "other",
    [
        scaler("HorizontalPodAutoscaler", {"kind": "Deployment"}, namespace="y"),
        scaler("HorizontalPodAutoscaler", {"kind": "StatefulSet"}, namespace="x"),
        scaler("HorizontalPodAutoscaler", {"kind": "Deployment", "name": "app"}, namespace="x"),
        {**scaler("ScaledObject", {}, namespace="x"), "apiVersion": "example.com/v1"},
    ],
)
def test_a_scaler_of_something_else(other: dict[str, Any]) -> None:
    web = node_of("web", "Deployment", {"replicas": 1})
    cause = first_cause(instance_saying(f"{FAILED}cluster mutated"), definition_of(web), child_of(web), other)
    assert (cause.kind.code, cause.node, cause.field) == ("fight", "", ())


def test_managed_fields_show_who_fights() -> None:
    config = node_of("config", "ConfigMap", data={"a": "b"})
    managers = [
        {"manager": "kro.run/applyset", "time": "2026-01-01T00:00:01Z"},
        {"manager": "injector", "time": "2026-01-01T00:00:02Z"},
    ]
    child = child_of(config, managedFields=managers)
    cause = first_cause(instance_saying(f"{FAILED}cluster mutated"), definition_of(config), child)
    assert cause.message == "kro and injector both write ConfigMap x/config"


@pytest.mark.parametrize(
    ("conditions", "code", "words"),
    [
        (
            {"GraphAccepted": ("False", 'resource "a": schema not found for x.example/v1 Thing')},
            "kind-missing",
            "Thing",
        ),
        (
            {
                "KindReady": (
                    "False",
                    "failed to update CRD apps.kro.run: CRD is owned by another ResourceGraphDefinition other",
                )
            },
            "kind-taken",
            "other declares it already",
        ),
        (
            {"KindReady": ("False", "cannot update CRD apps.kro.run: breaking changes detected: x")},
            "kind-not-changed",
            "breaking change",
        ),
        (
            {"ControllerReady": ("False", "add parent handler x: cache sync timeout for x")},
            "permission",
            "list or watch apps.kro.run",
        ),
        (
            {"KindReady": ("False", "failed to update CRD x: CRD already exists and is not owned by KRO")},
            "kind-taken",
            "a CustomResourceDefinition that kro did not make",
        ),
        (
            {"GraphAccepted": ("False", "error getting field schema for path a: schema not found for field a")},
            "definition-refused",
            "for field a",
        ),
        ({"GraphAccepted": ("False", "found cycle")}, "definition-refused", "found cycle"),
    ],
)
def test_definitions(conditions: dict[str, tuple[str, str]], code: str, words: str) -> None:
    definition = definition_of(conditions=conditions)
    for subject, objects in ((definition, ()), (instance_saying(""), (definition,))):
        cause = first_cause(subject, *objects)
        assert cause.kind.code == code
        assert words in cause.message


def test_definitions_that_use_each_others_kinds() -> None:
    refused = {"GraphAccepted": ("False", "schema not found")}
    use = {"id": "a", "template": {"apiVersion": "kro.run/v1alpha1", "kind": "Other", "metadata": {"name": "a"}}}
    back = {"id": "a", "template": {"apiVersion": "kro.run/v1alpha1", "kind": "App", "metadata": {"name": "a"}}}
    one, other = definition_of(use, conditions=refused), definition_of(back, conditions=refused)
    other["metadata"] = {"name": "other"}
    other["spec"]["schema"]["kind"] = "Other"
    assert "use each other's kinds" in first_cause(one, other).message


def test_an_instance_that_cannot_be_deleted() -> None:
    web = node_of("web", "ConfigMap")
    subject = instance_saying(
        "deletion blocked: deleting apply-order wave 1", "DELETING", deletionTimestamp="2026-01-01T00:00:00Z"
    )
    held = child_of(web, deletionTimestamp="2026-01-01T00:00:01Z", finalizers=["example.com/hold"])
    cause = first_cause(subject, definition_of(web), held)
    assert (cause.kind.code, "'example.com/hold' holds it" in cause.message) == ("being-deleted", True)
    cause = first_cause(subject, definition_of(web))
    assert (cause.kind.code, bool(cause.fetch)) == ("deletion-blocked", True)
    own = instance_saying("", "DELETING", deletionTimestamp="2026-01-01T00:00:00Z", finalizers=["example.com/own"])
    assert "'example.com/own' holds it" in first_cause(own, definition_of(web)).message


def test_conditions_about_an_older_generation() -> None:
    subject = instance_saying("")
    subject["metadata"]["generation"] = 2
    subject["status"]["conditions"] = [{"type": "ResourcesReady", "status": "True", "observedGeneration": 1}]
    cause = first_cause(subject, definition_of(node_of("a", "Service")))
    assert "has not looked at App x/one since its last edit" in cause.message


def test_an_instance_that_is_well() -> None:
    subject = instance_saying("", "ACTIVE")
    subject["status"]["conditions"] = [{"type": "ResourcesReady", "status": "True"}]
    explained = explanation_of(subject, definition_of(node_of("a", "Service")))
    assert explained.is_well
    assert [each.kind.code for each in explained.causes] == ["nothing"]


def test_a_value_that_the_template_writes_is_the_definitions_matter() -> None:
    service = node_of("svc", "Service", {"ports": [{"port": 99999}]})
    message = (
        'Service "svc" is invalid: spec.ports[0].port: Invalid value: 99999: must be between 1 and 65535, inclusive'
    )
    cause = first_cause(instance_saying(ERRORS + message, "ERROR"), definition_of(service))
    assert (cause.kind.code, cause.node, cause.field) == ("value-refused", "svc", ("spec", "ports", 0, "port"))


def test_a_field_of_the_instance_that_an_expression_reads() -> None:
    config = node_of("a", "ConfigMap", data={"k": "${schema.spec.zones[0]}"})
    says = 'eval "schema.spec.zones[0]": index out of bounds: 0 (data pending)'
    message = f'{FAILED}waiting for unresolved resource: gvr "x": node "a": failed to evaluate expression: {says}'
    cause = first_cause(instance_saying(message), definition_of(config))
    assert (cause.kind.code, cause.node) == ("instance-field-missing", "a")
    assert "spec.zones of the instance" in cause.message


def test_a_deletion_that_nobody_finishes() -> None:
    subject = instance_saying("", "ACTIVE", deletionTimestamp="2026-01-01T00:00:00Z")
    assert first_cause(subject).kind.code == "definition-gone"


def test_a_field_of_the_status_without_a_value() -> None:
    service = node_of("svc", "Service", {"type": "ClusterIP"})
    definition = definition_of(service)
    definition["spec"]["schema"]["status"] = {"host": "${svc.status.loadBalancer.ingress[0].hostname}"}
    subject = instance_saying("", "ACTIVE")
    subject["status"]["conditions"] = [{"type": "ResourcesReady", "status": "True"}]
    cause = first_cause(subject, definition, child_of(service, {"loadBalancer": {}}))
    assert cause.kind.code == "never-there"
    assert cause.message.startswith("status.host has no value: ")
    subject["status"]["host"] = "x"
    assert explanation_of(subject, definition, child_of(service, {"loadBalancer": {}})).is_well


def test_a_line_that_says_nothing_belongs_to_the_previous_error() -> None:
    text = 'Pod "a" is invalid: spec: Forbidden: pod updates may not change x\n@@ -1 +1 @@\n- a\n+ b'
    (cause,) = explanation_of(instance_saying(ERRORS + text, "ERROR"), definition_of(node_of("a", "Pod"))).causes
    assert cause.kind.code == "immutable-field"


def test_roles_that_are_not_kros_do_not_count() -> None:
    role = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": "reader"},
        "rules": [],
    }
    subject = instance_saying("")
    subject["status"] = {}
    assert first_cause(subject, definition_of(node_of("a", "Service")), role).kind.code == "kro-silent"
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": "b"},
        "roleRef": {"kind": "ClusterRole", "name": "reader"},
        "subjects": [{"kind": "ServiceAccount", "name": "kro", "namespace": "kro-system"}],
    }
    cause = first_cause(subject, definition_of(node_of("a", "Service")), role, binding)
    assert cause.kind.code == "permission"


def test_the_item_of_a_collection_that_is_not_ready() -> None:
    expression = "each.status.phase == 'Running'"
    pods = node_of("pods", "Pod", ready=expression)
    pods["forEach"] = [{"zone": "${schema.spec.zones}"}]
    first, second = child_of(pods, {"phase": "Running"}), child_of(pods, {})
    second["metadata"] |= {"name": "second", "labels": second["metadata"]["labels"] | {"kro.run/collection-index": "1"}}
    says = f'node "pods": failed to evaluate readyWhen "{expression}" (item 1) (waiting for readiness)'
    cause = first_cause(instance_saying(f'{ERRORS}waiting for node "pods": {says}'), definition_of(pods), second, first)
    assert cause.node == "pods"
    assert cause.value is not None
    assert name_of(cause.value) == "second"


def test_a_condition_that_waits_for_data() -> None:
    service = node_of("svc", "Service", {"type": "ClusterIP"})
    config = node_of("config", "ConfigMap")
    config["includeWhen"] = ["${svc.status.loadBalancer.ingress.size() > 0}"]
    says = 'includeWhen "svc.status.loadBalancer.ingress.size() > 0": no such key: ingress (data pending)'
    message = f'{FAILED}waiting for unresolved resource: gvr "x": is ignore check failed: {says}'
    cause = first_cause(
        instance_saying(message), definition_of(service, config), child_of(service, {"loadBalancer": {}})
    )
    assert (cause.kind.code, cause.node) == ("never-there", "svc")
    assert cause.place is not None


def test_owners_in_a_circle() -> None:
    web = node_of("web", "Deployment", {"replicas": 1}, ready=DEPLOYMENT_READY)
    child = child_of(web, {"replicas": 1}, ownerReferences=[{"uid": "u-web"}])
    assert (
        first_cause(instance_saying(waiting_for("web", DEPLOYMENT_READY)), definition_of(web), child).kind.code
        == "pods-unavailable"
    )


_ODD: list[Any] = [None, 1, "x", [], [None], {}, {"a": None}]
_FIELDS = (
    ("status",),
    ("status", "conditions"),
    ("metadata", "labels"),
    ("metadata", "annotations"),
    ("metadata", "finalizers"),
    ("metadata", "ownerReferences"),
    ("metadata", "generation"),
    ("metadata", "deletionTimestamp"),
    ("spec",),
)


@pytest.mark.parametrize(("path", "odd"), list(product(_FIELDS, _ODD)), ids=str)
def test_odd_objects_raise_nothing(path: tuple[str, ...], odd: Any) -> None:
    for kind in ("Deployment", "Job", "Pod"):
        node = node_of("a", kind, {}, ready="a.status.x == 1")
        for number in range(2):
            values = [instance_saying(waiting_for("a", "a.status.x == 1")), child_of(node, {})]
            parent = values[number]
            for name in path[:-1]:
                parent = parent[name]
            parent[path[-1]] = odd
            assert explanation_of(values[0], definition_of(node), values[1]).causes


def test_what_follows_from_another_cause_comes_last() -> None:
    held = 'roles "a" is forbidden: user "kro" is attempting to grant RBAC permissions not currently held'
    lines = f'rolebindings "a" not found\n{held}'
    causes = explanation_of(instance_saying(ERRORS + lines), definition_of()).causes
    assert [each.kind.code for each in causes] == ["permission", "reference-missing"]
    assert 'roles "a", which grants' in causes[0].message
