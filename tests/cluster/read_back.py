"""What the API server makes of objects when it stores them: recorded by `python -m tests.cluster.read_back`.

The objects of tests/fixtures/api_server/applied.yaml are applied without being stored, and what comes back is written
beside them. What differs each time is left out: names that are made up, times, addresses.
"""

from __future__ import annotations

import json
import sys

from tests.cluster.client import Client, Object, RefusedError, read_objects
from tests.cluster.control_plane import ControlPlane
from tests.paths import ROOT

FOLDER = ROOT / "tests" / "fixtures" / "api_server"
APPLIED = FOLDER / "applied.yaml"
RECORDED = FOLDER / "recorded.json"

_VARYING = ("uid", "creationTimestamp", "resourceVersion", "managedFields")


def recorded(client: Client) -> list[Object]:
    """Return what the API server answers for each object, without what differs each time."""
    found = []
    for value in read_objects(APPLIED):
        try:
            answer = client.apply(value, dryRun="All")
        except RefusedError as refused:
            raise SystemExit(f"{value['kind']} {value['metadata']['name']}: {refused}") from refused
        found.append(without_varying(answer))
    return found


def without_varying(value: Object) -> Object:
    """Return an object without what differs each time."""
    metadata = {name: each for name, each in value["metadata"].items() if name not in _VARYING}
    return {**value, "metadata": metadata}


def main() -> int:
    """Start a control plane, ask it, and stop it."""
    plane = ControlPlane("read-back")
    plane.start()
    try:
        found = recorded(plane.client())
    finally:
        plane.wipe()
    RECORDED.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
