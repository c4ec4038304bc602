"""Tests of both deployment strategies in a real cluster with kro, which `scripts/test-cluster` names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from kro_ls.deploying import DeploymentError, Direct, Event, EventKind, Kro, Run, Strategy
from tests.cluster.asking import CLUSTER_NAME, NEEDS_CLUSTER
from tests.cluster.client import Client, Object
from tests.cluster.control_plane import ControlPlane
from tests.cluster.deployed_definitions import CHAIN, INSIDE, SETTINGS, SHOP, SPEC_OF, WORK, instance
from tests.cluster.instances import until
from tests.cluster.kubelet import FakeKubelet
from tests.paths import EXAMPLES

pytestmark = NEEDS_CLUSTER[:1]

QUICK = 0.2
"""Seconds between two polls."""


@pytest.fixture(scope="module")
def cluster() -> ControlPlane:
    return ControlPlane(os.environ[CLUSTER_NAME])


@pytest.fixture(scope="module")
def client(cluster: ControlPlane) -> Iterator[Client]:
    found, kubelets = cluster.client(), cluster.client()
    with FakeKubelet(kubelets):
        yield found
    kubelets.close()
    found.close()


@pytest.fixture
def namespace(client: Client) -> Iterator[str]:
    name = f"deployed-{uuid.uuid4().hex[:8]}"
    value = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    client.apply(value)
    _add_settings(client, name, "given")
    yield name
    client.delete(value)


def _add_settings(client: Client, namespace: str, name: str) -> None:
    client.apply(_config_map(name, namespace, data={"colour": "red"}))
    for part in ("one", "two"):
        client.apply(_config_map(f"{name}-{part}", namespace, labels={"part-of": name}))


def _config_map(name: str, namespace: str, *, labels: Object | None = None, data: Object | None = None) -> Object:
    metadata = {"name": name, "namespace": namespace, "labels": labels or {}}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data or {}}


@pytest.fixture
def direct(cluster: ControlPlane) -> Direct:
    return Direct(kubeconfig=cluster.kubeconfig, timeout=60, poll=QUICK)


@pytest.fixture
def kro(cluster: ControlPlane) -> Kro:
    return Kro(kubeconfig=cluster.kubeconfig, timeout=90, poll=QUICK, delete_definition=True)


def _reported(run: Run) -> tuple[list[Event], str]:
    """Return all events, and the reason for a failure, which is empty after a success."""
    events: list[Event] = []
    try:
        events.extend(run)
    except DeploymentError as error:
        return events, str(error)
    return events, ""


def _of(events: list[Event], kind: EventKind) -> list[tuple[str, str]]:
    return [(each.node, each.object.rpartition("/")[2]) for each in events if each.kind is kind]


def _names(client: Client, namespace: str) -> set[str]:
    found = client.list("v1", "ConfigMap", namespace)
    return {each["metadata"]["name"] for each in found} - {"kube-root-ca.crt", "given", "given-one", "given-two"}


def _stored_status(client: Client, kind: str, namespace: str) -> Object:
    client.forget_kinds()
    (found,) = client.list("kro.run/v1alpha1", kind, namespace)
    return {name: each for name, each in (found.get("status") or {}).items() if name not in ("state", "conditions")}


@pytest.mark.parametrize("definition", SPEC_OF, ids=lambda text: text.partition("name: ")[2].partition("}")[0])
def test_both_strategies_give_the_same_status_as_kro(
    direct: Direct, kro: Kro, client: Client, namespace: str, definition: str
) -> None:
    spec = SPEC_OF[definition]
    kind = definition.partition("    kind: ")[2].partition("\n")[0]
    ours = direct.deploy(definition, instance("ours", namespace, spec)).result()
    theirs = kro.deploy(definition, instance("theirs", namespace, spec)).result()
    try:
        assert (ours.state, theirs.state) == ("ACTIVE", "ACTIVE")
        assert [each["type"] for each in ours.conditions] == [each["type"] for each in theirs.conditions]
        assert [each.node for each in ours.objects] == [each.node for each in theirs.objects]

        def is_same() -> bool:
            return bool(_comparable(_stored_status(client, kind, namespace)) == _comparable(ours.status))

        until(is_same)  # kro does not wait for resources without readyWhen
        assert theirs.status.keys() == ours.status.keys()
    finally:
        for strategy, name in ((direct, "ours"), (kro, "theirs")):
            strategy.delete(definition, instance(name, namespace, {})).result()
    assert _names(client, namespace) == set()


def _comparable(status: Any) -> Any:
    """Return a status without the names of the instances and addresses."""
    text = json.dumps({**status, "host": ""}, sort_keys=True)
    return json.loads(text.replace("theirs", "ours"))


def test_levels_are_applied_one_after_the_other(direct: Direct, namespace: str) -> None:
    run = direct.deploy(SHOP, instance("one", namespace, {"regions": ["eu", "us"]}))
    events, error = _reported(run)
    assert error == ""
    assert _of(events, EventKind.CREATED) == [
        ("web", "one"),
        ("service", "one"),
        ("region", "one-eu"),
        ("region", "one-us"),
    ]
    assert [each.node for each in events if each.kind is EventKind.LEFT_OUT] == ["debug"]
    ready = [each.node for each in events if each.kind is EventKind.READY]
    assert ready == ["web", "service", "region", ""]
    waiting = next(each for each in events if each.kind is EventKind.WAITING)
    assert (waiting.node, waiting.message) == ("web", "until Deployment one is available")
    assert str(events[-1]) == "[4/4] ready DeployedShop one"
    phases = [each.phase for each in run.outcome.timings]
    assert phases == ["preparation", "level 1", "level 2", "level 3", "pruning"]


def test_every_evaluation_is_logged(direct: Direct, namespace: str) -> None:
    result = direct.deploy(SHOP, instance("one", namespace, {"regions": ["eu"]})).result()
    lines = [json.loads(line) for line in result.log_json().splitlines()]
    ready = [each for each in lines if each["expression"] == "web.status.availableReplicas"]
    assert ready[-1]["value"] == 2
    assert ready[-1]["node"] == "schema"
    assert {each["place"].partition(" ")[0] for each in lines} >= {"template", "forEach", "includeWhen", "status"}
    assert all(("value" in each) != ("error" in each) and each["time"] for each in lines)


def test_an_edit_updates_adds_and_prunes(direct: Direct, client: Client, namespace: str) -> None:
    direct.deploy(SHOP, instance("one", namespace, {"regions": ["eu", "us"]})).result()
    events, _ = _reported(direct.deploy(SHOP, instance("one", namespace, {"regions": ["us", "asia"], "debug": True})))
    assert _of(events, EventKind.UNCHANGED) == [("web", "one"), ("service", "one"), ("region", "one-us")]
    assert _of(events, EventKind.CREATED) == [("debug", "one-debug"), ("region", "one-asia")]
    assert _of(events, EventKind.DELETED) == [("region", "one-eu")]
    events, _ = _reported(direct.delete(SHOP, instance("one", namespace, {})))
    assert [node for node, _ in _of(events, EventKind.DELETED)] == ["region", "region", "service", "debug", "web"]
    assert _names(client, namespace) == set()


def test_what_fails_is_rolled_back(direct: Direct, client: Client, namespace: str) -> None:
    events, error = _reported(direct.deploy(CHAIN, instance("one", namespace, {"last": "no label!"})))
    assert "cannot apply ConfigMap" in error
    assert "a valid label must be" in error
    assert [node for node, _ in _of(events, EventKind.CREATED)] == ["first", "second"]
    assert [node for node, _ in _of(events, EventKind.DELETED)] == ["second", "first"]
    assert _names(client, namespace) == set()


def test_what_was_updated_is_restored(direct: Direct, client: Client, namespace: str) -> None:
    direct.deploy(CHAIN, instance("one", namespace, {"last": "fine"})).result()
    second = _config_map("one-first-second", namespace)
    client.merge(second, {"metadata": {"annotations": {"of": "others"}}})
    events, error = _reported(direct.deploy(CHAIN, instance("one", namespace, {"last": "no label!"})))
    assert error
    events, _ = _reported(direct.deploy(CHAIN, instance("one", namespace, {"last": "other"})))
    assert _of(events, EventKind.UPDATED) == [("last", "one-first-second-last")]
    last = client.get(_config_map("one-first-second-last", namespace))
    assert last is not None
    assert last["metadata"]["labels"]["value"] == "other"
    assert _names(client, namespace) >= {"one-first", "one-first-second", "one-first-second-last"}


def test_an_update_that_times_out_is_restored(direct: Direct, client: Client, namespace: str) -> None:
    direct.deploy(CHAIN, instance("one", namespace, {})).result()
    direct.timeout = 2
    events, error = _reported(direct.deploy(CHAIN, instance("one", namespace, {"first": "two"})))
    assert error.startswith("not ready after 2 seconds: first: ")
    assert "first.data.value == 'one'" in error
    assert _of(events, EventKind.RESTORED) == [("first", "one-first")]
    first = client.get(_config_map("one-first", namespace))
    assert first is not None
    assert first["data"] == {"value": "one"}


def test_instances_of_other_definitions_are_deployed_inside(direct: Direct, client: Client, namespace: str) -> None:
    run = direct.deploy(INSIDE, instance("one", namespace, {"colours": ["red", "blue"]}))
    events, error = _reported(run)
    assert error == ""
    assert run.outcome.status == {"told": "dark red, dark blue", "shades": ["dark red", "dark blue"]}
    assert _of(events, EventKind.CREATED) == [
        ("inner/paint", "one-red"),
        ("inner/paint", "one-blue"),
        ("report", "one-report"),
    ]
    events, error = _reported(direct.deploy(INSIDE, instance("one", namespace, {"colours": ["red", "green"]})))
    assert error == ""
    assert _of(events, EventKind.UPDATED) == [("report", "one-report")]
    assert _of(events, EventKind.DELETED) == [("inner/paint", "one-blue")]
    events, error = _reported(
        direct.deploy(INSIDE, instance("one", namespace, {"colours": ["pink"], "last": "no label!"}))
    )
    assert "a valid label must be" in error
    assert _of(events, EventKind.DELETED) == [("inner/paint", "one-pink")]
    assert _names(client, namespace) >= {"one-red", "one-green", "one-report"}
    events, _ = _reported(direct.delete(INSIDE, instance("one", namespace, {})))
    assert [node for node, _ in _of(events, EventKind.DELETED)] == ["report", "inner/paint", "inner/paint"]
    assert _names(client, namespace) == set()


def test_a_deployment_that_was_stopped_goes_on_later(direct: Direct, client: Client, namespace: str) -> None:
    given = instance("one", namespace, {"regions": ["eu"]})
    for event in direct.deploy(SHOP, given):
        if event.kind is EventKind.CREATED:
            break
    events, _ = _reported(direct.deploy(SHOP, given))
    assert _of(events, EventKind.UNCHANGED) == [("web", "one")]
    assert _of(events, EventKind.CREATED) == [("service", "one"), ("region", "one-eu")]


def test_what_a_stopped_deployment_made_is_deleted(direct: Direct, client: Client, namespace: str) -> None:
    next(direct.deploy(CHAIN, instance("one", namespace, {})))
    assert "one-first" in _names(client, namespace)
    events, _ = _reported(direct.delete(CHAIN, instance("one", namespace, {})))
    assert _of(events, EventKind.DELETED) == [("first", "one-first")]
    assert _names(client, namespace) == set()


@pytest.mark.parametrize("strategy", ["direct", "kro"])
def test_the_example_deploys_a_shop(cluster: ControlPlane, client: Client, strategy: str) -> None:
    program = [sys.executable, str(EXAMPLES / "python/deploy_shop.py"), strategy]
    environment = os.environ | {"KUBECONFIG": str(cluster.kubeconfig)}
    try:
        ran = subprocess.run(program, env=environment, capture_output=True, encoding="utf-8", check=False)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert "[3/3] ready Shop corner" in ran.stdout
        assert "'ready': 2" in ran.stdout
        assert " deleted " in ran.stdout.splitlines()[-1]
    finally:
        for api_version, kind, name in (
            ("kro.run/v1alpha1", "ResourceGraphDefinition", "shop"),
            ("apiextensions.k8s.io/v1", "CustomResourceDefinition", "shops.kro.run"),
        ):
            client.delete({"apiVersion": api_version, "kind": kind, "metadata": {"name": name}})


def test_external_references_are_awaited(direct: Direct, client: Client, namespace: str) -> None:
    run = direct.deploy(SETTINGS, instance("one", namespace, {"settings": "later"}))
    seen = []
    for event in run:
        seen.append(event)
        if event.kind is EventKind.WAITING and event.node == "settings":
            _add_settings(client, namespace, "later")
    assert [(each.node, each.message) for each in seen if each.kind is EventKind.WAITING] == [
        ("settings", "not found in the cluster"),
        ("copy", "waits for settings to be ready"),
    ]
    assert run.result().status == {"colour": "red", "parts": "2"}


@pytest.mark.parametrize("name", ["direct", "kro"])
def test_an_external_reference_that_never_comes_is_reported(
    name: str, client: Client, namespace: str, request: pytest.FixtureRequest
) -> None:
    strategy: Strategy = request.getfixturevalue(name)
    strategy.timeout = 8
    events, error = _reported(strategy.deploy(SETTINGS, instance("one", namespace, {"settings": "nowhere"})))
    assert "not ready after 8 seconds" in error
    assert "settings" in error
    assert _names(client, namespace) == set()
    assert any(each.kind is EventKind.WAITING and each.node == "settings" for each in events)


def test_a_job_that_fails_ends_the_wait(direct: Direct, client: Client, namespace: str) -> None:
    class Failing(Direct):
        """Sets a deadline on each Job that it cannot meet."""

        def prepare(self, node: str, value: Any) -> Any:
            if value["kind"] == "Job":
                value["spec"]["activeDeadlineSeconds"] = 1
                value["spec"]["template"]["spec"]["nodeSelector"] = {"no": "node"}
                value["spec"]["template"]["spec"]["schedulerName"] = "nobody"
                value["spec"]["template"]["spec"]["schedulingGates"] = [{"name": "example.com/never"}]
            return value

    failing = Failing(kubeconfig=direct.kubeconfig, timeout=60, poll=QUICK)
    _, error = _reported(failing.deploy(WORK, instance("one", namespace, {})))
    assert error.startswith("work: Job ")
    assert "DeadlineExceeded" in error


@pytest.mark.parametrize("name", ["direct", "kro"])
def test_a_dry_run_writes_nothing(name: str, client: Client, namespace: str, request: pytest.FixtureRequest) -> None:
    strategy: Strategy = request.getfixturevalue(name)
    events, error = _reported(strategy.dry_run(CHAIN, instance("one", namespace, {})))
    assert error == ""
    tried = [node for node, _ in _of(events, EventKind.CREATED) if node]
    assert tried == ["first", "second", "last"]
    _, error = _reported(strategy.dry_run(CHAIN, instance("one", namespace, {"last": "no label!"})))
    assert error.startswith("the API server would refuse ConfigMap ")
    assert _names(client, namespace) == set()


def test_a_dry_run_of_what_is_there_changes_nothing(direct: Direct, namespace: str) -> None:
    given = instance("one", namespace, {"regions": ["eu"]})
    direct.deploy(SHOP, given).result()
    events, _ = _reported(direct.dry_run(SHOP, given))
    assert {each.kind for each in events} == {EventKind.UNCHANGED}


def test_what_others_made_is_left_alone(direct: Direct, client: Client, namespace: str) -> None:
    client.apply(_config_map("one-first", namespace, data={"value": "mine"}))
    given = instance("one", namespace, {})
    _, error = _reported(direct.deploy(CHAIN, given))
    assert "exists already" in error
    assert "adopt=True" in error
    direct.adopt = True
    _, error = _reported(direct.deploy(CHAIN, given))
    assert "field manager 'kro-ls-test' owns data.value" in error
    assert "force=True" in error
    direct.force = True
    assert direct.deploy(CHAIN, given).result().status == {"first": "one"}


def test_two_instances_do_not_share_an_object(direct: Direct, namespace: str) -> None:
    direct.deploy(CHAIN, instance("one", namespace, {})).result()
    taken = CHAIN.replace("DeployedChain", "DeployedOther").replace("deployed-chain", "deployed-other")
    _, error = _reported(direct.deploy(taken, instance("one", namespace, {})))
    assert "belongs to another deployment" in error


def test_missing_permissions_are_reported(cluster: ControlPlane, namespace: str) -> None:
    viewer = Direct(kubeconfig=cluster.certificates / "viewer.kubeconfig", timeout=5)
    events, error = _reported(viewer.deploy(CHAIN, instance("one", namespace, {})))
    assert 'is forbidden: User "viewer" cannot' in error
    assert "ask for the permission" in error
    assert not _of(events, EventKind.CREATED)


def test_kro_rolls_back_what_it_refuses(kro: Kro, client: Client, namespace: str) -> None:
    kro.patience = 3
    events, error = _reported(kro.deploy(CHAIN, instance("one", namespace, {"last": "no label!"})))
    assert "a valid label must be" in error
    deleted = [name for _, name in _of(events, EventKind.DELETED)]
    assert deleted == ["one", "ResourceGraphDefinition deployed-chain"]
    assert _names(client, namespace) == set()


def test_what_is_not_deployed_cannot_be_deleted(direct: Direct, namespace: str) -> None:
    _, error = _reported(direct.delete(CHAIN, instance("one", namespace, {})))
    assert error == f"DeployedChain one is not deployed in {namespace}"


def test_warnings_of_kubernetes_are_events(direct: Direct, client: Client, namespace: str) -> None:
    run = direct.deploy(CHAIN, instance("one", namespace, {"first": "two"}))
    direct.timeout = run._course.timeout = 6
    seen = []
    try:
        for event in run:
            seen.append(event)
            if event.kind is EventKind.CREATED:
                _warn(client, namespace, event.object.rpartition("/")[2])
    except DeploymentError:
        pass
    assert [(each.node, each.message) for each in seen if each.kind is EventKind.WARNING] == [
        ("first", "ConfigMap one-first: Broken: it is broken")
    ]


def _warn(client: Client, namespace: str, name: str) -> None:
    there = client.get(_config_map(name, namespace))
    assert there is not None
    about = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "name": name,
        "namespace": namespace,
        "uid": there["metadata"]["uid"],
    }
    client.create(
        {
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": {"name": f"{name}.1", "namespace": namespace},
            "involvedObject": about,
            "type": "Warning",
            "reason": "Broken",
            "message": "it is broken",
        }
    )


def test_warnings_that_repeat_are_reported_once(direct: Direct, client: Client, namespace: str) -> None:
    hard = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "none", "namespace": namespace}}
    client.apply({**hard, "spec": {"hard": {"pods": "0"}}})
    until(lambda: bool((client.get(hard) or {}).get("status")))
    direct.timeout = 6
    events, error = _reported(direct.deploy(SHOP, instance("one", namespace, {})))
    warnings = [each.message for each in events if each.kind is EventKind.WARNING]
    assert len(warnings) == 1
    assert "exceeded quota: none" in warnings[0]
    assert "raise the quota, or ask for less" in error


def test_custom_kinds_of_the_cluster_are_read(direct: Direct, client: Client, namespace: str) -> None:
    from tests.fixtures.crds import crd

    definition: Any = crd()
    client.apply(definition)
    client.forget_kinds()
    try:
        until(lambda: client.kind("example.com/v1", "Widget") is not None)
        text = CHAIN.replace(
            "apiVersion: v1\n        kind: ConfigMap", "apiVersion: example.com/v1\n        kind: Widget", 1
        )
        text = text.replace('data: {value: "${schema.spec.first}"}', "spec: {name: first, size: 1}", 1)
        text = text.replace("first.data.value == 'one'", "first.spec.size == 1")
        text = text.replace("${first.data.value}", "${string(first.spec.size)}")
        assert direct.deploy(text, instance("one", namespace, {})).result().status == {"first": "1"}
        direct.delete(text, instance("one", namespace, {})).result()
    finally:
        client.delete(definition)
