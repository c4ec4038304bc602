"""The effects of a cluster's controllers on an object: a Deployment becomes available, a claim is bound.

The kinds of Kubernetes have behaviours of their own; any other kind gets a status made by its schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.openapi.knowledge.readiness import signs_of
from kro_ls.openapi.schema import Schema
from kro_ls.runtime.nodes.templates import copy_json
from kro_ls.runtime.values.maker import ValueMaker, completed, conditions
from kro_ls.runtime.values.names import Subject, kebab_case
from kro_ls.runtime.values.text_table import TIME
from kro_ls.runtime.values.texts import realistic_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.openapi.knowledge.signs import Sign
    from kro_ls.runtime.values.demands import Demand

    Behaviour: TypeAlias = Callable[[JsonObject], JsonObject]


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
    is_custom = kind is None or kind.declared_schema is not None
    return completed(settled, demand, schema, ("spec", "status") if is_custom else ("status",), subject)


def _status(schema: Schema, subject: Subject, signs: tuple[Sign, ...], known: JsonObject) -> JsonObject:
    """Return what controllers write into a status; its default tells what it was before they came."""
    default = as_object(schema.default)
    maker = ValueMaker(subject)
    status = as_object(maker.make(None, Schema({**schema.raw, "default": None}), ()))
    for sign in signs:
        if sign.result:
            _put(status, sign.result, is_open=not schema.properties)
    return {**status, **{name: value for name, value in known.items() if default.get(name) != value}}


def _put(status: JsonObject, result: tuple[str, ...], *, is_open: bool) -> None:
    """Write what a sign looks for into a status, where its field is or can be."""
    *names, field, text = result
    for name in names:
        status = as_object(status.setdefault(name, {}) if is_open else status.get(name))
    if is_open or field in status:
        status[field] = text


def subject_of(value: JsonObject) -> Subject:
    """Return an object as what values are made for: no two objects of a cluster are the same subject."""
    api_version, kind, metadata = as_text(value.get("apiVersion")), as_text(value.get("kind")), value.get("metadata")
    namespace, name = (as_text(as_object(metadata).get(each)) for each in ("namespace", "name"))
    own = name if namespace in ("", "default") else f"{namespace}-{name}"
    label = kebab_case(own) or kebab_case(kind)
    return Subject(f"{api_version}/{kind}/{namespace}/{name}", label, label, kind, api_version.rpartition("/")[0])


def _replicas(value: JsonObject) -> int:
    """Return how many replicas are wanted; the API server writes its default into the object."""
    value["spec"] = spec = {"replicas": 1, **as_object(value.get("spec"))}
    wanted = spec["replicas"]
    return wanted if isinstance(wanted, int) else 1


def _true(*types: str) -> list[JsonValue]:
    return conditions(types)


def _deployment(value: JsonObject) -> JsonObject:
    count = _replicas(value)
    counts = dict.fromkeys(("replicas", "updatedReplicas", "readyReplicas", "availableReplicas"), count)
    return {"observedGeneration": 1, **counts, "conditions": _true("Available", "Progressing")}


def _stateful_set(value: JsonObject) -> JsonObject:
    count = _replicas(value)
    names = ("replicas", "currentReplicas", "updatedReplicas", "readyReplicas", "availableReplicas")
    return {"observedGeneration": 1, **dict.fromkeys(names, count)}


def _replica_set(value: JsonObject) -> JsonObject:
    count = _replicas(value)
    names = ("replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas")
    return {"observedGeneration": 1, **dict.fromkeys(names, count)}


def _daemon_set(_: JsonObject) -> JsonObject:
    names = ("currentNumberScheduled", "desiredNumberScheduled", "numberReady", "numberAvailable")
    return {"observedGeneration": 1, **dict.fromkeys(names, 1), "updatedNumberScheduled": 1, "numberMisscheduled": 0}


def _job(value: JsonObject) -> JsonObject:
    wanted = as_object(value.get("spec")).get("completions")
    times: JsonObject = {"startTime": TIME, "completionTime": TIME}
    return {**times, "succeeded": wanted if isinstance(wanted, int) else 1, "conditions": _true("Complete")}


def _pod(value: JsonObject) -> JsonObject:
    containers = as_list(as_object(value.get("spec")).get("containers"))
    statuses: list[JsonValue] = [
        {"name": as_object(each).get("name"), "ready": True, "started": True, "restartCount": 0} for each in containers
    ]
    return {
        "phase": "Running",
        "podIP": realistic_text(subject_of(value), ("podIP",)),
        "hostIP": "10.0.0.10",
        "startTime": TIME,
        "containerStatuses": statuses,
        "conditions": _true("PodScheduled", "Initialized", "ContainersReady", "Ready"),
    }


def _service(value: JsonObject) -> JsonObject:
    spec = as_object(value.get("spec"))
    if spec.get("type") != "ExternalName":
        address = realistic_text(subject_of(value), ("clusterIP",))
        spec = {"clusterIP": address, "clusterIPs": [address], "type": "ClusterIP", **spec}
        value["spec"] = spec
    if spec.get("type") != "LoadBalancer":
        return {"loadBalancer": {}}
    return _load_balancer(value)


def _load_balancer(value: JsonObject) -> JsonObject:
    subject = subject_of(value)
    made: JsonObject = {
        "ip": realistic_text(subject, ("publicIP",)),
        "hostname": realistic_text(subject, ("hostname",)),
    }
    return {"loadBalancer": {"ingress": [made]}}


def _claim(value: JsonObject) -> JsonObject:
    spec = as_object(value.get("spec"))
    name = as_text(as_object(value.get("metadata")).get("name"))
    value["spec"] = {"volumeName": f"pvc-{name}", **spec}
    requests = as_object(as_object(spec.get("resources")).get("requests"))
    return {"phase": "Bound", "accessModes": as_list(spec.get("accessModes")), "capacity": requests}


def _custom_resource_definition(value: JsonObject) -> JsonObject:
    names = as_object(as_object(value.get("spec")).get("names"))
    versions = [as_object(each).get("name") for each in as_list(as_object(value.get("spec")).get("versions"))]
    established = _true("NamesAccepted", "Established")
    return {"conditions": established, "acceptedNames": names, "storedVersions": versions[:1]}


def _autoscaler(value: JsonObject) -> JsonObject:
    least = as_object(value.get("spec")).get("minReplicas")
    count = least if isinstance(least, int) else 1
    return {"currentReplicas": count, "desiredReplicas": count, "conditions": _true("AbleToScale", "ScalingActive")}


def _phase(name: str) -> Behaviour:
    return lambda _: {"phase": name}


_BEHAVIOURS: dict[tuple[str, str], Behaviour] = {
    ("apps", "Deployment"): _deployment,
    ("apps", "StatefulSet"): _stateful_set,
    ("apps", "ReplicaSet"): _replica_set,
    ("apps", "DaemonSet"): _daemon_set,
    ("", "ReplicationController"): _replica_set,
    ("batch", "Job"): _job,
    ("batch", "CronJob"): lambda _: {"lastScheduleTime": TIME, "lastSuccessfulTime": TIME},
    ("", "Pod"): _pod,
    ("", "Service"): _service,
    ("networking.k8s.io", "Ingress"): _load_balancer,
    ("", "PersistentVolumeClaim"): _claim,
    ("", "PersistentVolume"): _phase("Bound"),
    ("", "Namespace"): _phase("Active"),
    ("autoscaling", "HorizontalPodAutoscaler"): _autoscaler,
    ("policy", "PodDisruptionBudget"): lambda _: {
        **dict.fromkeys(("currentHealthy", "desiredHealthy", "expectedPods"), 1),
        "disruptionsAllowed": 0,
        "observedGeneration": 1,
    },
    ("apiextensions.k8s.io", "CustomResourceDefinition"): _custom_resource_definition,
}
