"""A substitute for nodes and a scheduler: pods are bound to a fake node, run at once, and those of Jobs succeed."""

from __future__ import annotations

import threading
from typing import Any

from tests.cluster.client import Client, Object, RefusedError

NODE = "kro-ls-node"
POLL = 0.3
LONG_AGO = "2024-01-01T00:00:00Z"


class FakeKubelet:
    """A thread that acts as the kubelet of all pods; `with FakeKubelet(client):`."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="fake kubelet", daemon=True)

    def __enter__(self) -> FakeKubelet:
        self._client.apply({"apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE}})
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(POLL):
            for pod in self._client.list("v1", "Pod"):
                try:
                    self._move_on(pod)
                except RefusedError:  # it was changed or deleted meanwhile
                    continue

    def _move_on(self, pod: Object) -> None:
        """Take a pod one step further."""
        metadata, phase = pod["metadata"], (pod.get("status") or {}).get("phase")
        if metadata.get("deletionTimestamp"):
            self._client.call("DELETE", self._client.path(pod), {"gracePeriodSeconds": 0})
        elif not pod["spec"].get("nodeName"):
            self._bind(pod)
        elif phase == "Pending":
            self._client.merge(pod, {"status": _running(pod)}, "/status")
        elif phase == "Running" and _is_of_job(pod):
            self._client.merge(pod, {"status": _succeeded(pod)}, "/status")

    def _bind(self, pod: Object) -> None:
        binding = {
            "apiVersion": "v1",
            "kind": "Binding",
            "metadata": {"name": pod["metadata"]["name"]},
            "target": {"apiVersion": "v1", "kind": "Node", "name": NODE},
        }
        self._client.call("POST", f"{self._client.path(pod)}/binding", binding)


def _is_of_job(pod: Object) -> bool:
    return any(each["kind"] == "Job" for each in pod["metadata"].get("ownerReferences") or ())


def _running(pod: Object) -> Object:
    state = {"running": {"startedAt": LONG_AGO}}
    conditions = [
        {"type": each, "status": "True"} for each in ("Initialized", "Ready", "ContainersReady", "PodScheduled")
    ]
    return {
        "phase": "Running",
        "podIP": "10.1.0.1",
        "podIPs": [{"ip": "10.1.0.1"}],
        "startTime": LONG_AGO,
        "conditions": conditions,
        "containerStatuses": [_container(each, state, ready=True) for each in pod["spec"]["containers"]],
    }


def _succeeded(pod: Object) -> Object:
    state = {"terminated": {"exitCode": 0, "reason": "Completed", "startedAt": LONG_AGO, "finishedAt": LONG_AGO}}
    return {
        "phase": "Succeeded",
        "conditions": [{"type": "Ready", "status": "False", "reason": "PodCompleted"}],
        "containerStatuses": [_container(each, state, ready=False) for each in pod["spec"]["containers"]],
    }


def _container(container: Any, state: Object, *, ready: bool) -> Object:
    name, image = container["name"], container.get("image", "")
    return {
        "name": name,
        "image": image,
        "imageID": "",
        "restartCount": 0,
        "ready": ready,
        "started": ready,
        "state": state,
    }
