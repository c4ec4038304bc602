"""Records how a cluster changes objects: `python -m tests.cluster.read_back`.

The objects of tests/fixtures/api_server/applied.yaml are applied in a dry run, and the results are written beside them.
Those of settled.yaml are stored, and read after the controllers have had time to act. Parts that differ each time are
left out: generated names, times, addresses.
"""

from __future__ import annotations

import json
import sys
import time

from tests.cluster.client import Client, Object, RefusedError, read_objects
from tests.cluster.control_plane import ControlPlane
from tests.cluster.kubelet import FakeKubelet
from tests.paths import ROOT

FOLDER = ROOT / "tests" / "fixtures" / "api_server"
APPLIED = FOLDER / "applied.yaml"
RECORDED = FOLDER / "recorded.json"
STORED = FOLDER / "settled.yaml"
SETTLED = FOLDER / "settled.json"

_SECONDS = 12.0
"""Seconds for the controllers; the one of autoscalers first acts after fifteen."""

_VARYING = ("uid", "creationTimestamp", "resourceVersion", "managedFields")


def recorded(client: Client) -> list[Object]:
    """Return the API server's answer for each object, without parts that differ each time."""
    account: Object = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}}
    while client.get(account) is None:  # pods need it
        time.sleep(0.2)
    found = []
    for value in read_objects(APPLIED):
        try:
            answer = client.apply(value, dryRun="All")
        except RefusedError as refused:
            raise SystemExit(f"{value['kind']} {value['metadata']['name']}: {refused}") from refused
        found.append(without_varying(answer))
    return found


def settled(client: Client) -> list[Object]:
    """Return the final form of each object, without parts that differ each time."""
    objects = read_objects(STORED)
    with FakeKubelet(client):
        for value in objects:
            client.apply(value)
        time.sleep(_SECONDS)
        return [without_varying(client.get(value) or value) for value in objects]


def without_varying(value: Object) -> Object:
    """Return an object without parts that differ each time."""
    metadata = {name: each for name, each in value["metadata"].items() if name not in _VARYING}
    return {**value, "metadata": metadata}


def main() -> int:
    """Start a control plane, record its answers, and stop it."""
    plane = ControlPlane("read-back")
    plane.start()
    try:
        found = recorded(plane.client())
        becomes = settled(plane.client())
    finally:
        plane.wipe()
    for file, objects in ((RECORDED, found), (SETTLED, becomes)):
        file.write_text(json.dumps(objects, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
