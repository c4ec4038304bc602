"""When an object counts as ready, for kinds that we know and for others."""

from __future__ import annotations

from typing import Any

import pytest

from kro_ls.deploying.direct import unready_object
from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.sources.bundled import OBJECT_META, kubernetes
from kro_ls.openapi.sources.crds.served_kinds import served_kinds
from tests.fixtures.crds import crd

KINDS = schema_index(kubernetes())


def unready(api_version: str, kind: str, *, spec: Any = None, status: Any = None, **metadata: Any) -> str:
    value: Any = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "x", **metadata}}
    value |= {"spec": spec} if spec else {}
    value |= {"status": status} if status else {}
    return unready_object(value, KINDS.find_api_version(api_version, kind))


def condition(type_: str, status: str) -> Any:
    return {"conditions": [{"type": type_, "status": status}]}


@pytest.mark.parametrize("kind", ["ConfigMap", "Secret", "ServiceAccount", "Service"])
def test_what_no_controller_works_on_is_ready_when_it_is_there(kind: str) -> None:
    assert unready("v1", kind) == ""


def test_a_deployment_is_awaited_until_it_is_available() -> None:
    spec = {"replicas": 2}
    assert unready("apps/v1", "Deployment", spec=spec) == "until Deployment x is available"
    assert unready("apps/v1", "Deployment", spec=spec, status={"availableReplicas": 1}) != ""
    assert unready("apps/v1", "Deployment", spec=spec, status={"availableReplicas": 2}) == ""


def test_a_deployment_without_replicas_is_ready_by_its_condition() -> None:
    assert unready("apps/v1", "Deployment", spec={"replicas": 0}, status=condition("Available", "True")) == ""


def test_old_replicas_do_not_count() -> None:
    status = {"availableReplicas": 3, "updatedReplicas": 1}
    found = unready("apps/v1", "Deployment", spec={"replicas": 3}, status=status)
    assert found == "Deployment x has 1 of 3 replicas as they should be"


def test_a_status_of_an_older_generation_says_nothing() -> None:
    status = {"availableReplicas": 1, "observedGeneration": 1}
    found = unready("apps/v1", "Deployment", spec={"replicas": 1}, status=status, generation=2)
    assert found == "the controller of Deployment x has not looked at its last change yet"


def test_what_is_being_deleted_is_not_ready() -> None:
    assert unready("v1", "ConfigMap", deletionTimestamp="2026-01-01T00:00:00Z") == "ConfigMap x is being deleted"


def test_a_balanced_service_needs_an_address() -> None:
    spec = {"type": "LoadBalancer"}
    assert unready("v1", "Service", spec=spec, status={"loadBalancer": {}}) == "until Service x has an address"
    assert unready("v1", "Service", spec=spec, status={"loadBalancer": {"ingress": [{"ip": "10.0.0.1"}]}}) == ""


def test_a_claim_may_wait_for_the_first_pod() -> None:
    assert unready("v1", "PersistentVolumeClaim", status={"phase": "Pending"}) == ""


def test_a_job_is_awaited_until_it_is_complete() -> None:
    assert unready("batch/v1", "Job", status={"active": 1}) == "until Job x has succeeded"
    assert unready("batch/v1", "Job", status=condition("Complete", "True")) == ""


def test_of_a_custom_kind_a_condition_counts_if_it_is_there() -> None:
    definition: Any = crd()
    schema = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    item = {"type": "object", "properties": {"type": {"type": "string"}, "status": {"type": "string"}}}
    fields = {"conditions": {"type": "array", "items": item}}
    schema["properties"]["status"] = {"type": "object", "properties": fields}
    (kind,) = served_kinds(definition, "", kubernetes().definition(OBJECT_META))
    value: Any = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "x"}}
    assert unready_object(value, kind) == ""
    assert unready_object({**value, "status": condition("Ready", "False")}, kind) == "until Widget x is ready"
    assert unready_object({**value, "status": condition("Ready", "True")}, kind) == ""
    assert unready_object({**value, "status": condition("Other", "False")}, kind) == ""
