"""Why an object is not ready, by its status and the objects that belong to it, such as the pods of a Deployment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.kro import labels
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.runtime.causes.cause import CauseKind, Explanation
from kro_ls.runtime.causes.given_objects import conditions_of, labels_of, metadata_of, name_of, namespace_of, status_of
from kro_ls.runtime.causes.messages import reported_in
from kro_ls.runtime.nodes.node_objects import group_kind
from kro_ls.runtime.passes.reasons import object_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.runtime.causes.given_objects import Objects


_WORKLOADS = frozenset({"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"})
_MOST_EVENTS = 2
_BAD_WHEN_TRUE = frozenset({"Failed", "Stalled", "Degraded", "ACK.Terminal", "ACK.Recoverable", "ReconcileError"})
_GOOD_WHEN_TRUE = (
    "Ready Available Synced ACK.ResourceSynced Healthy Programmed Accepted Established Reconciled Succeeded "
    "Complete ScalingActive AbleToScale"
).split()


def trouble_of(value: JsonObject, objects: Objects) -> Explanation | None:
    """Return why an object is not healthy; None where nothing shows that."""
    found = deletion_of(value) or _known_trouble(value, objects) or _by_conditions(value)
    if found is None:
        return None
    events = objects.events(value)[:_MOST_EVENTS]
    return replace(found, message="; ".join([found.message, *events])) if events else found


def deletion_of(value: JsonObject) -> Explanation | None:
    """Return what holds an object that is being deleted."""
    metadata = metadata_of(value)
    if not metadata.get("deletionTimestamp"):
        return None
    finalizers = [as_text(each) for each in as_list(metadata.get("finalizers"))]
    held = f"; {', '.join(map(repr, finalizers))} holds it" if finalizers else ""
    since = f"since {metadata['deletionTimestamp']}"
    return Explanation(CauseKind.BEING_DELETED, f"{object_name(value)} is being deleted {since}{held}", value=value)


def _known_trouble(value: JsonObject, objects: Objects) -> Explanation | None:
    group, kind = group_kind(value)
    if group in ("apps", "batch", "", "networking.k8s.io"):
        if kind in _WORKLOADS:
            return _workload(value, objects)
        if kind == "Job":
            return _job(value, objects)
        if kind == "Pod":
            return pod_trouble([value])
        if kind == "PersistentVolumeClaim":
            return _claim(value, objects)
        if kind in ("Service", "Ingress"):
            return _balanced(value)
        return None
    if labels_of(value).get(labels.OWNED) == "true" and "state" in status_of(value):
        return _child_instance(value)
    return None


def _workload(value: JsonObject, objects: Objects) -> Explanation | None:
    spec, status, conditions = as_object(value.get("spec")), status_of(value), conditions_of(value)
    wanted = status.get("desiredNumberScheduled") if value.get("kind") == "DaemonSet" else spec.get("replicas", 1)
    ready = status.get("numberAvailable" if value.get("kind") == "DaemonSet" else "availableReplicas")
    if isinstance(wanted, int) and isinstance(ready, int) and ready >= wanted:
        return None
    if wanted == 0:
        return None
    failure = conditions.get("ReplicaFailure", {})
    replica_sets = objects.owned_by(value, "ReplicaSet")
    failures = [failure, *(conditions_of(each).get("ReplicaFailure", {}) for each in replica_sets)]
    for each in failures:
        if each.get("status") == "True":
            return _by_message(value, as_text(each.get("message")))
    if spec.get("paused") is True:
        return Explanation(CauseKind.PAUSED, f"the rollout of {object_name(value)} is paused", value=value)
    trouble = pod_trouble(objects.owned_by(value, "Pod"))
    if trouble:
        return trouble
    counted = f"{ready or 0} of {wanted} replicas" if isinstance(wanted, int) else "not all pods"
    progressing = conditions.get("Progressing", {})
    late = f": {as_text(progressing.get('message'))}" if progressing.get("status") == "False" else ""
    message = f"{object_name(value)} has {counted} available: its pods do not become available{late}"
    if not status:
        message = f"{object_name(value)} has no status: no controller has looked at it"
    return Explanation(CauseKind.UNAVAILABLE, message, value=value, fetch=(pods_command(value), events_command(value)))


def _by_message(value: JsonObject, message: str) -> Explanation:
    reported = next(reported_in(message))
    kind = reported.kind if reported.kind is not CauseKind.UNKNOWN else CauseKind.CONTROLLER_SAYS
    return Explanation(kind, f"{object_name(value)} gets no pods: {message}", value=value)


def _job(value: JsonObject, objects: Objects) -> Explanation | None:
    conditions = conditions_of(value)
    for name in ("Failed", "FailureTarget"):
        failed = conditions.get(name, {})
        if failed.get("status") == "True":
            why = f"{failed.get('reason')}: {as_text(failed.get('message'))}"
            trouble = pod_trouble(objects.owned_by(value, "Pod"))
            more = f"; {trouble.message}" if trouble else ""
            message = f"{object_name(value)} failed ({why}){more}, so it never succeeds"
            place = f" -n {namespace_of(value)}" if namespace_of(value) else ""
            fetch = () if trouble else (f"kubectl logs{place} job/{name_of(value)}",)
            return Explanation(CauseKind.JOB_FAILED, message, value=value, fetch=fetch)
    if as_object(value.get("spec")).get("suspend") is True:
        return Explanation(CauseKind.JOB_SUSPENDED, f"{object_name(value)} is suspended", value=value)
    if conditions.get("Complete", {}).get("status") == "True":
        return None
    trouble = pod_trouble(objects.owned_by(value, "Pod"))
    message = f"{object_name(value)} has not ended yet"
    return trouble or Explanation(CauseKind.WAITING, message, value=value, fetch=(pods_command(value),))


def _claim(value: JsonObject, objects: Objects) -> Explanation | None:
    phase = as_text(status_of(value).get("phase"))
    if phase == "Bound":
        return None
    name = as_text(as_object(value.get("spec")).get("storageClassName"))
    storage = objects.named("StorageClass", name) if name else None
    late = storage is not None and storage.get("volumeBindingMode") == "WaitForFirstConsumer"
    why = "has no storage class that is asked for, so only a default one helps" if not name else f"of class '{name}'"
    more = ", which waits for a pod that uses it" if late else ""
    message = f"{object_name(value)} {why} is {phase or 'without a status'}{more}"
    fetch = (events_command(value), "kubectl get storageclasses -o yaml")
    return Explanation(CauseKind.VOLUME_PENDING, message, value=value, fetch=fetch)


def _balanced(value: JsonObject) -> Explanation | None:
    kind = value.get("kind")
    balances = kind == "Ingress" or as_object(value.get("spec")).get("type") == "LoadBalancer"
    if not balances or as_object(status_of(value).get("loadBalancer")).get("ingress"):
        return None
    message = f"{object_name(value)} has no address: no controller has given it one (status.loadBalancer.ingress)"
    return Explanation(CauseKind.BALANCER_PENDING, message, value=value, fetch=(events_command(value),))


def _child_instance(value: JsonObject) -> Explanation | None:
    state = as_text(status_of(value).get("state"))
    ready = conditions_of(value).get("Ready", {})
    if state == "ACTIVE" and ready.get("status") == "True":
        return None
    message = f"the child instance {object_name(value)} is {state}: {as_text(ready.get('message'))}"
    return Explanation(CauseKind.CHILD_INSTANCE, message, value=value)


def _by_conditions(value: JsonObject) -> Explanation | None:
    """Return the first condition that reports a problem."""
    for name, condition in _bad_conditions(value):
        said = ": ".join(filter(None, (as_text(condition.get(field)) for field in ("reason", "message"))))
        message = (
            f"{object_name(value)} has the condition {name}={condition.get('status')}{f' ({said})' if said else ''}"
        )
        reported = next(reported_in(as_text(condition.get("message"))))
        kind = reported.kind if reported.kind in (CauseKind.QUOTA, CauseKind.POLICY, CauseKind.WEBHOOK) else None
        return Explanation(kind or CauseKind.CONTROLLER_SAYS, message, value=value)
    return None


def _bad_conditions(value: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    conditions = conditions_of(value)
    yield from (
        (name, each) for name, each in conditions.items() if name in _BAD_WHEN_TRUE and each.get("status") == "True"
    )
    for name in _GOOD_WHEN_TRUE:
        if conditions.get(name, {}).get("status") in ("False", "Unknown"):
            yield name, conditions[name]


def events_command(value: JsonObject) -> str:
    """Return the command that gets the events about an object."""
    place = f" -n {namespace_of(value)}" if namespace_of(value) else " -A"
    about = f"involvedObject.kind={value.get('kind')},involvedObject.name={name_of(value)}"
    return f"kubectl get events{place} --field-selector {about} -o yaml"


_WAITING = {
    **dict.fromkeys(("ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull"), CauseKind.IMAGE),
    **dict.fromkeys(("ImageInspectError", "RegistryUnavailable"), CauseKind.IMAGE),
    **dict.fromkeys(("CrashLoopBackOff", "RunContainerError"), CauseKind.CRASH),
    **dict.fromkeys(("CreateContainerConfigError", "CreateContainerError"), CauseKind.CONTAINER_CONFIG),
}
"""Why containers wait."""


def pod_trouble(pods: Iterable[JsonObject]) -> Explanation | None:
    """Return why the first pod that is not well is not; None where all are."""
    return next((found for pod in pods if (found := _trouble(pod))), None)


def _trouble(pod: JsonObject) -> Explanation | None:
    conditions = conditions_of(pod)
    scheduled = conditions.get("PodScheduled", {})
    if scheduled.get("status") == "False":
        message = as_text(scheduled.get("message")) or as_text(scheduled.get("reason"))
        return Explanation(CauseKind.UNSCHEDULABLE, f"{object_name(pod)} fits on no node: {message}", value=pod)
    status = status_of(pod)
    statuses = [*as_list(status.get("initContainerStatuses")), *as_list(status.get("containerStatuses"))]
    for each in map(as_object, statuses):
        found = _container_trouble(pod, each)
        if found:
            return found
    phase = as_text(status.get("phase"))
    if phase == "Failed":
        why = as_text(status.get("message")) or as_text(status.get("reason"))
        return Explanation(CauseKind.CRASH, f"{object_name(pod)} failed{f': {why}' if why else ''}", value=pod)
    if phase == "Pending" and not scheduled:
        state = "has no node yet: no scheduler has looked at it"
        return Explanation(CauseKind.UNSCHEDULABLE, f"{object_name(pod)} {state}", value=pod)
    if phase == "Running" and conditions.get("Ready", {}).get("status") == "False":
        names = [as_text(each.get("name")) for each in map(as_object, statuses) if each.get("ready") is False]
        state = f"runs, but {', '.join(names) or 'a container'} is not ready"
        return Explanation(CauseKind.PROBE, f"{object_name(pod)} {state}", value=pod)
    return None


def _container_trouble(pod: JsonObject, container: JsonObject) -> Explanation | None:
    state = as_object(container.get("state"))
    name = container.get("name")
    waiting = as_object(state.get("waiting"))
    kind = _WAITING.get(as_text(waiting.get("reason")))
    if kind:
        message = _said(waiting)
        last = as_object(as_object(container.get("lastState")).get("terminated"))
        code = f"; it ended with {last['exitCode']}" if kind is CauseKind.CRASH and "exitCode" in last else ""
        return Explanation(kind, f"container {name} of {object_name(pod)}: {message}{code}", value=pod)
    ended = as_object(state.get("terminated"))
    if ended.get("exitCode"):
        code = f"ended with {ended['exitCode']}"
        return Explanation(
            CauseKind.CRASH, f"container {name} of {object_name(pod)} {code} ({_said(ended)})", value=pod
        )
    return None


def _said(state: JsonObject) -> str:
    parts: list[JsonValue] = [state.get("reason"), state.get("message")]
    return ": ".join(each.strip() for each in parts if isinstance(each, str) and each.strip())


def pods_command(value: JsonObject) -> str:
    """Return the command that gets the pods of an object."""
    spec, metadata = as_object(value.get("spec")), metadata_of(value)
    labels = as_object(as_object(spec.get("selector")).get("matchLabels"))
    selector = ",".join(f"{name}={text}" for name, text in labels.items())
    place = f" -n {metadata['namespace']}" if metadata.get("namespace") else ""
    return f"kubectl get pods,replicasets{place}{f' -l {selector}' if selector else ''} -o yaml"
