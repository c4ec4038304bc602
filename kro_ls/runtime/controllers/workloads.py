"""What controllers write into what runs: Deployments and the like, Jobs and pods. All pods become ready at once.

Source: k8s.io/kubernetes, pkg/controller/{deployment,statefulset,replicaset,daemon,job,cronjob}. Counts of zero are not
written where the field is optional.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.runtime.values.names import subject_of
from kro_ls.runtime.values.text_table import TIME
from kro_ls.runtime.values.texts import realistic_text

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue

_HASH_DIGITS = "bcdfghjklmnpqrstvwxz2456789"


def deployment(value: JsonObject) -> JsonObject:
    """Return the status of a Deployment that is available; its annotation gets the first revision.

    A new one that is paused gets no pods.
    """
    if as_object(value.get("spec")).get("paused") is True:
        return {**_generation(value), "terminatingReplicas": 0, "conditions": _paused(_replicas(value))}
    metadata = as_object(value["metadata"])
    revision: JsonObject = {"deployment.kubernetes.io/revision": "1"}
    metadata["annotations"] = {**as_object(metadata.get("annotations")), **revision}
    progress = f'ReplicaSet "{_revision(value)}" has successfully progressed.'
    return {
        **_generation(value),
        **_counts(("replicas", "updatedReplicas", "readyReplicas", "availableReplicas"), _replicas(value)),
        "terminatingReplicas": 0,
        "conditions": [_available(), _updated("Progressing", "NewReplicaSetAvailable", progress)],
    }


def _available() -> JsonObject:
    return _updated("Available", "MinimumReplicasAvailable", "Deployment has minimum availability.")


def _paused(wanted: int) -> list[JsonValue]:
    unavailable = _updated(
        "Available", "MinimumReplicasUnavailable", "Deployment does not have minimum availability.", "False"
    )
    paused = _updated("Progressing", "DeploymentPaused", "Deployment is paused", "Unknown")
    return [paused, unavailable if wanted else _available()]


def stateful_set(value: JsonObject) -> JsonObject:
    """Return the status of a StatefulSet all of whose pods are ready."""
    count, revision = _replicas(value), _revision(value)
    return {
        **_generation(value),
        "replicas": count,
        **_counts(("readyReplicas", "currentReplicas", "updatedReplicas"), count),
        "currentRevision": revision,
        "updateRevision": revision,
        "collisionCount": 0,
        "availableReplicas": count,
    }


def replica_set(value: JsonObject) -> JsonObject:
    """Return the status of a ReplicaSet all of whose pods are ready."""
    return {**replication_controller(value), "terminatingReplicas": 0}


def replication_controller(value: JsonObject) -> JsonObject:
    """Return the status of a ReplicationController all of whose pods are ready."""
    count = _replicas(value)
    counts = _counts(("fullyLabeledReplicas", "readyReplicas", "availableReplicas"), count)
    return {**_generation(value), "replicas": count, **counts}


def daemon_set(value: JsonObject) -> JsonObject:
    """Return the status of a DaemonSet in a cluster of one node."""
    names = ("currentNumberScheduled", "desiredNumberScheduled", "numberReady", "numberAvailable")
    counts: JsonObject = dict.fromkeys((*names, "updatedNumberScheduled"), 1)
    return {**_generation(value), **counts, "numberMisscheduled": 0}


def job(value: JsonObject) -> JsonObject:
    """Return the status of a Job that is complete, or of one that is suspended."""
    spec = as_object(value.get("spec"))
    common: JsonObject = {"terminating": 0, "uncountedTerminatedPods": {}, "ready": 0}
    if spec.get("suspend") is True:
        return {**common, "conditions": [_probed("Suspended", "JobSuspended", "Job suspended")]}
    wanted = spec.get("completions", spec.get("parallelism"))
    count = wanted if isinstance(wanted, int) else 1
    is_indexed = spec.get("completionMode") == "Indexed"
    text = "Reached expected number of succeeded pods"
    return {
        **common,
        "startTime": TIME,
        "completionTime": TIME,
        **_counts(("succeeded",), count),
        **({"completedIndexes": _indexes(count)} if is_indexed and count else {}),
        "conditions": [_probed(each, "CompletionsReached", text) for each in ("SuccessCriteriaMet", "Complete")],
    }


def _indexes(count: int) -> str:
    """Return the indexes of all pods as a Job writes them: of three and more only the ends."""
    return f"0-{count - 1}" if count > 2 else ",".join(map(str, range(count)))


def pod(value: JsonObject) -> JsonObject:
    """Return the status of a pod that runs."""
    spec = as_object(value.get("spec"))
    spec.setdefault("nodeName", "node-1")
    containers = as_list(spec.get("containers"))
    address = realistic_text(subject_of(value), ("podIP",))
    statuses: list[JsonValue] = [
        {
            "name": as_object(each).get("name"),
            "image": as_object(each).get("image"),
            "ready": True,
            "started": True,
            "restartCount": 0,
            "state": {"running": {"startedAt": TIME}},
            "lastState": {},
        }
        for each in containers
    ]
    types = ("PodScheduled", "Initialized", "ContainersReady", "Ready")
    return {
        "phase": "Running",
        "podIP": address,
        "podIPs": [{"ip": address}],
        "hostIP": "10.0.0.10",
        "hostIPs": [{"ip": "10.0.0.10"}],
        "startTime": TIME,
        "containerStatuses": statuses,
        "conditions": [
            {"type": each, "status": "True", "lastProbeTime": None, "lastTransitionTime": TIME} for each in types
        ],
    }


def _replicas(value: JsonObject) -> int:
    wanted = as_object(value.get("spec")).get("replicas", 1)
    return wanted if isinstance(wanted, int) else 1


def _counts(names: tuple[str, ...], count: int) -> JsonObject:
    return dict.fromkeys(names, count) if count else {}


def _generation(value: JsonObject) -> JsonObject:
    return {"observedGeneration": as_object(value.get("metadata")).get("generation", 1)}


def _revision(value: JsonObject) -> str:
    """Return the name of what a controller makes of a template."""
    digest = subject_of(value).digest("revision")
    letters = (_HASH_DIGITS[int(digest[at : at + 2], 16) % len(_HASH_DIGITS)] for at in range(0, 20, 2))
    return f"{as_text(as_object(value.get('metadata')).get('name'))}-{''.join(letters)}"


def condition(kind: str, reason: str, message: str, status: str = "True") -> JsonObject:
    """Return a condition, true unless another status is given."""
    return {"type": kind, "status": status, "reason": reason, "message": message, "lastTransitionTime": TIME}


def _updated(kind: str, reason: str, message: str, status: str = "True") -> JsonObject:
    return {**condition(kind, reason, message, status), "lastUpdateTime": TIME}


def _probed(kind: str, reason: str, message: str) -> JsonObject:
    return {**condition(kind, reason, message), "lastProbeTime": TIME}
