"""What is read of an object after it was applied, compared with the API server's answer.

`python -m tests.cluster.read_back` asks the API server anew.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest

from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.validation.objects.quantities import canonical_quantity
from kro_ls.runtime.apiserver.defaults import DEFAULTS, WITHOUT_GENERATION
from kro_ls.runtime.apiserver.storing import stored
from tests.cluster.client import Object, read_objects
from tests.cluster.read_back import APPLIED, RECORDED, without_varying

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_UID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@cache
def cases() -> list[tuple[Object, Object]]:
    return list(zip(read_objects(APPLIED), json.loads(RECORDED.read_text(encoding="utf-8")), strict=True))


@pytest.mark.parametrize(
    ("applied", "recorded"), cases(), ids=[f"{each['kind']}-{each['metadata']['name']}" for each, _ in cases()]
)
def test_an_object_is_stored_as_by_the_api_server(applied: Object, recorded: Object) -> None:
    group, _, version = applied["apiVersion"].rpartition("/")
    kind = kubernetes().find(GroupVersionKind(group, version, applied["kind"]))
    assert kind is not None
    if kind.namespaced:
        applied = {**applied, "metadata": {"namespace": "default", **applied["metadata"]}}
    assert comparable(without_varying(stored(applied, kind))) == comparable(recorded)


def comparable(value: Any) -> Any:
    """Return a value without what the API server generates: addresses, node ports, uids, times and ends of names."""
    if isinstance(value, dict):
        allocated = {"nodePort": 0, "healthCheckNodePort": 0}
        return {name: allocated.get(name, comparable(each)) for name, each in value.items()}
    if isinstance(value, list):
        return [comparable(each) for each in value]
    if isinstance(value, str):
        plain = _UID.sub("uid", _TIME.sub("time", value))
        return re.sub(r"^10\.\d+\.\d+\.\d+$", "address", re.sub(r"^(kube-api-access)-\w{5}$", r"\1", plain))
    return value


def test_every_kind_of_the_table_is_recorded() -> None:
    kinds = {(each["apiVersion"].rpartition("/")[0], each["kind"]) for each, _ in cases()}
    made_by_others = {
        ("", "Node"),
        ("", "Event"),
        ("storage.k8s.io", "CSINode"),
        ("storage.k8s.io", "VolumeAttachment"),
    }
    assert {*DEFAULTS, *WITHOUT_GENERATION} - kinds == made_by_others


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("0.5", "500m"),
        (0.5, "500m"),
        (2, "2"),
        ("1000", "1k"),
        ("1200", "1200"),
        ("12000", "12k"),
        ("2000m", "2"),
        ("1024Mi", "1Gi"),
        ("1.5Gi", "1536Mi"),
        ("1000Mi", "1000Mi"),
        ("0.5Ki", "512"),
        ("0.1Gi", "107374182400m"),
        ("1e3", "1e3"),
        ("0", "0"),
        ("100u", "100u"),
        ("-1024Ki", "-1Mi"),
        ("1E", "1E"),
        ("no", "no"),
        (True, True),
    ],
)
def test_quantities_are_written_in_one_form(written: Any, read: Any) -> None:
    assert canonical_quantity(written) == read
