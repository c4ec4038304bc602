"""Causes that no recorded case has: what kro, the API server and controllers write of each."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from kro_ls.analysis.analysis import analyze
from kro_ls.openapi.json_values import as_text
from kro_ls.render.yaml_text import to_yaml
from kro_ls.runtime.causes.cause import Explanation
from kro_ls.runtime.causes.explaining import Explained, explain
from kro_ls.runtime.causes.given_objects import Objects, name_of
from kro_ls.yaml_positions.text import Text

_FAILED = "resource reconciliation failed: "
_ERRORS = f"{_FAILED}apply results contain errors: "


def _definition(*resources: dict[str, Any], conditions: dict[str, tuple[str, str]] | None = None) -> dict[str, Any]:
    schema = {"apiVersion": "v1alpha1", "kind": "App", "spec": {"name": "string", "zones": "[]string"}}
    found = [
        {"type": name, "status": status, "reason": "X", "message": message}
        for name, (status, message) in (conditions or {}).items()
    ]
    return {
        "apiVersion": "kro.run/v1alpha1",
        "kind": "ResourceGraphDefinition",
        "metadata": {"name": "app"},
        "spec": {"schema": schema, "resources": [*resources]},
        "status": {"state": "Inactive" if found else "Active", "conditions": found},
    }


def _node(id_: str, kind: str, spec: object = None, *, ready: str = "", **fields: object) -> dict[str, Any]:
    group = {"Deployment": "apps/v1", "StatefulSet": "apps/v1", "Job": "batch/v1", "Ingress": "networking.k8s.io/v1"}
    template = {"apiVersion": group.get(kind, "v1"), "kind": kind, "metadata": {"name": id_}, **fields}
    template |= {"spec": spec} if spec is not None else {}
    return {"id": id_, "template": template, **({"readyWhen": [f"${{{ready}}}"]} if ready else {})}


def _child(node: dict[str, Any], status: object = None, **metadata: object) -> dict[str, Any]:
    labels = {"kro.run/node-id": node["id"], "kro.run/instance-id": "u"}
    own = {"name": node["id"], "namespace": "x", "uid": f"u-{node['id']}", "labels": labels, **metadata}
    return {**node["template"], "metadata": own, **({"status": status} if status is not None else {})}


def _instance(message: str, state: str = "IN_PROGRESS", **metadata: object) -> dict[str, Any]:
    conditions = [{"type": "ResourcesReady", "status": "False", "reason": "NotReady", "message": message}]
    return {
        "apiVersion": "kro.run/v1alpha1",
        "kind": "App",
        "metadata": {"name": "one", "namespace": "x", "uid": "u", "finalizers": ["kro.run/finalizer"], **metadata},
        "spec": {"name": "n"},
        "status": {"state": state, "conditions": conditions if message else []},
    }


def _explain(subject: dict[str, Any], *objects: dict[str, Any]) -> Explained:
    values = (subject, *objects)
    definitions = {}
    for each in values:
        if each["kind"] == "ResourceGraphDefinition":
            (rgd,) = analyze(Text(to_yaml({name: part for name, part in each.items() if name != "status"}))).rgds
            kind = each["spec"]["schema"]["kind"]
            definitions["kro.run", kind] = rgd
    return explain(subject, Objects(values), definitions)


def _first(subject: dict[str, Any], *objects: dict[str, Any]) -> Explanation:
    return _explain(subject, *objects).causes[0]


def _waits(node: str, expression: str) -> str:
    quoted = expression.replace('"', '\\"')
    false = f'readyWhen condition evaluated to false: "{quoted}" (waiting for readiness)'
    return f'{_ERRORS}waiting for node "{node}": {false}'


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
    for head in (_FAILED, _ERRORS):
        cause = _first(_instance(head + message, "ERROR"), _definition())
        assert cause.kind.code == code
        assert words in cause.message
        assert cause.kro.startswith("ResourcesReady: ")


def test_the_errors_of_several_objects_are_told_one_by_one() -> None:
    lines = 'namespaces "a" not found\nnamespaces "b" not found'
    causes = _explain(_instance(_ERRORS + lines), _definition()).causes
    assert [each.message for each in causes] == ["namespace a does not exist", "namespace b does not exist"]


_DEPLOYMENT_READY = "web.status.availableReplicas == 1"


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
    web = _node("web", "Deployment", {"replicas": 1}, ready=_DEPLOYMENT_READY)
    owned = {"name": "p", "namespace": "x", "uid": "p", "ownerReferences": [{"uid": "u-web"}]}
    cause = _first(
        _instance(_waits("web", _DEPLOYMENT_READY)),
        _definition(web),
        _child(web, {"replicas": 1}),
        {"apiVersion": "v1", "kind": "Pod", "metadata": owned, "status": pod},
    )
    assert (cause.kind.code, cause.node) == (code, "web")
    assert words in cause.message
    assert cause.place is not None


def _condition(name: str, status: str, message: str = "") -> dict[str, Any]:
    return {"conditions": [{"type": name, "status": status, "reason": "Because", "message": message}]}


@pytest.mark.parametrize(
    ("node", "status", "code", "words"),
    [
        (
            _node("a", "PersistentVolumeClaim", {}, ready="a.status.phase == 'Bound'"),
            {"phase": "Pending"},
            "volume-pending",
            "Pending",
        ),
        (
            _node("a", "Service", {"type": "LoadBalancer"}, ready="a.status.loadBalancer.ingress.size() > 0"),
            {"loadBalancer": {}},
            "load-balancer-pending",
            "has no address",
        ),
        (
            _node("a", "Ingress", {}, ready="a.status.loadBalancer.ingress.size() > 0"),
            {"loadBalancer": {}},
            "load-balancer-pending",
            "has no address",
        ),
        (
            _node("a", "Namespace", ready="a.status.phase == 'Ready'"),
            {"phase": "Active"},
            "never-true",
            "never 'Ready'",
        ),
        (
            _node("a", "Secret", ready="a.stringData.k == 'v'"),
            None,
            "never-there",
            "stringData",
        ),
        (
            _node("a", "Deployment", {"replicas": 0}, ready="a.status.availableReplicas == 0"),
            {"observedGeneration": 1, **_condition("Available", "True")},
            "never-there",
            "0 replicas",
        ),
        (
            _node("a", "Deployment", {"replicas": 1}, ready="a.status.unavailableReplicas == 0"),
            {"availableReplicas": 1, **_condition("Available", "True")},
            "never-there",
            "a zero is left out",
        ),
        (
            _node("a", "Deployment", {"replicas": 1}, ready="a.status.availableReplicas == 1"),
            _condition("ReplicaFailure", "True", 'pods "a" is forbidden: exceeded quota: q, requested: pods=1'),
            "quota",
            "exceeded quota: q",
        ),
        (
            _node("a", "Deployment", {"replicas": 1, "paused": True}, ready="a.status.availableReplicas == 1"),
            {"replicas": 1},
            "paused",
            "is paused",
        ),
        (_node("a", "Job", {"suspend": True}, ready="a.status.succeeded > 0"), {}, "job-suspended", "suspended"),
        (
            {
                "id": "a",
                "template": {"apiVersion": "x.example/v1", "kind": "Thing", "metadata": {"name": "a"}},
                "readyWhen": ["${a.status.id != ''}"],
            },
            _condition("Ready", "False", "no credentials"),
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
    cause = _first(_instance(_waits("a", expression)), _definition(node), _child(node, status))
    assert (cause.kind.code, cause.node) == (code, "a")
    assert words in cause.message


def test_what_events_say_is_told() -> None:
    claim = _node("a", "PersistentVolumeClaim", {}, ready="a.status.phase == 'Bound'")
    event = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": "e"},
        "type": "Warning",
        "reason": "ProvisioningFailed",
        "message": "no such class",
        "involvedObject": {"kind": "PersistentVolumeClaim", "name": "a", "uid": "u-a"},
    }
    objects = _definition(claim), _child(claim, {"phase": "Pending"}), event
    cause = _first(_instance(_waits("a", "a.status.phase == 'Bound'")), *objects)
    assert cause.message.endswith("; ProvisioningFailed: no such class")


def test_objects_that_are_not_given_are_asked_for() -> None:
    web = _node("web", "Deployment", {"replicas": 1}, ready=_DEPLOYMENT_READY)
    cause = _first(_instance(_waits("web", _DEPLOYMENT_READY)), _definition(web))
    assert cause.fetch == ("kubectl get deployments.apps -A -l kro.run/node-id=web -o yaml",)


def test_a_chained_instance_is_explained_by_its_own_definition() -> None:
    child = {
        "id": "child",
        "template": {"apiVersion": "kro.run/v1alpha1", "kind": "Inner", "metadata": {"name": "i"}},
        "readyWhen": ["${child.status.state == 'ACTIVE'}"],
    }
    inner_node = _node("web", "Deployment", {"replicas": 1}, ready=_DEPLOYMENT_READY)
    inner = _definition(inner_node)
    inner["metadata"] = {"name": "inner"}
    inner["spec"]["schema"]["kind"] = "Inner"
    inner_instance = _child(child, _instance(_waits("web", _DEPLOYMENT_READY))["status"])
    inner_instance["metadata"]["labels"]["kro.run/owned"] = "true"
    grandchild = _child(inner_node, {"replicas": 1})
    grandchild["metadata"]["labels"]["kro.run/instance-id"] = "u-child"
    subject = _instance(_waits("child", "child.status.state == 'ACTIVE'"))
    cause = _first(subject, _definition(child), inner, inner_instance, grandchild)
    assert cause.kind.code == "child-instance"
    assert "Inner x/child is not ACTIVE: web.status.availableReplicas is not there" in cause.message
    assert "0 of 1 replicas" in cause.message


def test_a_scaler_that_fights_with_kro() -> None:
    web = _node("web", "Deployment", {"replicas": 1})
    scaler = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "s", "namespace": "x"},
        "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "web"}},
    }
    cause = _first(_instance(f"{_FAILED}cluster mutated"), _definition(web), _child(web), scaler)
    assert (cause.kind.code, cause.node, cause.field) == ("fight", "web", ("spec", "replicas"))
    assert "HorizontalPodAutoscaler x/s" in cause.message


def test_managed_fields_tell_who_fights() -> None:
    config = _node("config", "ConfigMap", data={"a": "b"})
    managers = [
        {"manager": "kro.run/applyset", "time": "2026-01-01T00:00:01Z"},
        {"manager": "injector", "time": "2026-01-01T00:00:02Z"},
    ]
    child = _child(config, managedFields=managers)
    cause = _first(_instance(f"{_FAILED}cluster mutated"), _definition(config), child)
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
    definition = _definition(conditions=conditions)
    for subject, objects in ((definition, ()), (_instance(""), (definition,))):
        cause = _first(subject, *objects)
        assert cause.kind.code == code
        assert words in cause.message


def test_definitions_that_use_each_others_kinds() -> None:
    refused = {"GraphAccepted": ("False", "schema not found")}
    use = {"id": "a", "template": {"apiVersion": "kro.run/v1alpha1", "kind": "Other", "metadata": {"name": "a"}}}
    back = {"id": "a", "template": {"apiVersion": "kro.run/v1alpha1", "kind": "App", "metadata": {"name": "a"}}}
    one, other = _definition(use, conditions=refused), _definition(back, conditions=refused)
    other["metadata"] = {"name": "other"}
    other["spec"]["schema"]["kind"] = "Other"
    assert "use each other's kinds" in _first(one, other).message


def test_an_instance_that_cannot_be_deleted() -> None:
    web = _node("web", "ConfigMap")
    subject = _instance(
        "deletion blocked: deleting apply-order wave 1", "DELETING", deletionTimestamp="2026-01-01T00:00:00Z"
    )
    held = _child(web, deletionTimestamp="2026-01-01T00:00:01Z", finalizers=["example.com/hold"])
    cause = _first(subject, _definition(web), held)
    assert (cause.kind.code, "'example.com/hold' holds it" in cause.message) == ("being-deleted", True)
    cause = _first(subject, _definition(web))
    assert (cause.kind.code, bool(cause.fetch)) == ("deletion-blocked", True)
    own = _instance("", "DELETING", deletionTimestamp="2026-01-01T00:00:00Z", finalizers=["example.com/own"])
    assert "'example.com/own' holds it" in _first(own, _definition(web)).message


def test_conditions_about_an_older_generation() -> None:
    subject = _instance("")
    subject["metadata"]["generation"] = 2
    subject["status"]["conditions"] = [{"type": "ResourcesReady", "status": "True", "observedGeneration": 1}]
    cause = _first(subject, _definition(_node("a", "Service")))
    assert "has not looked at App x/one since its last edit" in cause.message


def test_an_instance_that_is_well() -> None:
    subject = _instance("", "ACTIVE")
    subject["status"]["conditions"] = [{"type": "ResourcesReady", "status": "True"}]
    explained = _explain(subject, _definition(_node("a", "Service")))
    assert explained.is_well
    assert [each.kind.code for each in explained.causes] == ["nothing"]


def test_a_value_that_the_template_writes_is_the_definitions_matter() -> None:
    service = _node("svc", "Service", {"ports": [{"port": 99999}]})
    message = (
        'Service "svc" is invalid: spec.ports[0].port: Invalid value: 99999: must be between 1 and 65535, inclusive'
    )
    cause = _first(_instance(_ERRORS + message, "ERROR"), _definition(service))
    assert (cause.kind.code, cause.node, cause.field) == ("value-refused", "svc", ("spec", "ports", 0, "port"))


def test_a_field_of_the_instance_that_an_expression_reads() -> None:
    config = _node("a", "ConfigMap", data={"k": "${schema.spec.zones[0]}"})
    says = 'eval "schema.spec.zones[0]": index out of bounds: 0 (data pending)'
    message = f'{_FAILED}waiting for unresolved resource: gvr "x": node "a": failed to evaluate expression: {says}'
    cause = _first(_instance(message), _definition(config))
    assert (cause.kind.code, cause.node) == ("instance-field-missing", "a")
    assert "spec.zones of the instance" in cause.message


def test_a_deletion_that_nobody_finishes() -> None:
    subject = _instance("", "ACTIVE", deletionTimestamp="2026-01-01T00:00:00Z")
    assert _first(subject).kind.code == "definition-gone"


def test_a_field_of_the_status_without_a_value() -> None:
    service = _node("svc", "Service", {"type": "ClusterIP"})
    definition = _definition(service)
    definition["spec"]["schema"]["status"] = {"host": "${svc.status.loadBalancer.ingress[0].hostname}"}
    subject = _instance("", "ACTIVE")
    subject["status"]["conditions"] = [{"type": "ResourcesReady", "status": "True"}]
    cause = _first(subject, definition, _child(service, {"loadBalancer": {}}))
    assert cause.kind.code == "never-there"
    assert cause.message.startswith("status.host has no value: ")
    subject["status"]["host"] = "x"
    assert _explain(subject, definition, _child(service, {"loadBalancer": {}})).is_well


def test_a_line_that_tells_nothing_belongs_to_the_error_before() -> None:
    text = 'Pod "a" is invalid: spec: Forbidden: pod updates may not change x\n@@ -1 +1 @@\n- a\n+ b'
    (cause,) = _explain(_instance(_ERRORS + text, "ERROR"), _definition(_node("a", "Pod"))).causes
    assert cause.kind.code == "immutable-field"


def test_roles_that_are_not_kros_do_not_count() -> None:
    role = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": "reader"},
        "rules": [],
    }
    subject = _instance("")
    subject["status"] = {}
    assert _first(subject, _definition(_node("a", "Service")), role).kind.code == "kro-silent"
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": "b"},
        "roleRef": {"kind": "ClusterRole", "name": "reader"},
        "subjects": [{"kind": "ServiceAccount", "name": "kro", "namespace": "kro-system"}],
    }
    cause = _first(subject, _definition(_node("a", "Service")), role, binding)
    assert cause.kind.code == "permission"


def test_the_item_of_a_collection_that_is_not_ready() -> None:
    expression = "each.status.phase == 'Running'"
    pods = _node("pods", "Pod", ready=expression)
    pods["forEach"] = [{"zone": "${schema.spec.zones}"}]
    first, second = _child(pods, {"phase": "Running"}), _child(pods, {})
    second["metadata"] |= {"name": "second", "labels": second["metadata"]["labels"] | {"kro.run/collection-index": "1"}}
    says = f'node "pods": failed to evaluate readyWhen "{expression}" (item 1) (waiting for readiness)'
    cause = _first(_instance(f'{_ERRORS}waiting for node "pods": {says}'), _definition(pods), second, first)
    assert cause.node == "pods"
    assert cause.value is not None
    assert name_of(cause.value) == "second"


def test_a_condition_that_waits_for_data() -> None:
    service = _node("svc", "Service", {"type": "ClusterIP"})
    config = _node("config", "ConfigMap")
    config["includeWhen"] = ["${svc.status.loadBalancer.ingress.size() > 0}"]
    says = 'includeWhen "svc.status.loadBalancer.ingress.size() > 0": no such key: ingress (data pending)'
    message = f'{_FAILED}waiting for unresolved resource: gvr "x": is ignore check failed: {says}'
    cause = _first(_instance(message), _definition(service, config), _child(service, {"loadBalancer": {}}))
    assert (cause.kind.code, cause.node) == ("never-there", "svc")
    assert cause.place is not None


def test_owners_in_a_circle() -> None:
    web = _node("web", "Deployment", {"replicas": 1}, ready=_DEPLOYMENT_READY)
    child = _child(web, {"replicas": 1}, ownerReferences=[{"uid": "u-web"}])
    assert _first(_instance(_waits("web", _DEPLOYMENT_READY)), _definition(web), child).kind.code == "pods-unavailable"


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
        node = _node("a", kind, {}, ready="a.status.x == 1")
        for number in range(2):
            values = [_instance(_waits("a", "a.status.x == 1")), _child(node, {})]
            parent = values[number]
            for name in path[:-1]:
                parent = parent[name]
            parent[path[-1]] = odd
            assert _explain(values[0], _definition(node), values[1]).causes


def test_what_follows_from_another_cause_comes_last() -> None:
    held = 'roles "a" is forbidden: user "kro" is attempting to grant RBAC permissions not currently held'
    lines = f'rolebindings "a" not found\n{held}'
    causes = _explain(_instance(_ERRORS + lines), _definition()).causes
    assert [each.kind.code for each in causes] == ["permission", "reference-missing"]
    assert 'roles "a", which grants' in causes[0].message
