"""Instances that kubectl printed and that are not ready: the lens, the command and the page that tell why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.features.test_causes import CHILD, DEFINITION, INSTANCE
from tests.fixtures.client import Client
from tests.server.previews.test_instance_previews import Workspace, workspace

WELL = INSTANCE.replace('"False"', '"True"').replace("IN_PROGRESS", "ACTIVE")
MESSAGE = "config reads svc.status.loadBalancer.ingress"


@pytest.fixture
def client() -> Any:
    with Client() as session:
        yield session


def opened(client: Client, folder: Path, instance: str = INSTANCE, children: str = CHILD) -> Workspace:
    found = workspace(client, folder, {"app.yaml": DEFINITION, "i/x.yaml": instance, "i/children.yaml": children})
    found.open("i/x.yaml")
    return found


def titles(found: Workspace) -> list[str]:
    return [each["command"]["title"] for each in found.lenses("i/x.yaml")]


def test_the_lens_of_an_instance_that_is_not_ready_says_why(client: Client, tmp_path: Path) -> None:
    found = opened(client, tmp_path)
    preview, why = found.lenses("i/x.yaml")
    assert preview["command"]["title"] == "Preview this instance"
    assert why["command"]["title"] == "Why is it not ready?"
    answer = found.run(why["command"]["command"], **why["command"]["arguments"][0])
    assert answer["title"] == "x.why.md"
    assert answer["text"].startswith("# App x is IN_PROGRESS\n")
    assert MESSAGE in answer["text"]
    assert "app.yaml#L18" in answer["text"]


def test_what_is_well_or_was_never_in_a_cluster_has_no_such_lens(client: Client, tmp_path: Path) -> None:
    written = "apiVersion: kro.run/v1\nkind: App\nmetadata: {name: y}\nspec: {name: n}\n"
    found = opened(client, tmp_path, f"{WELL}---\n{written}")
    assert titles(found) == ["Preview this instance"] * 2
    assert "Nothing keeps it from going on\n" in found.run("kro.why", uri=found.uri("i/x.yaml"))["text"]
    assert "as far as the file says" in found.run("kro.why", uri=found.uri("i/x.yaml"), item=1)["text"]


def test_the_command_finds_the_first_that_is_not_ready(client: Client, tmp_path: Path) -> None:
    found = opened(client, tmp_path, f"{WELL}---\n{INSTANCE}")
    assert MESSAGE in found.run("kro.why", uri=found.uri("i/x.yaml"))["text"]


def test_without_the_objects_beside_it_the_text_says_what_to_get(client: Client, tmp_path: Path) -> None:
    found = opened(client, tmp_path, children="")
    assert "See also: `kubectl get " in found.run("kro.why", uri=found.uri("i/x.yaml"))["text"]


def test_the_hover_looks_at_files_beside_the_instance(client: Client, tmp_path: Path) -> None:
    found = opened(client, tmp_path)
    place = {"line": INSTANCE.splitlines().index("status:"), "character": 2}
    answer = client.request("textDocument/hover", {"textDocument": {"uri": found.uri("i/x.yaml")}, "position": place})
    assert MESSAGE in answer["contents"]["value"]


def test_a_preview_of_the_instance_has_the_causes(client: Client, tmp_path: Path) -> None:
    found = opened(client, tmp_path)
    uri = found.open("app.yaml")
    found.run("kro.chooseInstance", uri=uri, instance=found.uri("i/x.yaml"))
    (cause,) = client.request("kro-ls/preview", {"uri": uri})["stuck"]
    assert (cause["cause"], cause["node"], cause["range"]["start"]["line"]) == ("never-there", "svc", 17)
    assert MESSAGE in cause["message"]
    edited = {"instance": INSTANCE.replace("name: n", "name: other")}
    assert client.request("kro-ls/preview", {"uri": uri, "scenario": edited})["stuck"] == []


def test_a_wrong_question(client: Client, tmp_path: Path) -> None:
    found = opened(client, tmp_path)
    for argument, text in (
        ({"uri": found.uri("i/x.yaml"), "item": 3}, "has no instance with the number 3, it has 1"),
        ({"uri": found.uri("i/children.yaml")}, "holds no instance of a definition"),
        ({"uri": found.uri("i/x.yaml"), "definition": 0}, "definition"),
    ):
        answer = client.exchange("workspace/executeCommand", {"command": "kro.why", "arguments": [argument]})
        assert text in answer["error"]["message"]


def test_the_document_that_says_why_follows_the_files(client: Client, tmp_path: Path) -> None:
    files = {"app.yaml": DEFINITION, "i/x.yaml": INSTANCE, "i/children.yaml": CHILD}
    can = {"workspace": {"textDocumentContent": {}}, "window": {"showDocument": {"support": True}}}
    found = workspace(client, tmp_path, files, can)
    found.open("i/x.yaml")
    assert MESSAGE in found.run("kro.why", uri=found.uri("i/x.yaml"))["text"]
    asked = client.wait(lambda message: message.get("method") == "window/showDocument")
    client.answer(asked, {"success": True})
    shown = {"uri": asked["params"]["uri"]}
    reported = client.request("workspace/textDocumentContent", shown)["text"]
    assert MESSAGE in reported
    assert "at app.yaml, line 18" in reported, "views of Markdown show links to files as they are written"
    client.change(2, {"text": WELL}, uri=found.uri("i/x.yaml"))
    assert client.notification("workspace/textDocumentContent/refresh") == shown
    text = client.request("workspace/textDocumentContent", shown)["text"]
    assert "Nothing keeps it from going on" in text
