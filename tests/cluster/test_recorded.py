"""Tests that recordings are the same in every run, and that reading one restores what was written."""

from __future__ import annotations

from typing import Any

from tests.cluster.definition_edits import definition_edits
from tests.cluster.edits import edits
from tests.cluster.recorded import as_written
from tests.cluster.recordings import Recording, Stage

UIDS = "b13b98b4-a6ea-43c9-a70e-faa11cf360a2", "f780fd41-3d53-4c49-832c-ec8b7d5875b5"


def stage(at: str, uid: str, time: str, replicas: int, address: str = "10.108.56.7") -> Stage:
    instance = {"metadata": {"name": "a", "uid": uid, "resourceVersion": "7", "creationTimestamp": time}}
    web = {"metadata": {"name": "a"}, "spec": {"replicas": replicas}}
    entry = {"spec": {"clusterIP": address, "ports": [{"nodePort": 31234}]}}
    return Stage(at, instance, {"web": web, "entry": entry}, {"since": time, "owner": uid}, [web])


def recording(uid: str, time: str, address: str) -> Recording:
    stages = [stage("created", uid, time, 1, address), stage("edit replicas", uid, time, 2, address)]
    return Recording("a.yaml", "kind: A", stages, crd={"group": "kro.run"}, deleted=["v1 Service a"])


def test_two_runs_give_the_same_recording() -> None:
    first = as_written(recording(UIDS[0], "2026-11-24T03:18:59Z", "10.108.56.7"))
    second = as_written(recording(UIDS[1], "2026-11-25T00:00:00Z", "10.97.1.200"))
    assert first == second
    assert first.stages[0].status == {
        "owner": "00000000-0000-4000-8000-000000000001",
        "since": "2026-01-01T00:00:00Z",
    }
    assert first.stages[0].observed["entry"]["spec"] == {"clusterIP": "10.96.1.1", "ports": [{"nodePort": 30001}]}
    assert first.stages[0].instance == {"metadata": {"name": "a", "uid": "00000000-0000-4000-8000-000000000001"}}


def test_a_stage_has_what_the_one_before_had_and_it_did_not_change() -> None:
    read = as_written(recording(UIDS[0], "2026-11-24T03:18:59Z", "10.108.56.7"))
    created, edited = read.stages
    assert edited.observed["entry"] == created.observed["entry"]
    assert [each.observed["web"]["spec"]["replicas"] for each in read.stages] == [1, 2]
    assert [each.applied[0]["spec"]["replicas"] for each in read.stages] == [1, 2]


def test_an_instance_is_edited_field_by_field_booleans_first() -> None:
    spec = {"name": "a", "size": 1, "more": {"on": True, "zones": ["a", "b"]}, "none": None}
    assert [(path, edited) for path, edited in edits(spec)] == [
        ("more.on", {**spec, "more": {"on": False, "zones": ["a", "b"]}}),
        ("size", {**spec, "size": 2}),
        ("more.zones", {**spec, "more": {"on": True, "zones": ["a"]}}),
        ("name", {**spec, "name": "a2"}),
    ]


def test_the_edits_of_a_definition_change_its_kind_and_fields() -> None:
    schema = {"kind": "Web", "spec": {"name": 'string | default="a"', "more": {"x": "string"}}}
    definition: Any = {"spec": {"schema": schema, "resources": []}}
    found = {what: edited["spec"]["schema"] for what, edited in definition_edits(definition)}
    assert found["another kind"]["kind"] == "WebTwo"
    assert found["another scope"]["scope"] == "Cluster"
    assert found["without name"]["spec"] == {"more": {"x": "string"}}
    assert found["name as integer"]["spec"]["name"] == "integer"
    assert list(found)[-1] == "a field more"
    assert definition["spec"]["schema"] == schema
