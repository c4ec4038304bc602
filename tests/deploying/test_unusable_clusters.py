"""Messages about a cluster that cannot be used or answers wrongly; `tests/cluster` has a real one."""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from kro_ls.deploying import DeploymentError, Direct, Kro, Strategy
from tests.deploying.played_server import PlayedServer, kubeconfig

pytest.importorskip("kubernetes")

DEFINITION = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: one}
spec:
  schema: {apiVersion: v1alpha1, kind: One, spec: {size: integer}}
  resources:
    - id: settings
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.metadata.name}"}
"""
INSTANCE: Any = {"metadata": {"name": "one"}, "spec": {"size": 1}}


def error_of(strategy: Strategy, definition: Any = DEFINITION, instance: Any = INSTANCE) -> str:
    """Return why a deployment fails."""
    run = strategy.deploy(definition, instance)
    with pytest.raises(DeploymentError) as raised:
        list(run)
    assert run.outcome.error == str(raised.value)
    assert not run.outcome.succeeded
    return str(raised.value)


@pytest.mark.parametrize("strategy", [Direct, Kro])
def test_a_missing_kubeconfig(strategy: type[Strategy], tmp_path: Path) -> None:
    error = error_of(strategy(kubeconfig=tmp_path / "none"))
    assert "name a context of your kubeconfig" in error


def test_a_client_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kubernetes", None)
    error = error_of(Direct())
    assert error == (
        "the current context: the package kubernetes is not installed; the extra 'deploy' of kro-ls brings it"
    )


def test_a_context_that_is_not_there(tmp_path: Path) -> None:
    error = error_of(Direct("there", kubeconfig=kubeconfig(tmp_path, 1)))
    assert error.startswith("context 'there': ")


def test_a_cluster_that_does_not_run(tmp_path: Path, no_pause: None) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nothing listens
        port = taken.getsockname()[1]
        error = error_of(Direct(kubeconfig=kubeconfig(tmp_path, port)))
    assert "the connection is refused" in error
    assert f"check that the cluster of context 'here' runs at http://127.0.0.1:{port}" in error


def test_a_cluster_that_hangs(tmp_path: Path, no_pause: None) -> None:
    with socket.create_server(("127.0.0.1", 0)) as hanging:  # accepts, and never answers
        path = kubeconfig(tmp_path, hanging.getsockname()[1])
        error = error_of(Direct(kubeconfig=path, request_timeout=0.1))
    assert "no answer within 0.1 seconds" in error


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeat requests at once if nothing answers."""
    monkeypatch.setattr("time.sleep", lambda _: None)


@pytest.mark.parametrize(
    ("code", "answer", "reported"),
    [
        (401, {"message": "Unauthorized"}, "log in to the cluster again"),
        (403, {"message": 'User "me" cannot patch'}, "ask for the permission"),
        (422, {"message": "spec.x: Required value"}, "the API server says: spec.x: Required value"),
        (503, {"message": "overloaded"}, "try again later"),
        (500, b"<html>", "HTTP status 500"),
        (200, b"<html>", "the answer is no JSON; check the address in the kubeconfig"),
        (
            409,
            {
                "message": "Apply failed",
                "details": {
                    "causes": [
                        {
                            "reason": "FieldManagerConflict",
                            "message": 'conflict with "helm" using v1',
                            "field": ".data.a",
                        }
                    ]
                },
            },
            "field manager 'helm' owns data.a; leave these fields to it, or take them over with force=True",
        ),
    ],
)
def test_what_a_refusal_means(
    server: PlayedServer, tmp_path: Path, no_pause: None, code: int, answer: object, reported: str
) -> None:
    server.code, server.answer = code, answer
    error = error_of(Direct(kubeconfig=kubeconfig(tmp_path, server.server_port)))
    assert error.startswith("cannot apply ConfigMap team/one")
    assert reported in error


def test_a_cluster_without_kro(server: PlayedServer, tmp_path: Path) -> None:
    error = error_of(Kro(kubeconfig=kubeconfig(tmp_path, server.server_port)))
    assert "does not know ResourceGraphDefinition: install kro there, or deploy with Direct" in error


def test_a_definition_that_kro_refuses(server: PlayedServer, tmp_path: Path) -> None:
    faulty = DEFINITION.replace("schema.metadata.name", "schema.metadata.nam")
    error = error_of(Direct(kubeconfig=kubeconfig(tmp_path, server.server_port)), faulty)
    assert error.splitlines()[0] == "kro refuses this: 1 error"
    assert error.splitlines()[1].startswith("  line 11: ")


@pytest.mark.parametrize(
    ("instance", "reported"),
    [
        ({"metadata": {"name": "one"}, "spec": {"size": "big"}}, "spec.size"),
        ({"spec": {"size": 1}}, "the instance has no name; write metadata.name"),
        ({"kind": "Two", "metadata": {"name": "one"}}, "must be 'One', not 'Two'"),
    ],
)
def test_an_instance_that_is_refused(server: PlayedServer, tmp_path: Path, instance: Any, reported: str) -> None:
    assert reported in error_of(Direct(kubeconfig=kubeconfig(tmp_path, server.server_port)), DEFINITION, instance)


def test_what_is_no_definition(server: PlayedServer, tmp_path: Path) -> None:
    direct = Direct(kubeconfig=kubeconfig(tmp_path, server.server_port))
    assert "no ResourceGraphDefinition" in error_of(direct, "a: 1")
    assert "cannot be read" in error_of(direct, tmp_path / "none.yaml")
