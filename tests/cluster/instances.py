"""One instance in a real cluster: the objects that kro applied, those that exist, and when all are at rest."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from kro_ls.analysis.analysis import RgdAnalysis
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.simulation import Simulation, simulate
from tests.cluster.audit import Address, AuditLog, Write
from tests.cluster.client import Client, Object, RefusedError
from tests.cluster.comparisons import foreseen, identity
from tests.cluster.recordings import Stage, by_node

POLL = 0.3
QUIET = 2.0
UNSEEN_QUIET = 8.0
"""How long nothing may change before kro has written a status, which is slow on a busy machine."""
READS = 4
"""How often the same must be read, because a read takes long on a busy machine."""
REST_SECONDS = 45.0
INSTANCE_ID = "kro.run/instance-id"


class LiveInstance:
    """A created instance."""

    def __init__(self, client: Client, audit: AuditLog, rgd: RgdAnalysis, created: Object) -> None:
        self._client = client
        self._audit = audit
        self._rgd = rgd
        self.created = created
        self._uid: str = created["metadata"]["uid"]

    def simulation(self) -> Simulation:
        """Return the preview of the instance in its current form, without the cluster."""
        now = self._client.get(self.created) or self.created
        return simulate(self._rgd, admit_instance(self._rgd, now).instance)

    def applied(self) -> list[Object]:
        """Return the last applied form of each object, in order of creation."""
        found: dict[Address, Object] = {}
        for write in self._writes():
            if write.succeeded:
                found[write.address] = write.sent
        return list(found.values())

    def _writes(self) -> list[Write]:
        """Return the writes to objects with the instance's id."""
        return [
            each
            for each in self._audit.writes()
            if not each.subresource
            and ((each.sent.get("metadata") or {}).get("labels") or {}).get(INSTANCE_ID) == self._uid
        ]

    def deleted(self, since: int) -> list[str]:
        """Return the objects that kro deleted after its first so many writes, in order."""
        names = {
            each.address: identity(each.sent, self.created["metadata"]["namespace"])
            for each in self._writes()
            if each.succeeded
        }
        found = [each.address for each in self._audit.writes()[since:] if each.verb == "delete" and each.succeeded]
        return [names[each] for each in dict.fromkeys(found) if each in names]

    def rest(self, at: str) -> Stage:
        """Wait until nothing changes any more, for some seconds at most, and return the state."""
        end = time.monotonic() + REST_SECONDS
        last, since, reads = "", time.monotonic(), 0
        while True:
            stage = self._stage(at)
            text = json.dumps([foreseen(_without_versions(as_json(stage))), len(self._writes())], sort_keys=True)
            now = time.monotonic()
            if text != last:
                last, since, reads = text, now, 0
            reads += 1
            quiet = QUIET if stage.status.get("conditions") else UNSEEN_QUIET
            if (reads >= READS and now - since > quiet and _is_through(stage)) or now > end:
                return stage
            time.sleep(POLL)

    def _stage(self, at: str) -> Stage:
        instance = self._client.get(self.created) or self.created
        status = instance.get("status") or {}
        rest = {key: value for key, value in instance.items() if key != "status"}
        return Stage(at, rest, self._observed(), status, self.applied())

    def _observed(self) -> Object:
        """Return the objects of each node; the list may be empty."""
        there = [each for each in map(self._get, self.applied()) if each]
        mine = [each for each in there if (each["metadata"].get("labels") or {}).get(INSTANCE_ID) == self._uid]
        found: Object = {each.id: [] for each in self.simulation().final.result.nodes}
        found |= by_node(mine)
        for id_, wanted in self.external().items():
            found[id_] = self._get(wanted) or []
        return found

    def external(self) -> dict[str, Object]:
        """Return the objects that external references by name refer to, as invented by the preview."""
        found: dict[str, Object] = {}
        for node in self.simulation().final.result.nodes:
            objects: Any = node.observed or node.desired
            if node.is_external and len(objects) == 1 and objects[0]["metadata"].get("name"):
                value = objects[0]
                metadata = {"namespace": self.created["metadata"]["namespace"], **value["metadata"]}
                found[node.id] = {**value, "metadata": metadata}
        return found

    def _get(self, value: Object) -> Object | None:
        try:
            return self._client.get(value)
        except RefusedError:  # the kind no longer exists
            return None


def _is_through(stage: Stage) -> bool:
    """Whether kro has reconciled the newest generation of an instance, and has nothing left to do."""
    conditions = stage.status.get("conditions") or ()
    seen = [each["observedGeneration"] for each in conditions if "observedGeneration" in each]
    looks_again = any(str(each.get("message")).endswith("cluster mutated") for each in conditions)
    return not looks_again and all(each >= stage.instance["metadata"].get("generation", 0) for each in seen)


def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait until a condition holds; raises TimeoutError if it does not within some seconds."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(f"it does not hold after {seconds:.0f} s")
        time.sleep(POLL)


def as_json(stage: Stage) -> Object:
    """Return a stage as JSON."""
    return {
        "at": stage.at,
        "instance": stage.instance,
        "observed": stage.observed,
        "status": stage.status,
        "applied": stage.applied,
    }


def _without_versions(value: Any) -> Any:
    """Return a value without the parts that always change."""
    if isinstance(value, dict):
        return {
            key: _without_versions(each)
            for key, each in value.items()
            if key not in ("resourceVersion", "managedFields", "observedGeneration")
        }
    return [_without_versions(each) for each in value] if isinstance(value, list) else value
