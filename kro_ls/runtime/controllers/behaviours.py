"""The effects of a cluster's controllers on an object: a Deployment becomes available, a claim is bound.

The kinds of Kubernetes have behaviours of their own, which leave nothing to invent but what a node or a cloud gives;
any other kind gets a status made by its schema.
Source: k8s.io/kubernetes, pkg/controller/{podautoscaler,volume/persistentvolume}.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from kro_ls.openapi.json_values import as_list, as_object, copy_json
from kro_ls.openapi.readiness import signs_of
from kro_ls.openapi.schema import Schema
from kro_ls.runtime.controllers import workloads
from kro_ls.runtime.controllers.together import counted, used
from kro_ls.runtime.values.maker import ValueMaker, completed
from kro_ls.runtime.values.names import subject_of
from kro_ls.runtime.values.text_table import TIME
from kro_ls.runtime.values.texts import realistic_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.kind_schema import KindSchema
    from kro_ls.openapi.readiness import Sign
    from kro_ls.runtime.values.demands import Demand
    from kro_ls.runtime.values.names import Subject

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
    is_balanced = "ingress" in as_object(as_object(settled.get("status")).get("loadBalancer"))
    if behaviour is not None and not is_balanced and subject.kind != "Pod":
        return settled  # a node or a cloud may write more into the others
    is_custom = kind is None or kind.declared_schema is not None
    return completed(settled, demand, schema, ("spec", "status") if is_custom else ("status",), subject)


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
        workloads.condition("NamesAccepted", "NoConflicts", "no conflicts found"),
        workloads.condition("Established", "InitialNamesAccepted", "the initial names have been accepted"),
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
