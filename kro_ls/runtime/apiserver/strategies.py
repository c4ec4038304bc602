"""What the API server does to objects of single kinds beyond a table: what depends on other fields, or is allocated.

Source for pods: k8s.io/kubernetes, pkg/apis/core/v1/defaults.go,
plugin/pkg/admission/{serviceaccount,defaulttolerationseconds}.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kro_ls.openapi.json_values import as_list, as_object, as_text, copy_json
from kro_ls.runtime.apiserver.defaults import spec_of
from kro_ls.runtime.values.names import subject_of
from kro_ls.runtime.values.texts import realistic_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue


_TOKENS = "/var/run/secrets/kubernetes.io/serviceaccount"


def default_containers(pod_spec: JsonObject) -> None:
    """Fill in a specification of pods what depends on its other fields."""
    for container in _containers(pod_spec):
        container.setdefault("imagePullPolicy", _pull_policy(as_text(container.get("image"))))
    for volume in map(as_object, as_list(pod_spec.get("volumes"))):
        if volume.keys() == {"name"}:
            volume["emptyDir"] = {}
        image = volume.get("image")
        if isinstance(image, dict):
            image.setdefault("pullPolicy", _pull_policy(as_text(image.get("reference"))))
    account = pod_spec.get("serviceAccountName") or pod_spec.get("serviceAccount")
    if account:
        pod_spec |= {"serviceAccountName": account, "serviceAccount": account}


def _containers(pod_spec: JsonObject) -> Iterator[JsonObject]:
    for name in ("initContainers", "containers"):
        yield from (each for each in as_list(pod_spec.get(name)) if isinstance(each, dict))


def _pull_policy(image: str) -> str:
    """Return the policy for an image: only one without a tag and digest, or with the tag `latest`, is always pulled."""
    name, has_digest, _ = image.partition("@")
    _, has_tag, tag = name.rpartition("/")[2].partition(":")
    if not has_tag:
        return "IfNotPresent" if has_digest else "Always"
    return "Always" if tag == "latest" else "IfNotPresent"


def default_pod(value: JsonObject) -> None:
    """Fill in what only a pod itself gets, not the template of one."""
    spec = spec_of(value)
    for container in _containers(spec):
        _default_requests(container)
        if spec.get("hostNetwork") is True:
            for port in map(as_object, as_list(container.get("ports"))):
                port.setdefault("hostPort", port.get("containerPort"))
    present = {as_object(each).get("key") for each in as_list(spec.get("tolerations"))}
    missing: list[JsonValue] = [
        {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
        for key in ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
        if key not in present
    ]
    spec["tolerations"] = [*as_list(spec.get("tolerations")), *missing]
    if spec.get("automountServiceAccountToken") is not False:
        _mount_token(value, spec)
    as_object(value["status"]).setdefault("qosClass", _quality(spec))


def _default_requests(container: JsonObject) -> None:
    resources = as_object(container.get("resources"))
    limits = as_object(resources.get("limits"))
    if limits:
        resources["requests"] = {**limits, **as_object(resources.get("requests"))}


def _mount_token(value: JsonObject, spec: JsonObject) -> None:
    name = f"kube-api-access-{subject_of(value).digest('token')[:5]}"
    reference: JsonObject = {"apiVersion": "v1", "fieldPath": "metadata.namespace"}
    sources: list[JsonValue] = [
        {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
        {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
        {"downwardAPI": {"items": [{"path": "namespace", "fieldRef": reference}]}},
    ]
    volume: JsonObject = {"name": name, "projected": {"defaultMode": 420, "sources": sources}}
    spec["volumes"] = [*as_list(spec.get("volumes")), volume]
    for container in _containers(spec):
        mounts = as_list(container.get("volumeMounts"))
        if not any(as_object(each).get("mountPath") == _TOKENS for each in mounts):
            container["volumeMounts"] = [*mounts, {"name": name, "mountPath": _TOKENS, "readOnly": True}]


def _quality(spec: JsonObject) -> str:
    """Return how sure a pod is of its resources."""
    asked = [as_object(each.get("resources")) for each in _containers(spec)]
    if not any(as_object(each.get(name)) for each in asked for name in ("requests", "limits")):
        return "BestEffort"
    full = all(
        as_object(each.get("limits")).keys() >= {"cpu", "memory"} and each.get("requests") == each.get("limits")
        for each in asked
    )
    return "Guaranteed" if full else "Burstable"


_FIRST_NODE_PORT: Final = 30000
_NODE_PORTS: Final = 2768


def apply_strategy(value: JsonObject, group: str) -> None:
    """Change an object in place as its kind requires, after its defaults; it must have its uid."""
    template = as_object(spec_of(value).get("template") or value.get("template"))
    kind = as_text(value.get("kind"))
    if kind == "CronJob":
        job = as_object(spec_of(value).get("jobTemplate"))
        template = as_object(as_object(job.get("spec")).get("template"))
    pod_spec = spec_of(value) if (group, kind) == ("", "Pod") else as_object(template.get("spec"))
    default_containers(pod_spec)
    strategy = _STRATEGIES.get((group, kind))
    if strategy is not None:
        strategy(value)


def _service(value: JsonObject) -> None:
    spec = spec_of(value)
    subject = subject_of(value)
    kind = spec.get("type")
    for number, port in enumerate(map(as_object, as_list(spec.get("ports")))):
        port.setdefault("targetPort", port.get("port"))
        if kind == "NodePort" or (kind == "LoadBalancer" and spec.get("allocateLoadBalancerNodePorts") is not False):
            port.setdefault("nodePort", _node_port(subject.digest("nodePort", number)))
    if kind == "ExternalName":
        return
    address = spec.setdefault("clusterIP", realistic_text(subject, ("clusterIP",)))
    spec.setdefault("clusterIPs", [address])
    spec.setdefault("ipFamilies", ["IPv6" if ":" in as_text(address) else "IPv4"])
    spec.setdefault("ipFamilyPolicy", "SingleStack")
    if kind == "LoadBalancer" and spec.get("externalTrafficPolicy") == "Local":
        spec.setdefault("healthCheckNodePort", _node_port(subject.digest("healthCheckNodePort")))


def _node_port(digest: str) -> int:
    return _FIRST_NODE_PORT + int(digest[:8], 16) % _NODE_PORTS


def _namespace(value: JsonObject) -> None:
    metadata = as_object(value["metadata"])
    labels = {**as_object(metadata.get("labels")), "kubernetes.io/metadata.name": metadata.get("name")}
    metadata["labels"] = labels


def _with_finalizer(name: str) -> Callable[[JsonObject], None]:
    def add(value: JsonObject) -> None:
        metadata = as_object(value["metadata"])
        metadata["finalizers"] = [*dict.fromkeys([*map(as_text, as_list(metadata.get("finalizers"))), name])]

    return add


def _claim(value: JsonObject) -> None:
    _with_finalizer("kubernetes.io/pvc-protection")(value)
    spec = spec_of(value)
    for name, other in (("dataSource", "dataSourceRef"), ("dataSourceRef", "dataSource")):
        source = spec.get(name)
        if isinstance(source, dict):
            source.setdefault("apiGroup", None)
            if not source.get("namespace"):
                spec.setdefault(other, copy_json(source))


def _limit_range(value: JsonObject) -> None:
    for limit in map(as_object, as_list(spec_of(value).get("limits"))):
        if limit.get("type") == "Container":
            most, least = as_object(limit.get("max")), as_object(limit.get("min"))
            default = {**most, **as_object(limit.get("default"))}
            request = {**least, **default, **as_object(limit.get("defaultRequest"))}
            limit |= {name: each for name, each in (("default", default), ("defaultRequest", request)) if each}


def _replication_controller(value: JsonObject) -> None:
    spec = spec_of(value)
    labels = as_object(as_object(as_object(spec.get("template")).get("metadata")).get("labels"))
    if labels:
        spec.setdefault("selector", {**labels})
        as_object(value["metadata"]).setdefault("labels", {**labels})


def _job(value: JsonObject) -> None:
    metadata, spec = as_object(value["metadata"]), spec_of(value)
    template = as_object(spec.get("template"))
    inner = as_object(template.setdefault("metadata", {}))
    if spec.get("manualSelector") is not True:
        uid, name = metadata.get("uid"), metadata.get("name")
        own: JsonObject = {
            "batch.kubernetes.io/controller-uid": uid,
            "batch.kubernetes.io/job-name": name,
            "controller-uid": uid,
            "job-name": name,
        }
        inner["labels"] = {**as_object(inner.get("labels")), **own}
        spec["selector"] = {"matchLabels": {"batch.kubernetes.io/controller-uid": uid}}
    if not metadata.get("labels") and inner.get("labels"):
        metadata["labels"] = {**as_object(inner["labels"])}


def _network_policy(value: JsonObject) -> None:
    spec = spec_of(value)
    spec.setdefault("policyTypes", ["Ingress", *(("Egress",) if spec.get("egress") else ())])


def _autoscaler(value: JsonObject) -> None:
    spec = spec_of(value)
    status = as_object(value["status"])
    if value.get("apiVersion") == "autoscaling/v1":
        status.setdefault("currentReplicas", 0)
        return
    status.setdefault("currentMetrics", None)
    cpu: JsonObject = {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}
    spec.setdefault("metrics", [{"type": "Resource", "resource": cpu}])
    if "behavior" in spec:
        behavior = as_object(spec["behavior"])
        spec["behavior"] = {name: {**rules, **as_object(behavior.get(name))} for name, rules in _scaling().items()}


def _scaling() -> dict[str, JsonObject]:
    percent: JsonObject = {"type": "Percent", "value": 100, "periodSeconds": 15}
    pods: JsonObject = {"type": "Pods", "value": 4, "periodSeconds": 15}
    up: JsonObject = {"selectPolicy": "Max", "stabilizationWindowSeconds": 0, "policies": [pods, percent]}
    return {"scaleUp": up, "scaleDown": {"selectPolicy": "Max", "policies": [{**percent}]}}


def _definition(value: JsonObject) -> None:
    spec = spec_of(value)
    names = as_object(spec.get("names"))
    kind = as_text(names.get("kind"))
    names |= {"singular": names.get("singular") or kind.lower(), "listKind": names.get("listKind") or f"{kind}List"}
    versions = [as_object(each) for each in as_list(spec.get("versions"))]
    stored: list[JsonValue] = [each.get("name") for each in versions if each.get("storage") is True]
    fresh: dict[str, Any] = {"acceptedNames": {"kind": "", "plural": ""}, "conditions": None, "storedVersions": stored}
    value["status"] = {**fresh, **as_object(value.get("status"))}


_STRATEGIES: Final[dict[tuple[str, str], Callable[[JsonObject], None]]] = {
    ("", "Service"): _service,
    ("", "Namespace"): _namespace,
    ("", "PersistentVolumeClaim"): _claim,
    ("", "PersistentVolume"): _with_finalizer("kubernetes.io/pv-protection"),
    ("", "LimitRange"): _limit_range,
    ("", "ReplicationController"): _replication_controller,
    ("", "Pod"): default_pod,
    ("batch", "Job"): _job,
    ("networking.k8s.io", "NetworkPolicy"): _network_policy,
    ("autoscaling", "HorizontalPodAutoscaler"): _autoscaler,
    ("apiextensions.k8s.io", "CustomResourceDefinition"): _definition,
}
