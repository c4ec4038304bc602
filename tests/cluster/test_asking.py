"""Tests of `kro-ls kinds pull` and `kinds check` with a real API server, which `scripts/test-cluster` names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.asking import NEEDS_CLUSTER, Asking
from tests.cluster.client import Client, Object
from tests.cluster.instances import until
from tests.fixtures.crds import crd

pytestmark = NEEDS_CLUSTER


@pytest.fixture
def asking(tmp_path: Path) -> Asking:
    return Asking(tmp_path)


@pytest.fixture
def widgets(asking: Asking) -> Iterator[Client]:
    """A client of the cluster, which has the kind Widget."""
    client = asking.cluster.client()
    try:
        _serve(client, _widgets())
        yield client
        client.delete(_widgets())
        until(lambda: client.get(_widgets()) is None)
    finally:
        client.close()


def _widgets(**fields: Object) -> Any:
    definition: Any = crd()
    definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"] |= fields
    return definition


def _serve(client: Client, definition: Object) -> None:
    """Apply a definition and wait until the API server publishes it."""
    client.apply(definition)
    wanted = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"].keys()

    def is_published() -> bool:
        paths = client.call("GET", "/openapi/v3")["paths"]
        if "apis/example.com/v1" not in paths:
            return False
        document = client.call("GET", paths["apis/example.com/v1"]["serverRelativeURL"])
        widget = document.get("components", {}).get("schemas", {}).get("com.example.v1.Widget", {})
        return bool(widget and wanted == widget["properties"]["spec"]["properties"].keys())

    until(is_published)


def test_pulled_definitions_are_those_of_the_cluster(asking: Asking, widgets: Client) -> None:
    code, out, err = asking.kinds("pull")
    assert (code, err) == (0, "")
    assert out.startswith("kro-ls-test: Kubernetes 1.36.3, no kro is seen\n")
    assert "size" in (asking.store / "example.com" / "Widget.yaml").read_text(encoding="utf-8")
    assert asking.kinds("check")[0] == 0
    code, out, _ = asking.kinds("show", "Widget.example.com", "spec")
    assert code == 0
    assert "size" in out


def test_a_changed_definition_differs_until_it_is_pulled_again(asking: Asking, widgets: Client) -> None:
    asking.kinds("pull")
    _serve(widgets, _widgets(colour={"type": "string"}))
    code, out, _ = asking.kinds("check")
    assert code == 1
    assert "example.com/v1 Widget: the cluster has spec.colour" in out
    assert asking.kinds("pull")[0] == 0
    assert asking.kinds("check")[0] == 0


def test_pulling_removes_nothing(asking: Asking, widgets: Client) -> None:
    asking.kinds("pull")
    own = asking.store / "notes.txt"
    own.write_text("mine", encoding="utf-8")
    widgets.delete(_widgets())
    until(lambda: "apis/example.com/v1" not in widgets.call("GET", "/openapi/v3")["paths"])
    assert asking.kinds("pull")[0] == 0
    assert own.read_text(encoding="utf-8") == "mine"
    assert (asking.store / "example.com" / "Widget.yaml").is_file()
    assert "in your store, not in the cluster: Widget.example.com\n" in asking.kinds("check")[1]


def test_who_may_not_read_definitions_gets_what_the_cluster_publishes(asking: Asking, widgets: Client) -> None:
    code, _, err = asking.kinds("pull", user="viewer")
    assert (code, err) == (0, "you may not read CustomResourceDefinitions there; what /openapi/v3 says is used\n")
    assert "size" in (asking.store / "example.com" / "Widget.yaml").read_text(encoding="utf-8")
    assert asking.kinds("check", user="viewer")[0] == 0
    assert asking.kinds("pull", user="viewer")[1].endswith("nothing new\n"), "no group has changed"
    assert asking.kinds("check")[0] == 0, "what is published is what is defined"


def test_the_definitions_go_into_a_folder(asking: Asking, widgets: Client, tmp_path: Path) -> None:
    assert asking.kinds("pull", "-o", "crds")[0] == 0
    assert (tmp_path / "crds" / "example.com" / "Widget.yaml").is_file()
    assert not asking.store.exists()
