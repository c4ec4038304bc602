"""Records a definition in a real cluster, from its verdict to the deletion of an instance."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Protocol

from kro_ls.analysis.analysis import RgdAnalysis
from kro_ls.runtime.values.sample_instance import sample_instance
from tests.cluster.audit import AuditLog
from tests.cluster.client import Client, Object, RefusedError
from tests.cluster.definition_edits import outcomes
from tests.cluster.edits import edits
from tests.cluster.instances import POLL, LiveInstance
from tests.cluster.recordings import Recording, Stage

VERDICT_SECONDS = 25.0
GONE_SECONDS = 30.0
STAYS = 2.5
EDITS = 2
ROUNDS = 3


class Written(Protocol):
    """A definition and its text."""

    @property
    def text(self) -> str: ...

    @property
    def value(self) -> Object: ...


class Verdict:
    """The result of a definition: its object after kro reconciled it, and the message of an unmet condition."""

    def __init__(self, value: Object | None, message: str) -> None:
        self.value = value
        self.message = message


def record(
    client: Client,
    audit: AuditLog,
    name: str,
    written: Written,
    rgd: RgdAnalysis | None,
    namespace: str,
    *,
    is_edited: bool,
) -> Recording:
    """Record everything that is compared, with edits if it `is_edited`, and delete the definition again."""
    definition, text = written.value, written.text
    client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
    try:
        verdict = _verdict(client, definition)
        if verdict.message or rgd is None:
            return Recording(name, text, [], refused=verdict.message)
        crd = _generated(client, rgd)
        instance: Any = sample_instance(rgd)
        instance["metadata"] = {**instance["metadata"], "namespace": namespace}
        client.forget_kinds()
        try:
            created = client.create(instance, fieldValidation="Strict")
        except RefusedError as refused:
            return Recording(name, text, [], crd=crd, sample_refused=refused.message)
        live = LiveInstance(client, audit, rgd, created)
        stages = list(_stages(client, live))
        since = len(audit.writes())
        deleted = live.deleted(since) if _delete(client, created) else None
        return Recording(
            name, text, stages, crd=crd, deleted=deleted, edits=outcomes(client, definition) if is_edited else None
        )
    finally:
        _clean(client, definition, rgd, namespace)


def _verdict(client: Client, definition: Object) -> Verdict:
    """Create a definition and wait until kro accepts it or finally refuses it."""
    try:
        client.create(definition, fieldValidation="Strict")
    except RefusedError as refused:
        return Verdict(None, refused.message or "refused")
    end, last, since = time.monotonic() + VERDICT_SECONDS, "", time.monotonic()
    while True:
        value = client.get(definition) or {}
        conditions = {each["type"]: each for each in (value.get("status") or {}).get("conditions") or ()}
        if conditions.get("Ready", {}).get("status") == "True":
            return Verdict(value, "")
        failed = [each.get("message") or each["type"] for each in conditions.values() if each["status"] == "False"]
        now, text = time.monotonic(), repr(failed)
        if text != last:
            last, since = text, now
        if (failed and now - since > STAYS) or now > end:
            return Verdict(value, failed[0] if failed else "not accepted")
        time.sleep(POLL)


def _generated(client: Client, rgd: RgdAnalysis) -> Object | None:
    """Return the spec of the CRD that kro generated, as the API server stores it."""
    crd = _crd(rgd)
    found = client.get(crd) if crd else None
    return found["spec"] if found else None


def _crd(rgd: RgdAnalysis) -> Object | None:
    from kro_ls.analysis.crd.generated_crd import generated_crd

    made: Any = generated_crd(rgd)
    if not made:
        return None
    return {"apiVersion": made["apiVersion"], "kind": made["kind"], "metadata": {"name": made["metadata"]["name"]}}


def _stages(client: Client, live: LiveInstance) -> Iterator[Stage]:
    """Yield the states of rest: as created, with external objects, with statuses of custom kinds, after edits."""
    stage = live.rest("created")
    yield stage
    if _add_external(client, live):
        stage = live.rest("externals there")
        yield stage
    for number in range(1, ROUNDS + 1):
        if not _add_statuses(client, live):
            break
        stage = live.rest(f"statuses {number}")
        yield stage
    made = 0
    for path, spec in edits(stage.instance["spec"]):
        if made == EDITS:
            break
        try:
            client.merge(live.created, {"spec": spec})
        except RefusedError:
            continue
        made += 1
        stage = live.rest(f"edit {path}")
        for _ in range(ROUNDS):
            if not _add_statuses(client, live):
                break
            stage = live.rest(stage.at)
        yield stage


def _add_external(client: Client, live: LiveInstance) -> bool:
    """Create the missing objects that external references name."""
    added = False
    for value in live.external().values():
        metadata = {key: value["metadata"][key] for key in ("name", "namespace", "labels") if key in value["metadata"]}
        wanted = {**value, "metadata": metadata}
        try:
            if client.get(wanted) is None:
                client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": metadata["namespace"]}})
                client.create({key: each for key, each in wanted.items() if key != "status"})
                added = True
        except RefusedError:
            continue
    return added


def _add_statuses(client: Client, live: LiveInstance) -> bool:
    """Set the status that the preview invents on objects of custom kinds, which have no controller here."""
    added = False
    for node in live.simulation().final.result.nodes:
        for value in node.observed or ():
            if not isinstance(status := value.get("status"), dict) or _is_built_in(value):
                continue
            there = client.get(_placed(value, live))
            if there is not None and not there.get("status"):
                try:
                    client.merge(there, {"status": status}, "/status")
                    added = True
                except RefusedError:
                    continue
    return added


def _placed(value: Any, live: LiveInstance) -> Object:
    return {**value, "metadata": {"namespace": live.created["metadata"]["namespace"], **value["metadata"]}}


def _is_built_in(value: Any) -> bool:
    group = value["apiVersion"].rpartition("/")[0]
    return "." not in group or group.endswith(".k8s.io") or group == "kro.run"


def _delete(client: Client, value: Object) -> bool:
    """Delete an object, wait until it is gone, and return whether it is."""
    client.delete(value)
    end = time.monotonic() + GONE_SECONDS
    while client.get(value) is not None:
        if time.monotonic() > end:
            client.merge(value, {"metadata": {"finalizers": None}})
            return False
        time.sleep(POLL)
    return True


def _clean(client: Client, definition: Object, rgd: RgdAnalysis | None, namespace: str) -> None:
    try:
        _delete(client, definition)
        crd = _crd(rgd) if rgd else None
        if crd:
            _delete(client, crd)
        client.delete({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
    except RefusedError:
        return
