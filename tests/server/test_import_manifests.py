"""`kro.importManifests`: the client is asked to add the resources to the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.fixtures.client import Client
from tests.fixtures.definitions import rgd
from tests.fixtures.manifests import SERVICE, nodes_of

if TYPE_CHECKING:
    from pathlib import Path

URI = "file:///rgd.yaml"
DEFINITION = rgd("- id: a\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n")


def _asked(client: Client, **arguments: object) -> int:
    params = {"command": "kro.importManifests", "arguments": [{"uri": URI, **arguments}]}
    return client.ask("workspace/executeCommand", params)


def _applied(client: Client) -> str:
    request = client.wait(lambda message: message.get("method") == "workspace/applyEdit")
    (edit,) = request["params"]["edit"]["changes"][URI]
    client.answer(request, {"applied": True})
    lines = DEFINITION.splitlines(keepends=True)
    line = edit["range"]["start"]["line"]
    assert edit["range"]["start"] == edit["range"]["end"] == {"line": line, "character": 0}
    return "".join([*lines[:line], edit["newText"], *lines[line:]])


def test_the_objects_become_resources() -> None:
    with Client() as client:
        client.initialize({})
        client.open(DEFINITION, URI)
        asked = _asked(client, text=SERVICE)
        assert list(nodes_of(_applied(client))) == ["a", "service"]
        assert client.answer_to(asked)["result"] == {"ids": ["service"]}


def test_manifests_may_be_a_file_of_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "service.yaml").write_text(SERVICE, encoding="utf-8")
    with Client() as client:
        client.initialize({}, rootUri=tmp_path.as_uri())
        client.open(DEFINITION, URI)
        asked = _asked(client, manifests=(tmp_path / "service.yaml").as_uri())
        assert "service" in nodes_of(_applied(client))
        assert client.answer_to(asked)["result"] == {"ids": ["service"]}
        outside = _asked(client, manifests=(tmp_path.parent / "service.yaml").as_uri())
        assert "is neither open nor a file in a folder" in client.answer_to(outside)["error"]["message"]


def test_an_edit_that_is_refused_is_reported() -> None:
    with Client() as client:
        client.initialize({})
        client.open(DEFINITION, URI)
        asked = _asked(client, text=SERVICE)
        request = client.wait(lambda message: message.get("method") == "workspace/applyEdit")
        client.answer(request, {"applied": False, "failureReason": "the file is read-only"})
        assert "did not change the text: the file is read-only" in client.answer_to(asked)["error"]["message"]


def test_a_client_that_cannot_edit_is_told_so() -> None:
    with Client() as client:
        client.initialize({})
        client.open(DEFINITION, URI)
        asked = _asked(client, text=SERVICE)
        request = client.wait(lambda message: message.get("method") == "workspace/applyEdit")
        client.refuse(request, "no such method")
        assert "did not change the text: no such method" in client.answer_to(asked)["error"]["message"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give the manifests as a 'text'"),
        ({"text": "a", "manifests": URI}, "give the manifests as a 'text'"),
        ({"text": "a: b"}, "there are no Kubernetes objects"),
        ({"text": "a: [b"}, "the manifests: "),
        ({"text": "{{ if .x }}"}, "let Helm render it first"),
        ({"text": SERVICE, "definition": 1}, "has no definition with the number 1"),
        ({"text": SERVICE, "uri": "file:///gone.yaml"}, "is not open in the editor"),
        ({"text": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"}, "creates already"),
    ],
)
def test_what_cannot_be_imported_is_reported(arguments: dict[str, Any], message: str) -> None:
    with Client() as client:
        client.initialize({})
        client.open(DEFINITION, URI)
        assert message in client.answer_to(_asked(client, **arguments))["error"]["message"]
