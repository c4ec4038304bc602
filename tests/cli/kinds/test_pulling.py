"""`kro-ls kinds pull`, from a kubectl of the test's own."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_object
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.sources.store import Store, origin_in
from kro_ls.workspace.gathering import kubectl
from tests.fixtures.crds import crd
from tests.fixtures.kubectl import FakeKubectl, config
from tests.fixtures.processes import Invoke

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=200"
KRO = "/apis/apps/v1/deployments?labelSelector=app.kubernetes.io%2Fname%3Dkro"
FORBIDDEN = 'Error from server (Forbidden): customresourcedefinitions is forbidden: User "me" cannot list it'
ADDRESS = "/openapi/v3/apis/example.com/v1?hash=AB"
NAME = GroupVersionKind("example.com", "v1", "Widget")


def paths(address: str = ADDRESS) -> JsonObject:
    own: JsonObject = {"serverRelativeURL": "/openapi/v3/apis/apps/v1?hash=00"}
    return {"paths": {"api/v1": own, "apis/apps/v1": own, "apis/example.com/v1": {"serverRelativeURL": address}}}


def document() -> JsonObject:
    """Return what a cluster publishes of Widget."""
    name: JsonObject = {"group": "example.com", "version": "v1", "kind": "Widget"}
    meta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
    fields: JsonObject = {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "metadata": {"allOf": [{"$ref": f"#/components/schemas/{meta}"}]},
        "spec": {"type": "object", "properties": {"size": {"type": "integer", "default": 3}}},
    }
    widget: JsonObject = {"type": "object", "properties": fields, "x-kubernetes-group-version-kind": [name]}
    place = "/apis/example.com/v1/namespaces/{namespace}/widgets"
    operation: JsonObject = {"get": {"x-kubernetes-group-version-kind": name}}
    return {
        "components": {"schemas": {"com.example.v1.Widget": widget, meta: {"type": "object"}}},
        "paths": {place + "/{name}": operation, place + "/{name}/status": operation},
    }


def item(definition: JsonObject) -> JsonValue:
    """Return a definition as an item of a list, which does not say what it is."""
    return {name: value for name, value in definition.items() if name not in ("apiVersion", "kind")}


@pytest.fixture
def fake(tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> FakeKubectl:
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    answers: dict[str, JsonValue] = {
        "/openapi/v3": paths(),
        KRO: {"items": [{"metadata": {"labels": {"app.kubernetes.io/version": "v0.9.4"}}}]},
        CRDS: {"items": [item(crd())], "metadata": {"continue": "a=b"}},
        f"{CRDS}&continue=a%3Db": {"items": [item(crd("Gadget"))], "metadata": {}},
        ADDRESS: document(),
    }
    return FakeKubectl(tmp_path / "bin", answers)


def reported(text: str) -> str:
    return re.sub(r"\d{4}-\d\d", "today", text)


def test_the_definitions_of_a_cluster(invoke: Invoke, store: Path, fake: FakeKubectl) -> None:
    result = invoke("kinds", "pull", "--context", "test")
    assert (result.exit_code, result.stderr) == (0, "")
    assert reported(result.stdout) == (
        f"test: Kubernetes 1.36.3, kro 0.9.4\nexample.com     2 kinds  cluster test, today\n2 added in {store}\n"
    )
    assert ADDRESS not in fake.asked, "the definitions say it all"
    assert all(command[0] == "--context=test" for command in fake.commands)
    assert "openapi-v3:" in origin_in((store / "example.com" / "Widget.yaml").read_text()).digest
    assert invoke("kinds", "pull").stdout.endswith(f"2 unchanged in {store}\n"), "the current context"


def test_without_the_right_to_read_definitions(invoke: Invoke, store: Path, fake: FakeKubectl) -> None:
    fake.answers[CRDS] = fake.answers[KRO] = FORBIDDEN
    fake.save()
    result = invoke("kinds", "pull")
    assert result.exit_code == 0
    assert result.stderr == "you may not read CustomResourceDefinitions there; what /openapi/v3 says is used\n"
    assert result.stdout.startswith("test: Kubernetes 1.36.3, no kro is seen\n")
    found = Store(store, {"type": "object"}).find(NAME)
    assert found is not None
    assert (found.plural, found.namespaced, found.subresources) == ("widgets", True, ("status",))
    assert as_object(found.declared_schema)["properties"] == {
        "spec": {"type": "object", "properties": {"size": {"type": "integer", "default": 3}}},
        "metadata": {"type": "object"},
    }


def test_only_groups_that_changed_are_asked_for_again(invoke: Invoke, store: Path, fake: FakeKubectl) -> None:
    fake.answers[CRDS] = FORBIDDEN
    fake.save()
    invoke("kinds", "pull")
    assert fake.asked.count(ADDRESS) == 1
    result = invoke("kinds", "pull")
    assert (result.exit_code, result.stdout.splitlines()[1:]) == (0, ["nothing new"])
    assert fake.asked.count(ADDRESS) == 1
    changed = ADDRESS.replace("AB", "CD")
    fake.answers["/openapi/v3"] = paths(changed)
    fake.answers[changed] = document()
    fake.save()
    assert invoke("kinds", "pull").stdout.endswith(f"1 updated in {store}\n"), "its digest"
    assert changed in fake.asked


def test_a_program_for_credentials_needs_consent(invoke: Invoke, store: Path, fake: FakeKubectl) -> None:
    fake.answers["config"] = config(exec={"command": "aws", "args": ["eks", "get-token"]})
    fake.save()
    result = invoke("kinds", "pull")
    assert (result.exit_code, result.stderr) == (
        2,
        "Error: context 'test': runs 'aws' for its credentials; allow that with --allow-exec\n",
    )
    assert fake.asked == [], "no request that would have run it"
    assert invoke("kinds", "pull", "--allow-exec").exit_code == 0


REFUSED = "dial tcp 127.0.0.1:1: connect: connection refused"
EXPIRED = "tls: failed to verify certificate: x509: certificate has expired or is not yet valid"
NO_CONTEXT = "current-context must exist in order to minify"
LOGIN = "You must be logged in to the server (Unauthorized)"
ADDRESS_ADVICE = "check that the cluster runs, and the address in the kubeconfig"


@pytest.mark.parametrize(
    ("path", "answer", "message"),
    [
        ("config", "error: cannot locate context test", "cannot locate context test"),
        ("config", f"error: {NO_CONTEXT}", f"{NO_CONTEXT}; name a context with --context"),
        ("/version", f"Unable to connect to the server: {REFUSED}", f"{REFUSED}; {ADDRESS_ADVICE}"),
        ("/version", f"E1127 noise\nUnable to connect to the server: {EXPIRED}", f"{EXPIRED}; get a new kubeconfig"),
        ("/version", f"error: {LOGIN}", f"{LOGIN}; log in to the cluster again"),
        ("/openapi/v3", "hang", "no answer within 4 seconds; check the network"),
        ("/openapi/v3", "print <html>", "the answer is no JSON; check the address in the kubeconfig"),
        ("/version", " ", "kubectl failed and does not say why"),
    ],
)
def test_a_cluster_that_does_not_answer(
    invoke: Invoke,
    store: Path,
    fake: FakeKubectl,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    answer: str,
    message: str,
) -> None:
    if answer == "hang":
        monkeypatch.setattr(kubectl, "_LONGEST_SECONDS", 4.0)
    fake.answers[path] = answer
    fake.save()
    result = invoke("kinds", "pull", "--context", "test")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: context 'test': {message}\n"
    assert not store.exists()


def test_without_kubectl(invoke: Invoke, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    result = invoke("kinds", "pull")
    assert (result.exit_code, result.stderr) == (
        2,
        "Error: the current context: kubectl is not installed, or not on the PATH\n",
    )


def test_a_cluster_that_fails_half_way(invoke: Invoke, store: Path, fake: FakeKubectl) -> None:
    fake.answers[f"{CRDS}&continue=a%3Db"] = "Error from server (Expired): The provided continue parameter is too old"
    fake.save()
    result = invoke("kinds", "pull")
    assert result.exit_code == 2
    assert (
        result.stderr
        == "error: context 'test': Error from server (Expired): The provided continue parameter is too old\n"
    )
    assert result.stdout.endswith(f"1 added in {store}\n")
