"""The request for a graph's data, its notification, and the page in the browser."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from tests.fixtures.browser import Browser
from tests.fixtures.client import Client
from tests.fixtures.definitions import rgd

URI = "file:///rgd.yaml"
TEXT = rgd(
    """
- id: config
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${schema.spec.name}"}
- id: many
  includeWhen: ['${config.metadata.name != "x"}']
  forEach: [{one: '${["a", "b"]}']
  template:
    apiVersion: v1
    kind: Secret
    metadata: {name: "${config.metadata.name}-${one}"}
"""
).replace('\'${["a", "b"]}\']', '\'${["a", "b"]}\'}]')
LINES = TEXT.split("\n")
CAPABILITIES = {"window": {"showDocument": {"support": True}}, "experimental": {"kroGraphChanged": True}}
CHANGED = "kro-ls/graphChanged"


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as client:
        client.initialize(CAPABILITIES)
        client.open(TEXT, URI)
        yield client


def graph(client: Client, **options: object) -> Any:
    return client.request("kro-ls/graph", {"uri": URI, **options})


def edit(client: Client, version: int, text: str) -> None:
    client.change(version, {"text": text}, uri=URI)


def text_at(found: Any) -> str:
    start, end = found["start"], found["end"]
    assert start["line"] == end["line"]
    text: str = LINES[start["line"]][start["character"] : end["character"]]
    return text


def run(client: Client, command: str, argument: object) -> Any:
    return client.request("workspace/executeCommand", {"command": command, "arguments": [argument]})


def test_a_graph_shows_its_nodes(client: Client) -> None:
    found = graph(client)
    assert (found["name"], found["kind"], found["definitions"]) == ("app", "App", ["app"])
    members = ("id", "kind", "type", "pass", "wave", "conditional")
    assert [tuple(each[name] for name in members) for each in found["nodes"]] == [
        ("config", "ConfigMap", "Resource", 1, 1, False),
        ("many", "Secret", "Collection", 2, 2, True),
    ]
    assert [text_at(each["idRange"]) for each in found["nodes"]] == ["config", "many"]
    assert found["criticalPath"] == ["config", "many"]
    assert "fields" not in found
    assert "instance" not in found


def test_an_edge_shows_every_expression_that_causes_it(client: Client) -> None:
    (edge,) = graph(client)["edges"]
    assert (edge["from"], edge["to"], edge["cyclic"], edge["critical"]) == ("many", "config", False, True)
    causes = [(each["reads"], each["path"], each["expression"], text_at(each["range"])) for each in edge["causes"]]
    assert sorted(causes) == [
        ("config.metadata.name", "includeWhen", '${config.metadata.name != "x"}', "config"),
        ("config.metadata.name", "template.metadata.name", "${config.metadata.name}-${one}", "config"),
    ]


def test_fields_of_the_schema_come_when_they_are_asked_for(client: Client) -> None:
    found = graph(client, fields=True)
    (field,) = found["fields"]
    assert (field["path"], field["type"], text_at(field["range"])) == ("spec.name", "string", "name")
    assert [(each["from"], each["to"]) for each in found["fieldEdges"]] == [("config", "spec.name")]


def test_an_instance_comes_when_it_is_asked_for(client: Client) -> None:
    nodes = graph(client, instance=True)["instance"]["nodes"]
    assert [(each["id"], each["state"], each["objects"]) for each in nodes] == [
        ("config", "ready", 1),
        ("many", "ready", 2),
    ]


def test_a_cycle_has_its_edges_marked_and_no_waves(client: Client) -> None:
    edit(client, 2, TEXT.replace("${schema.spec.name}", "${many[0].metadata.name}"))
    found = graph(client)
    assert found["cycles"] == [["config", "many"]]
    assert all(each["cyclic"] for each in found["edges"])
    assert [(each["pass"], each["wave"]) for each in found["nodes"]] == [(None, None), (None, None)]


def test_a_node_shows_what_a_card_shows(client: Client) -> None:
    edit(
        client,
        2,
        TEXT.replace(
            'metadata: {name: "${schema.spec.name}"}', 'metadata: {name: one, namespace: "${schema.spec.name}"}'
        ),
    )
    config, many = graph(client)["nodes"]
    assert (config["apiVersion"], config["namespace"], config["conditions"]) == ("v1", "${schema.spec.name}", {})
    assert (many["namespace"], many["conditions"]) == (None, {"includeWhen": ['config.metadata.name != "x"']})


def test_a_graph_is_compared_with_the_last_commit(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "rgd.yaml"
    uri = file.as_uri()
    file.write_text(TEXT)
    client.open(TEXT, uri)
    outside = graph(client, uri=uri, comparison=True)
    assert outside["comparison"]["message"].startswith("There is nothing to compare with: ")
    assert "not in a git repository" in outside["comparison"]["message"]
    assert all("change" not in each for each in outside["nodes"])
    assert "comparison" not in graph(client, uri=uri)

    other = tmp_path / "other.yaml"
    other.write_text(TEXT)
    commit(tmp_path, "other.yaml")
    client.open(TEXT.replace("kind: Secret", "kind: Service"), other.as_uri())
    found = graph(client, uri=other.as_uri(), comparison=True)
    assert found["comparison"] == {"ref": "HEAD", "message": None}
    config, many = found["nodes"]
    assert "change" not in config
    assert (many["change"], [each for each in many["difference"] if each[0] in "+-"]) == (
        "changed",
        ["-  kind: Secret", "+  kind: Service"],
    )

    (tmp_path / "new.yaml").write_text(TEXT)
    client.open(TEXT, (tmp_path / "new.yaml").as_uri())
    new = graph(client, uri=(tmp_path / "new.yaml").as_uri(), comparison=True)
    assert new["comparison"]["message"] == "new.yaml is not in HEAD: all of it is new."
    assert [each["change"] for each in new["nodes"]] == ["added", "added"]


def commit(folder: Path, *files: str) -> None:
    author = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    for command in (("init", "-q"), ("add", *files), (*author, "commit", "-qm", "first")):
        subprocess.run(["git", *command], cwd=folder, check=True)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({}, "'uri' must be a string"),
        ({"uri": "file:///other.yaml"}, "is not open in the editor"),
        ({"uri": URI, "definition": 1}, "has no definition with the number 1"),
    ],
)
def test_a_wrong_request_says_what_is_wrong(client: Client, params: object, message: str) -> None:
    error = client.exchange("kro-ls/graph", params)["error"]
    assert error["code"] == -32602
    assert message in error["message"]


def test_a_client_that_asked_is_notified_once_of_the_next_edits(client: Client) -> None:
    graph(client)
    edit(client, 2, TEXT + "# a\n")
    assert client.notification(CHANGED) == {"uri": URI}
    edit(client, 3, TEXT + "# b\n")
    assert graph(client)["version"] == 3
    edit(client, 4, TEXT + "# c\n")
    assert client.notification(CHANGED) == {"uri": URI}


def test_who_is_refused_hears_of_the_edit_that_brings_the_graph_back(client: Client) -> None:
    edit(client, 2, TEXT.replace("kind: ResourceGraphDefinition", "kind: ResourceGraphDefiniti"))
    error = client.exchange("kro-ls/graph", {"uri": URI})["error"]
    assert "No definition can be read in the text at the moment" in error["message"]
    edit(client, 3, TEXT)
    assert client.notification(CHANGED) == {"uri": URI}
    assert graph(client)["name"] == "app"


# The page.


@pytest.fixture
def browser(client: Client) -> Browser:
    found = client.exchange("workspace/executeCommand", {"command": "kro.openGraph", "arguments": [{"uri": URI}]})
    if "not in this copy" in str(found.get("error")):
        pytest.skip("the pictures are not built: run scripts/views build")
    shown = client.notification("window/showDocument")
    assert shown == {"uri": found["result"]["url"], "external": True}
    return Browser(found["result"]["url"])


def test_a_page_is_entered_once(browser: Browser) -> None:
    assert browser.get("/open/wrong").status == 403
    page = browser.enter()
    assert browser.get(browser.path).status == 403
    response = browser.get(page)
    assert response.status == 200
    policy = response.getheader("Content-Security-Policy") or ""
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert browser.get(f"{page}view.js").getheader("Content-Type") == "text/javascript; charset=utf-8"
    assert browser.get("/other/").status == 404


def test_without_the_cookie_there_is_nothing(browser: Browser) -> None:
    page = browser.enter()
    browser.cookie = "kro_ls=stolen"
    assert [browser.get(path).status for path in (page, f"{page}view.js", f"{page}live", "/")] == [403] * 4
    with pytest.raises(InvalidStatus, match="403"):
        browser.talk(page)


def test_another_name_for_the_host_is_refused(browser: Browser) -> None:
    page = browser.enter()
    port = browser.host.partition(":")[2]
    for host in (f"localhost:{port}", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port}0"):
        assert browser.get(page, Host=host).status == 403


def test_another_site_cannot_talk_to_the_server(browser: Browser) -> None:
    page = browser.enter()
    port = browser.host.partition(":")[2]
    for origin in ("http://evil.example", f"http://localhost:{port}", f"https://{browser.host}", "null"):
        with pytest.raises(InvalidStatus, match="403"):
            browser.talk(page, origin)


def test_a_page_follows_the_text_and_the_cursor(client: Client, browser: Browser) -> None:
    with browser.talk(browser.enter()) as page:
        page.send(
            json.dumps({"type": "show", "definition": 0, "fields": False, "instance": False, "comparison": False})
        )
        assert json.loads(page.recv(10))["graph"]["version"] == 1
        edit(client, 2, TEXT.replace("kind: Secret", "kind: Service"))
        assert json.loads(page.recv(10))["graph"]["nodes"][1]["kind"] == "Service"
        run(client, "kro.selectInGraph", {"uri": URI, "line": 3, "character": 1})
        assert json.loads(page.recv(10)) == {"type": "cursor", "line": 3, "character": 1}
        place = {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 4}}
        for takes_focus in (False, True):
            page.send(json.dumps({"type": "reveal", "range": place, "takesFocus": takes_focus}))
            shown = {"uri": URI, "takeFocus": takes_focus, "selection": place}
            assert client.notification("window/showDocument") == shown
        page.send(json.dumps({"type": "export", "format": "dot"}))
        assert json.loads(page.recv(10))["text"].startswith("digraph")
        client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        assert json.loads(page.recv(10))["type"] == "gone"


def test_nonsense_of_a_page_does_no_harm(client: Client, browser: Browser) -> None:
    page = browser.enter()
    for nonsense in ("[]", '{"type": "show", "definition": -1, "fields": true, "instance": false}', "{", "\x00"):
        with browser.talk(page) as connection:
            connection.send(nonsense)
    assert graph(client)["name"] == "app"


def test_the_server_ends_while_a_page_is_open(client: Client, browser: Browser) -> None:
    with browser.talk(browser.enter()) as page:
        client.request("shutdown")
        client.notify("exit")
        assert client.exit_status() == 0
        assert len(list(page)) <= 1  # the graph, where it was sent before; then the connection ends
