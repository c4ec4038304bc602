"""What becomes of an object when the controllers have had their time, beside what became of it in a cluster.

`python -m tests.cluster.read_back` records it anew.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.runtime.apiserver.storing import stored
from kro_ls.runtime.controllers.behaviours import settle
from kro_ls.runtime.values.demands import Demand
from tests.cluster.client import Object, read_objects
from tests.cluster.read_back import SETTLED, STORED
from tests.runtime.apiserver.test_storing import comparable

DIFFERENT = {
    ("DaemonSet", "least"): "the made-up node takes no pods of DaemonSets",
    ("Ingress", "least"): "no ingress controller runs there",
    ("PersistentVolumeClaim", "least"): "a volume was there, larger than the claim; here one is made",
    ("PersistentVolume", "least"): "annotated by the claim that took it",
    ("Pod", "least"): "the made-up kubelet tells less",
    ("ResourceQuota", "least"): "what others made in the namespace counts",
    ("APIService", "v1.least.example.com"): "its Service is not there",
    ("FlowSchema", "least"): "made by its schema",
}
_REVISION = re.compile(r"-[bcdfghjklmnpqrstvwxz2456789]{8,10}\b")


def cases() -> list[Any]:
    found = zip(read_objects(STORED), json.loads(SETTLED.read_text(encoding="utf-8")), strict=True)
    return [
        pytest.param(each, becomes, id=f"{each['kind']}-{each['metadata']['name']}")
        for each, becomes in found
        if (each["kind"], each["metadata"]["name"]) not in DIFFERENT
    ]


@pytest.mark.parametrize(("applied", "becomes"), cases())
def test_controllers_write_what_the_real_ones_write(applied: Object, becomes: Object) -> None:
    group, _, version = applied["apiVersion"].rpartition("/")
    kind = kubernetes().find(GroupVersionKind(group, version, applied["kind"]))
    assert kind is not None
    if kind.namespaced:
        applied = {**applied, "metadata": {"namespace": "default", **applied["metadata"]}}
    found = settle(stored(applied, kind), kind, Demand())
    assert reported(found) == reported(becomes)


def reported(value: Object) -> Any:
    """Return the status and the annotations of an object, without generated values."""
    annotations = value["metadata"].get("annotations")
    status = json.dumps(comparable(value.get("status")))
    return annotations, json.loads(_REVISION.sub("-revision", status))
