"""The effects of a cluster's controllers on an object: a Deployment becomes available, a claim is bound.

The kinds of Kubernetes have behaviours of their own, which leave nothing to invent but what a node or a cloud gives;
any other kind gets a status made by its schema. Some statuses depend on other objects as far as the simulation has
them: PodDisruptionBudgets count pods, ResourceQuotas count the objects of their namespace, claims and volumes find each
other.
Source: k8s.io/kubernetes, pkg/controller/{disruption,podautoscaler,volume/persistentvolume} and
pkg/quota/v1/evaluator/core.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec.structs import replace

from kro_ls.golang.plural import plural
from kro_ls.openapi.json_values import as_list, as_object, as_text, copy_json
from kro_ls.openapi.readiness import signs_of
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.validation.objects.quantities import amount, canonical_quantity
from kro_ls.runtime.controllers import workloads
from kro_ls.runtime.controllers.workloads import condition
from kro_ls.runtime.nodes.node_objects import group_kind, metadata_text
from kro_ls.runtime.values.maker import ValueMaker, completed
from kro_ls.runtime.values.names import subject_of
from kro_ls.runtime.values.text_table import TIME
from kro_ls.runtime.values.texts import realistic_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.openapi.readiness import Sign
    from kro_ls.runtime.values.demands import Demand
    from kro_ls.runtime.values.names import Subject

    Behaviour: TypeAlias = Callable[[JsonObject], JsonObject]
    Together: TypeAlias = Callable[[JsonObject, Iterable[JsonObject]], JsonObject]


def settle(value: JsonObject, kind: KindSchema | None, demand: Demand) -> JsonObject:
    """Return a copy of an object as its controllers leave it, as far as that can be with what expressions ask of it."""
    settled: JsonObject = copy_json(value)
    subject = subject_of(value)
    signs = signs_of(subject.group, subject.kind, kind)
    if true := tuple(each.condition for each in signs if each.condition):
        subject = replace(subject, conditions=true)
    behaviour = _BEHAVIOURS.get((subject.group, subject.kind))
    schema = Schema(kind.schema) if kind else None
    if behaviour is not None:
        settled["status"] = {**as_object(settled.get("status")), **behaviour(settled)}
    elif schema is not None and "status" in schema.properties:
        settled["status"] = _status(schema.properties["status"], subject, signs, as_object(settled.get("status")))
    is_balanced = "ingress" in as_object(as_object(settled.get("status")).get("loadBalancer"))
    if behaviour is not None and not is_balanced and subject.kind != "Pod":
        return settled  # a node or a cloud may write more into the others
    is_custom = kind is None or kind.declared_schema is not None
    return completed(settled, demand, schema, ("spec", "status") if is_custom else ("status",), subject)


def together(value: JsonObject) -> Together | None:
    """Return what makes an object of itself and of all objects; None where its status depends on itself alone."""
    return _TOGETHER.get(group_kind(value))


def _status(schema: Schema, subject: Subject, signs: tuple[Sign, ...], known: JsonObject) -> JsonObject:
    """Return what controllers write into a status that has its default value at first."""
    default = as_object(schema.default)
    maker = ValueMaker(subject)
    status = as_object(maker.make(None, Schema({**schema.raw, "default": None}), ()))
    for sign in signs:
        if sign.result and _may_be_text(schema, sign.result[:-1]):
            _put(status, sign.result, is_open=not schema.properties)
    return {**status, **{name: value for name, value in known.items() if default.get(name) != value}}


def _may_be_text(schema: Schema, path: tuple[str, ...]) -> bool:
    """Whether the schema of a status leaves room for a text at a path."""
    inner: Schema | None = schema
    for name in path:
        inner = inner.child(name) if inner is not None else None
    return inner is None or not inner.types or inner.types[0] == "string"


def _put(status: JsonObject, result: tuple[str, ...], *, is_open: bool) -> None:
    """Write what a sign looks for into a status, where its field is or can be."""
    *names, field, text = result
    for name in names:
        status = as_object(status.setdefault(name, {}) if is_open else status.get(name))
    if is_open or field in status:
        status[field] = text


def _service(value: JsonObject) -> JsonObject:
    """Return the status of a Service: only one of the type LoadBalancer gets an address from outside."""
    is_balanced = as_object(value.get("spec")).get("type") == "LoadBalancer"
    return _load_balancer(value) if is_balanced else {"loadBalancer": {}}


def _load_balancer(value: JsonObject) -> JsonObject:
    """Return the status of what a load balancer was made for."""
    return {"loadBalancer": {"ingress": [{"ip": realistic_text(subject_of(value), ("publicIP",))}]}}


def _claim(value: JsonObject) -> JsonObject:
    """Return the status of a claim that is bound to the volume that it names, or to one which was made for it."""
    spec, metadata = as_object(value.get("spec")), as_object(value["metadata"])
    bound: JsonObject = {"pv.kubernetes.io/bind-completed": "yes"}
    if not spec.get("volumeName"):
        bound["pv.kubernetes.io/bound-by-controller"] = "yes"
    metadata["annotations"] = {**as_object(metadata.get("annotations")), **bound}
    value["spec"] = {"volumeName": f"pvc-{metadata.get('uid')}", **spec}
    requests = as_object(as_object(spec.get("resources")).get("requests"))
    return {"phase": "Bound", "accessModes": as_list(spec.get("accessModes")), "capacity": requests}


def _definition(value: JsonObject) -> JsonObject:
    """Return the status of a CustomResourceDefinition that is established."""
    spec = as_object(value.get("spec"))
    versions = [as_object(each) for each in as_list(spec.get("versions"))]
    stored: list[JsonValue] = [each.get("name") for each in versions if each.get("storage") is True]
    conditions: list[JsonValue] = [
        condition("NamesAccepted", "NoConflicts", "no conflicts found"),
        condition("Established", "InitialNamesAccepted", "the initial names have been accepted"),
    ]
    return {"conditions": conditions, "acceptedNames": as_object(spec.get("names")), "storedVersions": stored}


def _admission_policy(value: JsonObject) -> JsonObject:
    """Return the status of a policy whose expressions have been checked."""
    return {"observedGeneration": as_object(value.get("metadata")).get("generation", 1), "typeChecking": {}}


_BEHAVIOURS: dict[tuple[str, str], Behaviour] = {
    ("apps", "Deployment"): workloads.deployment,
    ("apps", "StatefulSet"): workloads.stateful_set,
    ("apps", "ReplicaSet"): workloads.replica_set,
    ("apps", "DaemonSet"): workloads.daemon_set,
    ("", "ReplicationController"): workloads.replication_controller,
    ("batch", "Job"): workloads.job,
    ("batch", "CronJob"): lambda _: {},  # has not run yet
    ("", "Pod"): workloads.pod,
    ("", "Service"): _service,
    ("networking.k8s.io", "Ingress"): _load_balancer,
    ("", "PersistentVolumeClaim"): _claim,
    ("", "PersistentVolume"): lambda _: {"phase": "Bound", "lastPhaseTransitionTime": TIME},
    ("", "Namespace"): lambda _: {"phase": "Active"},
    ("", "ResourceQuota"): lambda value: as_object(used(value, ()).get("status")),
    ("autoscaling", "HorizontalPodAutoscaler"): lambda _: {},  # waits for the first metrics
    ("policy", "PodDisruptionBudget"): lambda value: as_object(counted(value, ())["status"]),
    ("apiextensions.k8s.io", "CustomResourceDefinition"): _definition,
    ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"): _admission_policy,
}


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
    group, kind = group_kind(value)
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


def counted(budget: JsonObject, objects: Iterable[JsonObject]) -> JsonObject:
    """Return a budget with the status that the pods of some objects give it; all of them are healthy."""
    spec, metadata = as_object(budget.get("spec")), as_object(budget.get("metadata"))
    namespace = metadata_text(budget, "namespace")
    near = (each for each in objects if metadata_text(each, "namespace") == namespace)
    expected = sum(_pods(each, as_object(spec.get("selector"))) for each in near)
    if "maxUnavailable" in spec:
        desired = max(expected - _share(spec["maxUnavailable"], expected), 0)
    else:
        desired = _share(spec.get("minAvailable", 1), expected)
    allowed = max(expected - desired, 0)
    generation = metadata.get("generation", 1)
    reason, truth = ("SufficientPods", "True") if allowed else ("InsufficientPods", "False")
    status: JsonObject = {
        "currentHealthy": expected,
        "desiredHealthy": desired,
        "disruptionsAllowed": allowed,
        "expectedPods": expected,
        "observedGeneration": generation,
        "conditions": [{**condition("DisruptionAllowed", reason, "", truth), "observedGeneration": generation}],
    }
    return {**budget, "status": status}


def _share(value: JsonValue, count: int) -> int:
    """Return a number of pods, which may be given as a percentage."""
    if isinstance(value, int):
        return value
    percent = as_text(value).removesuffix("%")
    return ceil(int(percent) * count / 100) if percent.isdecimal() else 0


def _pods(value: JsonObject, selector: JsonObject) -> int:
    """Return how many pods of an object a selector finds."""
    spec = as_object(value.get("spec"))
    if value.get("kind") == "Pod":
        return int(_selects(selector, as_object(as_object(value.get("metadata")).get("labels"))))
    labels = as_object(as_object(as_object(spec.get("template")).get("metadata")).get("labels"))
    if value.get("kind") not in ("Deployment", "StatefulSet", "ReplicaSet") or not _selects(selector, labels):
        return 0
    replicas = spec.get("replicas", 1)
    return replicas if isinstance(replicas, int) else 1


def _selects(selector: JsonObject, labels: JsonObject) -> bool:
    wanted = as_object(selector.get("matchLabels")).items() <= labels.items()
    return wanted and all(_fits(as_object(each), labels) for each in as_list(selector.get("matchExpressions")))


def _fits(wish: JsonObject, labels: JsonObject) -> bool:
    key, values = as_text(wish.get("key")), as_list(wish.get("values"))
    match wish.get("operator"):
        case "Exists":
            return key in labels
        case "DoesNotExist":
            return key not in labels
        case "In":
            return labels.get(key) in values
    return labels.get(key) not in values


def _with_capacity(value: JsonObject, objects: Iterable[JsonObject]) -> JsonObject:
    """Return a claim that names its volume with the capacity of that, where it is among the objects."""
    wanted = as_object(value.get("spec")).get("volumeName")
    volumes = _of_kind("PersistentVolume", objects)
    volume = next((each for each in volumes if metadata_text(each, "name") == wanted), None)
    if volume is None:
        return value
    spec = as_object(volume.get("spec"))
    of_volume = {name: spec.get(name) for name in ("capacity", "accessModes")}
    return {**value, "status": {**as_object(value.get("status")), **of_volume}}


def _with_claim(value: JsonObject, objects: Iterable[JsonObject]) -> JsonObject:
    """Return a volume with the claim that names it, where it is among the objects."""
    name = metadata_text(value, "name")
    claims = _of_kind("PersistentVolumeClaim", objects)
    claim = next((each for each in claims if as_object(each.get("spec")).get("volumeName") == name), None)
    if claim is None:
        return value
    named = {each: metadata_text(claim, each) for each in ("name", "namespace", "uid", "resourceVersion")}
    reference: JsonObject = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", **named}
    return {**value, "spec": {**as_object(value.get("spec")), "claimRef": reference}}


def _of_kind(kind: str, objects: Iterable[JsonObject]) -> Iterator[JsonObject]:
    return (each for each in objects if (each.get("apiVersion"), each.get("kind")) == ("v1", kind))


_TOGETHER: Final[dict[tuple[str, str], Together]] = {
    ("policy", "PodDisruptionBudget"): counted,
    ("", "ResourceQuota"): used,
    ("", "PersistentVolumeClaim"): _with_capacity,
    ("", "PersistentVolume"): _with_claim,
}
