"""Records many definitions in a real cluster, several at once."""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cluster.audit import AuditLog
from tests.cluster.client import Client, Object, RefusedError, read_objects
from tests.cluster.comparisons import analysed
from tests.cluster.control_plane import ControlPlane
from tests.cluster.kubelet import FakeKubelet
from tests.cluster.live import record
from tests.cluster.recordings import Recording

AT_ONCE = 8
CRD = "CustomResourceDefinition"


@dataclass(frozen=True, slots=True)
class Definition:
    """A file with a definition."""

    file: Path
    text: str
    value: Object

    @property
    def claims(self) -> list[str]:
        """Return the claims that only one definition may have at a time: its name, and the kind that it generates."""
        schema = (self.value.get("spec") or {}).get("schema") or {}
        return sorted({f"name {self.value['metadata']['name']}", f"kind {schema.get('kind')}"})

    @property
    def makes_kinds(self) -> bool:
        """Whether it has a template of a CRD, which others may use; such a definition runs alone."""
        resources = (self.value.get("spec") or {}).get("resources") or ()
        return any((each.get("template") or {}).get("kind") == CRD for each in resources if isinstance(each, dict))


def definitions(folder: Path) -> list[Definition]:
    """Return the definitions of a folder that have a name, because a cluster can answer only for those."""
    found = []
    for file in sorted(folder.glob("*.yaml")):
        values = read_objects(file)
        value: Any = values[0] if len(values) == 1 else None
        if isinstance(value, dict) and value.get("apiVersion") and (value.get("metadata") or {}).get("name"):
            found.append(Definition(file, file.read_text(encoding="utf-8"), value))
    return found


def record_all(cluster: ControlPlane, wanted: list[Definition], conformance: Path) -> Iterator[Recording]:
    """Yield the recordings of definitions, in their order. The cluster must run."""
    client, audit = cluster.client(), AuditLog(cluster.audit_log)

    def one_by_one(group: list[Definition]) -> list[tuple[Path, Recording]]:
        alone = len(group) == 1  # the rest of a group waits for each definition, so those are not edited
        return [(each.file, _record(client, audit, each, conformance, is_edited=alone)) for each in group]

    with FakeKubelet(client):
        _install_kinds(client, conformance)
        with ThreadPoolExecutor(AT_ONCE) as threads:
            groups = _apart([each for each in wanted if not each.makes_kinds])
            found = dict(each for group in threads.map(one_by_one, groups) for each in group)
        for each in wanted:
            if each.makes_kinds:
                found |= one_by_one([each])
                _install_kinds(client, conformance)
    for each in wanted:
        yield found[each.file]


def _record(
    client: Client, audit: AuditLog, definition: Definition, conformance: Path, *, is_edited: bool
) -> Recording:
    name = definition.file.name
    started = time.monotonic()
    namespace = "n-" + hashlib.sha256(name.encode()).hexdigest()[:8]
    rgd = analysed(definition.text, conformance)
    recording = record(client, audit, name, definition, rgd, namespace, is_edited=is_edited)
    print(f"{name}: {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    return recording


def _apart(wanted: list[Definition]) -> list[list[Definition]]:
    """Return groups of definitions that share no claims, the largest first."""
    groups: list[tuple[set[str], list[Definition]]] = []
    for each in wanted:
        claims, members = set(each.claims), [each]
        for group in [group for group in groups if group[0] & claims]:
            groups.remove(group)
            claims |= group[0]
            members = [*group[1], *members]
        groups.append((claims, members))
    return sorted((members for _, members in groups), key=len, reverse=True)


def _install_kinds(client: Client, conformance: Path) -> None:
    """Install the kinds that definitions of the conformance set use."""
    for file in sorted((conformance / "crds").glob("*.y*ml")):
        for value in read_objects(file):
            if value.get("kind") == CRD:
                value["metadata"].setdefault("annotations", {}).setdefault(
                    "api-approved.kubernetes.io", "unapproved, for tests"
                )
                try:
                    client.apply(value)
                except RefusedError as refused:
                    print(f"{file.name}: {refused.message}", file=sys.stderr)
    client.forget_kinds()
