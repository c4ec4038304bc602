"""The status of ResourceQuotas, which count the objects of their namespace.

Source: k8s.io/kubernetes, pkg/quota/v1/evaluator/core. Whatever else the namespace holds is not known here.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from kro_ls.golang.plural import plural
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.openapi.validation.objects.quantities import amount, canonical_quantity
from kro_ls.runtime.nodes.expansion import metadata_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue

_IN_EACH_NAMESPACE: Final = {"configmaps": 1, "count/configmaps": 1, "count/serviceaccounts": 1}
"""The certificates and the account that controllers put into each namespace."""
_COUNTED: Final = {
    "ConfigMap": "configmaps",
    "Secret": "secrets",
    "Service": "services",
    "PersistentVolumeClaim": "persistentvolumeclaims",
    "ReplicationController": "replicationcontrollers",
    "ResourceQuota": "resourcequotas",
}
_REPLICATED: Final = ("Deployment", "StatefulSet", "ReplicaSet", "ReplicationController")


def used(quota: JsonObject, objects: Iterable[JsonObject]) -> JsonObject:
    """Return a quota with the status that some objects give it."""
    hard = as_object(as_object(quota.get("spec")).get("hard"))
    if not hard:
        return quota
    totals: dict[str, list[JsonValue]] = {name: [count] for name, count in _IN_EACH_NAMESPACE.items()}
    namespace = metadata_text(quota, "namespace")
    for value in objects:
        if metadata_text(value, "namespace") == namespace:
            for name, amount_used in _usage(value):
                totals.setdefault(name, []).append(amount_used)
    found: JsonObject = {name: _sum(totals.get(name, [])) for name in hard}
    return {**quota, "status": {"hard": hard, "used": found}}


def _usage(value: JsonObject) -> Iterator[tuple[str, JsonValue]]:
    """Yield what an object uses, by the names that quotas have for it."""
    kind, group = as_text(value.get("kind")), as_text(value.get("apiVersion")).rpartition("/")[0]
    yield "count/" + ".".join(filter(None, [plural(kind.lower()), group])), 1
    if not group and kind in _COUNTED:
        yield _COUNTED[kind], 1
    spec = as_object(value.get("spec"))
    if (group, kind) == ("", "Service"):
        is_balanced = spec.get("type") == "LoadBalancer"
        if is_balanced:
            yield "services.loadbalancers", 1
        if spec.get("type") == "NodePort" or (is_balanced and spec.get("allocateLoadBalancerNodePorts") is not False):
            yield "services.nodeports", len(as_list(spec.get("ports")))
    elif (group, kind) == ("", "PersistentVolumeClaim"):
        yield "requests.storage", as_object(as_object(spec.get("resources")).get("requests")).get("storage")
    elif kind == "Pod":
        yield from _pod_usage(spec)
    elif kind in _REPLICATED and spec.get("paused") is not True:
        replicas = spec.get("replicas", 1)
        pod = as_object(as_object(spec.get("template")).get("spec"))
        for _ in range(min(replicas, _MOST_PODS) if isinstance(replicas, int) else 1):
            yield from _pod_usage(pod)


_MOST_PODS: Final = 100


def _pod_usage(spec: JsonObject) -> Iterator[tuple[str, JsonValue]]:
    yield "pods", 1
    yield "count/pods", 1
    for container in map(as_object, as_list(spec.get("containers"))):
        resources = as_object(container.get("resources"))
        for part in ("requests", "limits"):
            for name, wanted in as_object(resources.get(part)).items():
                yield f"{part}.{name}", wanted
                if part == "requests":
                    yield name, wanted


def _sum(values: list[JsonValue]) -> str:
    """Return the sum of quantities in the form of the first that is not zero."""
    amounts = [(each, found) for each in values if (found := amount(each))]
    total = sum((found for _, found in amounts), Fraction(0))
    is_binary = bool(amounts) and as_text(amounts[0][0]).endswith("i")
    text = f"{total / 1024}Ki" if is_binary and not total % 1024 else f"{int(total * 1000)}m"
    return as_text(canonical_quantity(text))
