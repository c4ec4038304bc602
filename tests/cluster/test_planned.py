"""Tests that `kro-ls plan --cluster` predicts what a real API server and kro do when its files are applied."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.asking import NEEDS_CLUSTER, Asking
from tests.cluster.client import Client, Object, read_objects
from tests.cluster.instances import until

pytestmark = NEEDS_CLUSTER

NAMESPACE = "planned"
QUIET_SECONDS = 3.0
KINDS = (("v1", "ConfigMap"), ("apps/v1", "Deployment"), ("v1", "ServiceAccount"))
INSTANCE_ID = "kro.run/instance-id"

DEFINITION = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: planned}
spec:
  schema:
    apiVersion: v1
    kind: Planned
    spec:
      name: string | required=true
      touched: integer | default=1
      colour: string | default=red
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.spec.name}"}
        data: {colour: "${schema.spec.colour}", shape: round}
    - id: web
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: "${schema.spec.name}"}
        spec:
          replicas: 1
          selector: {matchLabels: {app: "${config.metadata.name}"}}
          template:
            metadata: {labels: {app: "${config.metadata.name}", tier: web}}
            spec: {containers: [{name: web, image: "nginx:1.27"}]}
    - id: account
      template:
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: "${schema.spec.name}"}
"""
INSTANCE = """\
apiVersion: kro.run/v1
kind: Planned
metadata: {name: one, namespace: planned}
spec: {name: one, touched: 1}
"""

ACCOUNT = DEFINITION[DEFINITION.index("    - id: account") :]
OTHER = ACCOUNT.replace("id: account", "id: other").replace("name}", "name}-2")
UNTRUE = ACCOUNT.replace("account\n", "account\n      readyWhen: [\"${account.metadata.name == 'x'}\"]\n", 1)
SETTINGS: Object = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "settings", "namespace": NAMESPACE},
    "data": {"shape": "oval"},
}
REFERENCE = """\
    - id: settings
      externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}
"""
COLOUR = "      colour: string | default=red\n"
EDITS = {
    "a changed value": [("shape: round", "shape: square")],
    "a new default": [("default=red", "default=blue")],
    "another name": [(ACCOUNT, ACCOUNT.replace('"${', '"x-${'))],
    "another kind": [(ACCOUNT, ACCOUNT.replace("ServiceAccount", "ConfigMap").replace('"${', '"y-${'))],
    "a resource less": [(ACCOUNT, "")],
    "a resource more": [(ACCOUNT, ACCOUNT + OTHER)],
    "another id": [("id: account", "id: user")],
    "an immutable field": [("matchLabels: {app", "matchLabels: {tier: web, app"), (ACCOUNT, "")],
    "a definition that kro refuses": [("shape: round", 'shape: "${nope.x}"')],
    "a breaking change": [(COLOUR, ""), ("${schema.spec.colour}", "green"), ("shape: round", "shape: square")],
    "a condition that is never true": [(ACCOUNT, UNTRUE)],
    "an external object": [(ACCOUNT, ACCOUNT + REFERENCE), ("shape: round", 'shape: "${settings.data.shape}"')],
    "an expression that fails": [("shape: round", 'shape: "${string(1 / (schema.spec.touched - 2))}"')],
}


def edited(text: str, pairs: list[tuple[str, str]]) -> str:
    for before, after in pairs:
        assert before in text, before
        text = text.replace(before, after)
    return text


@pytest.fixture
def asking(tmp_path: Path) -> Asking:
    return Asking(tmp_path)


@pytest.fixture
def client(asking: Asking, tmp_path: Path) -> Iterator[Client]:
    """A client of the cluster, which has the definition and an active instance."""
    client = asking.cluster.client()
    (tmp_path / "shop.yaml").write_text(DEFINITION)
    (tmp_path / "one.yaml").write_text(INSTANCE)
    try:
        client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
        client.apply(SETTINGS)
        _apply(client, tmp_path / "shop.yaml")
        until(lambda: _condition(client, tmp_path / "shop.yaml") == "True")
        client.forget_kinds()
        _apply(client, tmp_path / "one.yaml")
        until(lambda: _state(client, tmp_path) == "ACTIVE")
        yield client
        client.delete(read_objects(tmp_path / "one.yaml")[0])
        until(lambda: client.get(read_objects(tmp_path / "one.yaml")[0]) is None)
    finally:
        client.delete(read_objects(tmp_path / "shop.yaml")[0])
        until(lambda: client.get(read_objects(tmp_path / "shop.yaml")[0]) is None)
        crd = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
        client.delete({**crd, "metadata": {"name": "planneds.kro.run"}})
        until(lambda: client.get({**crd, "metadata": {"name": "planneds.kro.run"}}) is None)
        client.close()


def _apply(client: Client, file: Path) -> None:
    for each in read_objects(file):
        client.apply(each)


def _condition(client: Client, file: Path) -> str:
    """Return whether kro serves the current form of a definition; `False` if it refuses it."""
    there = client.get(read_objects(file)[0]) or {}
    generation = there["metadata"]["generation"]
    found = [
        each["status"]
        for each in (there.get("status") or {}).get("conditions") or ()
        if each["type"] == "Ready" and each.get("observedGeneration") == generation
    ]
    return found[0] if found else ""


def _state(client: Client, folder: Path) -> str:
    there = client.get(read_objects(folder / "one.yaml")[0]) or {}
    return str((there.get("status") or {}).get("state"))


def _objects(client: Client) -> dict[str, Object]:
    """Return the objects of kro in the namespace, by kind and name."""
    found = {}
    for api_version, kind in KINDS:
        for each in client.list(api_version, kind, NAMESPACE, INSTANCE_ID):
            found[f"{kind} {NAMESPACE}/{each['metadata']['name']}"] = each
    return found


def _at_rest(client: Client, folder: Path) -> None:
    """Wait until neither the objects nor the state change any more."""
    last, since = "", time.monotonic()
    end = since + 30
    while time.monotonic() - since < QUIET_SECONDS and time.monotonic() < end:
        objects = {name: each["metadata"]["uid"] for name, each in _objects(client).items()}
        seen = repr((sorted(objects.items()), _state(client, folder)))
        if seen != last:
            last, since = seen, time.monotonic()
        time.sleep(0.3)


def _foreseen(there: set[str], plan: Any) -> set[str]:
    """Return the objects that exist after the plan."""
    for change in plan["objects"]:
        if change["action"] in ("create", "replace"):
            there = (there | {change["object"]}) - {change.get("former")}
        if change["action"] == "delete":
            there = there - {change["object"]}
    return there


@pytest.mark.parametrize("edit", EDITS)
def test_what_is_planned_happens(asking: Asking, client: Client, tmp_path: Path, edit: str) -> None:
    (tmp_path / "shop.yaml").write_text(edited(DEFINITION, EDITS[edit]))
    (tmp_path / "one.yaml").write_text(INSTANCE.replace("touched: 1", "touched: 2"))
    before = set(_objects(client))
    code, out, err = asking.run("plan", "--cluster", "--dry-run", "--format", "json")
    assert code in (0, 1), err
    (plan,) = [each for each in json.loads(out)["instances"] if each["name"] == f"{NAMESPACE}/one"]
    assert set(_objects(client)) == before, "nothing is written"
    _apply(client, tmp_path / "shop.yaml")
    until(lambda: _condition(client, tmp_path / "shop.yaml") != "")
    _apply(client, tmp_path / "one.yaml")
    _at_rest(client, tmp_path)
    objects = _objects(client)
    assert set(objects) == _foreseen(before, plan)
    assert _state(client, tmp_path) == plan["after"]
    for change in plan["objects"]:
        for field in change["fields"] if change["action"] == "change" else ():
            if field["path"].startswith("data."):
                assert objects[change["object"]]["data"][field["path"].removeprefix("data.")] == field["new"]
    fails = code == 1
    definition = _condition(client, tmp_path / "shop.yaml")
    assert fails == (definition == "False" or _state(client, tmp_path) == "ERROR")
    (tmp_path / "shop.yaml").write_text(DEFINITION)


def test_what_another_manager_wrote_is_taken_over(asking: Asking, client: Client, tmp_path: Path) -> None:
    """kro applies by force: a field that the new definition writes gets its value, whoever owned it."""
    config: Object = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one", "namespace": NAMESPACE}}
    client.apply({**config, "data": {"size": "small"}}, fieldManager="somebody")
    new = edited(DEFINITION, [("shape: round", "shape: round, size: large")])
    (tmp_path / "shop.yaml").write_text(new)
    _, out, err = asking.run("plan", "--cluster", "--format", "json")
    (plan,) = [each for each in json.loads(out)["instances"] if each["name"] == f"{NAMESPACE}/one"]
    name = f"ConfigMap {NAMESPACE}/one"
    assert plan["drift"] == [
        f'{name}: data.size is "small" in the cluster (somebody wrote it), and kro takes it over with "large"'
    ], err
    _apply(client, tmp_path / "shop.yaml")
    until(lambda: _objects(client)[name]["data"].get("size") == "large")
    (tmp_path / "shop.yaml").write_text(DEFINITION)


def test_a_dry_run_says_what_only_the_cluster_knows(asking: Asking, client: Client, tmp_path: Path) -> None:
    quota: Any = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "few", "namespace": NAMESPACE},
        "spec": {"hard": {"count/serviceaccounts": "1"}},
    }
    client.apply(quota)
    try:
        until(lambda: bool(((client.get(quota) or {}).get("status") or {}).get("hard")))
        (tmp_path / "shop.yaml").write_text(edited(DEFINITION, EDITS["a resource more"]))
        before = _objects(client)
        assert asking.run("plan", "--cluster")[0] == 0
        code, out, _ = asking.run("plan", "--cluster", "--dry-run")
        assert code == 1
        assert "exceeded quota: few" in out
        assert "! refused ServiceAccount planned/one-2 (other)" in out
        assert {name: each["metadata"]["resourceVersion"] for name, each in _objects(client).items()} == {
            name: each["metadata"]["resourceVersion"] for name, each in before.items()
        }
    finally:
        client.delete(quota)
        (tmp_path / "shop.yaml").write_text(DEFINITION)


def test_nothing_is_planned_where_the_cluster_has_what_the_files_say(asking: Asking, client: Client) -> None:
    code, out, _ = asking.run("plan", "--cluster")
    assert code == 0
    assert "Planned" not in out
