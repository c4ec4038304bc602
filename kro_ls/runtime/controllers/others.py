"""What controllers write into what does not run: Services, storage, definitions.

Source: k8s.io/kubernetes, pkg/controller/{podautoscaler,volume/persistentvolume}.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_list, as_object
from kro_ls.runtime.values.names import subject_of
from kro_ls.runtime.values.text_table import TIME
from kro_ls.runtime.values.texts import realistic_text

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue


def service(value: JsonObject) -> JsonObject:
    """Return the status of a Service: only one of the type LoadBalancer gets an address from outside."""
    is_balanced = as_object(value.get("spec")).get("type") == "LoadBalancer"
    return load_balancer(value) if is_balanced else {"loadBalancer": {}}


def load_balancer(value: JsonObject) -> JsonObject:
    """Return the status of what a load balancer was made for."""
    return {"loadBalancer": {"ingress": [{"ip": realistic_text(subject_of(value), ("publicIP",))}]}}


def claim(value: JsonObject) -> JsonObject:
    """Return the status of a claim that is bound to the volume that it names, or to one which was made for it."""
    spec, metadata = as_object(value.get("spec")), as_object(value["metadata"])
    bound: JsonObject = {"pv.kubernetes.io/bind-completed": "yes"}
    if not spec.get("volumeName"):
        bound["pv.kubernetes.io/bound-by-controller"] = "yes"
    metadata["annotations"] = {**as_object(metadata.get("annotations")), **bound}
    value["spec"] = {"volumeName": f"pvc-{metadata.get('uid')}", **spec}
    requests = as_object(as_object(spec.get("resources")).get("requests"))
    return {"phase": "Bound", "accessModes": as_list(spec.get("accessModes")), "capacity": requests}


def volume(_: JsonObject) -> JsonObject:
    """Return the status of a volume that a claim took."""
    return {"phase": "Bound", "lastPhaseTransitionTime": TIME}


def namespace(_: JsonObject) -> JsonObject:
    """Return the status of a namespace."""
    return {"phase": "Active"}


def autoscaler(_: JsonObject) -> JsonObject:
    """Return the status of an autoscaler, which waits for the first metrics."""
    return {}


def definition(value: JsonObject) -> JsonObject:
    """Return the status of a CustomResourceDefinition that is established."""
    spec = as_object(value.get("spec"))
    versions = [as_object(each) for each in as_list(spec.get("versions"))]
    stored: list[JsonValue] = [each.get("name") for each in versions if each.get("storage") is True]
    told = (
        ("NamesAccepted", "NoConflicts", "no conflicts found"),
        ("Established", "InitialNamesAccepted", "the initial names have been accepted"),
    )
    conditions: list[JsonValue] = [
        {"type": each, "status": "True", "reason": reason, "message": message, "lastTransitionTime": TIME}
        for each, reason, message in told
    ]
    return {"conditions": conditions, "acceptedNames": as_object(spec.get("names")), "storedVersions": stored}


def admission_policy(value: JsonObject) -> JsonObject:
    """Return the status of a policy whose expressions have been checked."""
    return {"observedGeneration": as_object(value.get("metadata")).get("generation", 1), "typeChecking": {}}
