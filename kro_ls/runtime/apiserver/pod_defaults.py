"""What the API server does to pods and to templates of pods beyond a table.

Source: k8s.io/kubernetes, pkg/apis/core/v1/defaults.go, plugin/pkg/admission/{serviceaccount,defaulttolerationseconds}.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.runtime.apiserver.defaulting import spec_of
from kro_ls.runtime.values.names import subject_of

if TYPE_CHECKING:
    from collections.abc import Iterator

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
