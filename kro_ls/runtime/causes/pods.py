"""Why pods do not become available, by what their status says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.runtime.causes.cause import CauseKind, Explanation
from kro_ls.runtime.causes.given_objects import called, conditions_of, metadata_of, status_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kro_ls.openapi.json_values import JsonObject, JsonValue

_WAITING = {
    "ErrImagePull": CauseKind.IMAGE,
    "ImagePullBackOff": CauseKind.IMAGE,
    "InvalidImageName": CauseKind.IMAGE,
    "ErrImageNeverPull": CauseKind.IMAGE,
    "ImageInspectError": CauseKind.IMAGE,
    "RegistryUnavailable": CauseKind.IMAGE,
    "CrashLoopBackOff": CauseKind.CRASH,
    "RunContainerError": CauseKind.CRASH,
    "CreateContainerConfigError": CauseKind.CONTAINER_CONFIG,
    "CreateContainerError": CauseKind.CONTAINER_CONFIG,
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
        return Explanation(CauseKind.UNSCHEDULABLE, f"{called(pod)} fits on no node: {message}", value=pod)
    status = status_of(pod)
    statuses = [*as_list(status.get("initContainerStatuses")), *as_list(status.get("containerStatuses"))]
    for each in map(as_object, statuses):
        found = _container_trouble(pod, each)
        if found:
            return found
    phase = as_text(status.get("phase"))
    if phase == "Failed":
        why = as_text(status.get("message")) or as_text(status.get("reason"))
        return Explanation(CauseKind.CRASH, f"{called(pod)} failed{f': {why}' if why else ''}", value=pod)
    if phase == "Pending" and not scheduled:
        told = "has no node yet: no scheduler has looked at it"
        return Explanation(CauseKind.UNSCHEDULABLE, f"{called(pod)} {told}", value=pod)
    if phase == "Running" and conditions.get("Ready", {}).get("status") == "False":
        names = [as_text(each.get("name")) for each in map(as_object, statuses) if each.get("ready") is False]
        told = f"runs, but {', '.join(names) or 'a container'} is not ready"
        return Explanation(CauseKind.PROBE, f"{called(pod)} {told}", value=pod)
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
        return Explanation(kind, f"container {name} of {called(pod)}: {message}{code}", value=pod)
    ended = as_object(state.get("terminated"))
    if ended.get("exitCode"):
        code = f"ended with {ended['exitCode']}"
        return Explanation(CauseKind.CRASH, f"container {name} of {called(pod)} {code} ({_said(ended)})", value=pod)
    return None


def _said(state: JsonObject) -> str:
    parts: list[JsonValue] = [state.get("reason"), state.get("message")]
    return ": ".join(each.strip() for each in parts if isinstance(each, str) and each.strip())


def pods_command(value: JsonObject) -> str:
    """Return the command that gets the pods of an object and what events say."""
    spec, metadata = as_object(value.get("spec")), metadata_of(value)
    labels = as_object(as_object(spec.get("selector")).get("matchLabels"))
    selector = ",".join(f"{name}={text}" for name, text in labels.items())
    place = f" -n {metadata['namespace']}" if metadata.get("namespace") else ""
    return f"kubectl get pods,replicasets{place}{f' -l {selector}' if selector else ''} -o yaml"
