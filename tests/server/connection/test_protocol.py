"""The server as a client sees it: handshake, synchronisation, diagnostics, settings, the end."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from tests.fixtures.client import SECONDS, Client, Message
from tests.fixtures.definitions import rgd, rgd_around

BROKEN = rgd(
    """
- id: config
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${shema.metadata.name}"}
"""
)
WORD = "shema"
CLUSTER = rgd_around("schema:\n  apiVersion: v1\n  kind: App\n  scope: Cluster\n  spec: {}\n")
LINE = next(number for number, line in enumerate(BROKEN.split("\n")) if WORD in line)
COLUMN = BROKEN.split("\n")[LINE].index(WORD)

FULL_PULL = {
    "textDocument": {"diagnostic": {"dynamicRegistration": False}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}


def a_range(line: int, start: int, end: int) -> Message:
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}


def codes(published: Any) -> list[str]:
    return [each["code"] for each in published["diagnostics"]]


def test_the_handshake_says_what_the_server_can() -> None:
    with Client() as client:
        result = client.initialize()
        capabilities = result["capabilities"]
        assert result["serverInfo"]["name"] == "kro-ls"
        assert capabilities["textDocumentSync"]["change"] == 2
        assert capabilities["positionEncoding"] == "utf-16"
        for provider in ("hover", "completion", "definition", "references", "documentHighlight", "documentSymbol"):
            assert capabilities[f"{provider}Provider"], provider
        assert "diagnosticProvider" not in capabilities


def test_diagnostics_are_pushed_with_the_version_and_follow_edits() -> None:
    with Client() as client:
        client.initialize()
        client.open(BROKEN, version=7)
        published = client.notification("textDocument/publishDiagnostics")
        assert (published["version"], codes(published)) == (7, ["unresolved-reference"])
        assert published["diagnostics"][0]["range"] == a_range(LINE, COLUMN, COLUMN + len(WORD))
        client.change(8, {"range": a_range(LINE, COLUMN, COLUMN + 2), "text": "sch"})
        published = client.notification("textDocument/publishDiagnostics")
        assert (published["version"], codes(published)) == (8, [])


def test_edits_of_one_message_count_one_after_another() -> None:
    with Client() as client:
        client.initialize()
        client.open("")
        client.change(
            2,
            {"text": "x"},
            {"text": BROKEN},
            {"range": a_range(LINE, COLUMN, COLUMN + 1), "text": "S"},
            {"range": a_range(LINE, COLUMN, COLUMN + 1), "text": "s"},
        )
        published = client.notification("textDocument/publishDiagnostics")
        assert (published["version"], codes(published)) == (2, ["unresolved-reference"])


def test_a_burst_of_edits_is_answered_for_the_last() -> None:
    with Client() as client:
        client.initialize()
        client.open(BROKEN)
        client.notification("textDocument/publishDiagnostics")
        for version in range(2, 20):
            client.change(version, {"range": a_range(LINE, COLUMN, COLUMN), "text": "x"})
        versions = [client.notification("textDocument/publishDiagnostics")["version"]]
        while versions[-1] != 19:
            versions.append(client.notification("textDocument/publishDiagnostics")["version"])
        assert versions == sorted(versions)


@pytest.mark.parametrize(("encoding", "units"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_columns_count_in_the_agreed_encoding(encoding: str, units: int) -> None:
    with Client() as client:
        result = client.initialize({"general": {"positionEncodings": [encoding]}})
        assert result["capabilities"]["positionEncoding"] == encoding
        client.open(BROKEN.replace('"${shema', "\"${'\U0001f600' + shema"))
        published = client.notification("textDocument/publishDiagnostics")
        start = COLUMN + len("'' + ") + units
        assert published["diagnostics"][0]["range"] == a_range(LINE, start, start + len(WORD))
        client.change(2, {"range": a_range(LINE, start, start + 2), "text": "sch"})
        assert codes(client.notification("textDocument/publishDiagnostics")) == []


def test_a_client_that_pulls_gets_nothing_pushed() -> None:
    with Client() as client:
        capabilities = client.initialize(FULL_PULL)["capabilities"]
        assert capabilities["diagnosticProvider"]
        client.open(BROKEN)
        document = {"textDocument": {"uri": "file:///rgd.yaml"}}
        report = client.request("textDocument/diagnostic", document)
        assert [each["code"] for each in report["items"]] == ["unresolved-reference"]
        again = client.request("textDocument/diagnostic", document | {"previousResultId": report["resultId"]})
        assert again["kind"] == "unchanged"
        assert client.kept("textDocument/publishDiagnostics") == []


def test_only_yaml_that_holds_an_rgd_is_touched() -> None:
    with Client() as client:
        client.initialize()
        client.open("a: [1\n", uri="file:///other.yaml")
        assert client.request("textDocument/documentSymbol", {"textDocument": {"uri": "file:///other.yaml"}}) == []
        client.open(BROKEN)
        assert client.notification("textDocument/publishDiagnostics")["uri"] == "file:///rgd.yaml"


def test_closing_takes_the_diagnostics_back() -> None:
    with Client() as client:
        client.initialize()
        client.open(BROKEN)
        client.notification("textDocument/publishDiagnostics")
        client.notify("textDocument/didClose", {"textDocument": {"uri": "file:///rgd.yaml"}})
        assert codes(client.notification("textDocument/publishDiagnostics")) == []


def test_initialization_options_set_severities() -> None:
    with Client() as client:
        client.initialize(initializationOptions={"severity": {"unresolved-reference": "hint"}})
        client.open(BROKEN)
        assert client.notification("textDocument/publishDiagnostics")["diagnostics"][0]["severity"] == 4


def test_settings_are_asked_for_and_asked_again_when_they_change() -> None:
    with Client() as client:
        client.initialize({"workspace": {"configuration": True}})
        asked = client.wait(lambda message: message.get("method") == "workspace/configuration")
        assert asked["params"]["items"] == [{"section": "kro"}]
        client.answer(asked, [{"severity": {"unresolved-reference": "off"}}])
        client.open(BROKEN)
        assert codes(client.notification("textDocument/publishDiagnostics")) == []
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        client.answer(client.wait(lambda message: message.get("method") == "workspace/configuration"), [{}])
        assert codes(client.notification("textDocument/publishDiagnostics")) == ["unresolved-reference"]


def test_the_version_of_kro_is_a_setting_or_stands_in_a_file_and_can_change(tmp_path: Path) -> None:
    (tmp_path / ".kro-ls.yaml").write_text("version: 0.8.5\n")
    (tmp_path / "app.yaml").write_text(CLUSTER)
    uri = (tmp_path / "app.yaml").as_uri()
    with Client() as client:
        client.initialize()
        client.open(CLUSTER, uri)
        assert codes(client.notification("textDocument/publishDiagnostics")) == ["newer-kro-needed"]
        (tmp_path / ".kro-ls.yaml").write_text("version: 0.9.0\n")
        changes = [{"uri": (tmp_path / ".kro-ls.yaml").as_uri(), "type": 2}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        assert codes(client.notification("textDocument/publishDiagnostics")) == []
        client.notify("workspace/didChangeConfiguration", {"settings": {"kro": {"version": "0.8.5"}}})
        assert codes(client.notification("textDocument/publishDiagnostics")) == ["newer-kro-needed"]
        client.notify("workspace/didChangeConfiguration", {"settings": {"kro": {"version": "1.0"}}})
        assert "unknown version of kro '1.0'" in client.notification("window/showMessage")["message"]


def test_wrong_settings_are_reported_to_the_user_and_the_rest_is_used() -> None:
    options = {
        "severity": {"unresolved-reference": "warning", "no-such-rule": "off"},
        "featureGates": {"NoSuchGate": True},
    }
    with Client() as client:
        client.initialize(initializationOptions={"kro": options})
        client.open(BROKEN)
        messages = [client.notification("window/showMessage")["message"] for _ in range(2)]
        assert any("no-such-rule" in message for message in messages)
        assert any("unknown feature gate 'NoSuchGate'" in message for message in messages)
        assert client.notification("textDocument/publishDiagnostics")["diagnostics"][0]["severity"] == 2


def test_broken_crds_are_reported_and_follow_edits() -> None:
    with Client() as client:
        client.initialize()
        client.open("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n")
        assert codes(client.notification("textDocument/publishDiagnostics")) == ["broken-crd"]
        client.change(2, {"text": "apiVersion: v1\nkind: ConfigMap\n"})
        published = client.notification("textDocument/publishDiagnostics")
        while published["version"] != 2:
            published = client.notification("textDocument/publishDiagnostics")
        assert codes(published) == []


def test_quick_fixes_are_offered_where_the_fault_is() -> None:
    with Client() as client:
        client.initialize()
        client.open(BROKEN)
        params = {"textDocument": {"uri": "file:///rgd.yaml"}, "context": {"diagnostics": []}}
        at_fault = params | {"range": a_range(LINE, COLUMN, COLUMN)}
        fixes_only = at_fault | {"context": {"diagnostics": [], "only": ["quickfix"]}}
        action, silence = client.request("textDocument/codeAction", fixes_only)
        changes_only = at_fault | {"context": {"diagnostics": [], "only": ["refactor"]}}
        changes = client.request("textDocument/codeAction", changes_only)
        assert changes
        assert all(each["kind"].startswith("refactor") for each in changes)
        found = client.request("textDocument/codeAction", at_fault)
        assert [each for each in found if each["kind"] != "source"] == [action, silence, *changes]
        assert action["edit"]["changes"]["file:///rgd.yaml"][0]["newText"] == "schema"
        assert "ignore[unresolved-reference]" in silence["edit"]["changes"]["file:///rgd.yaml"][0]["newText"]
        elsewhere = client.request("textDocument/codeAction", params | {"range": a_range(0, 0, 0)})
        assert {each["kind"] for each in elsewhere} == {"source"}


def test_a_hover_does_not_wait_for_the_fixes_of_a_large_selection() -> None:
    fault = BROKEN[BROKEN.index("    - id") :]
    text = BROKEN + "".join(fault.replace("config", f"config{number}") for number in range(20))
    with Client() as client:
        client.initialize()
        client.open(text)
        at_first = {"textDocument": {"uri": "file:///rgd.yaml"}, "position": {"line": 0, "character": 2}}
        client.request("textDocument/hover", at_first)
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n"), "character": 0}}
        context = {"diagnostics": [], "only": ["quickfix"]}
        params = {"textDocument": {"uri": "file:///rgd.yaml"}, "range": everything, "context": context}
        asked = client.ask("textDocument/codeAction", params), client.ask("textDocument/hover", at_first)
        first = client.wait(lambda message: message.get("id") in asked)
        assert first["id"] == asked[1]
        assert client.answer_to(asked[0])["result"]


def test_a_refused_rename_says_why() -> None:
    with Client() as client:
        client.initialize()
        client.open(BROKEN)
        where = {"textDocument": {"uri": "file:///rgd.yaml"}, "position": {"line": LINE - 4, "character": 12}}
        answer = client.exchange("textDocument/rename", where | {"newName": "my-config"})
        assert "lower camel case" in answer["error"]["message"]


def test_the_end_as_the_specification_says() -> None:
    with Client(started=True) as client:
        client.initialize()
        assert client.request("shutdown") is None
        where = {"textDocument": {"uri": "file:///rgd.yaml"}, "position": {"line": 0, "character": 0}}
        assert client.exchange("textDocument/hover", where)["error"]["code"] == -32600
        client.notify("exit")
        assert client.exit_status() == 0


def test_exit_without_shutdown_is_a_failure() -> None:
    with Client(started=True) as client:
        client.initialize()
        client.notify("exit")
        assert client.exit_status() == 1


def test_requests_before_initialize_are_refused() -> None:
    with Client() as client:
        assert client.exchange("shutdown")["error"]["code"] == -32002
        client.initialize()
        assert client.exchange("initialize", {"processId": None, "capabilities": {}})["error"]["code"] == -32600


def test_the_server_ends_when_its_client_dies() -> None:
    with Client(started=True) as client:
        client.initialize()
        client.close_input()
        assert client.exit_status() == 1


def test_messages_that_make_no_sense_leave_the_server_alive() -> None:
    with Client() as client:
        client.initialize()
        client.notify(
            "textDocument/didChange", {"textDocument": {"uri": "file:///no.yaml", "version": 1}, "contentChanges": []}
        )
        assert client.exchange("no/such/method")["error"]["code"] == -32601
        assert client.exchange("textDocument/hover", {"position": 7})["error"]["code"] == -32602
        where = {"textDocument": {"uri": "file:///no.yaml"}, "position": {"line": 9, "character": 9}}
        assert client.request("textDocument/hover", where) is None
        client.open(BROKEN)
        assert client.notification("textDocument/publishDiagnostics")["version"] == 1


CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: buckets.example.com}
spec:
  group: example.com
  names: {kind: Bucket, plural: buckets}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {FIELD: {type: string}}}}}}
"""

BUCKET = rgd(
    """
- id: bucket
  template:
    apiVersion: example.com/v1
    kind: Bucket
    metadata: {name: x}
    spec: {region: eu}
"""
)


def test_custom_kinds_of_the_workspace_are_known_and_followed(tmp_path: Path) -> None:
    crd = tmp_path / "crds" / "bucket.yaml"
    crd.parent.mkdir()
    crd.write_text(CRD.replace("FIELD", "region"), encoding="utf-8")
    folder = {"uri": tmp_path.as_uri(), "name": "w"}
    with Client() as client:
        client.initialize(workspaceFolders=[folder], initializationOptions={"severity": {"unknown-kind": "error"}})
        client.open(BUCKET)
        assert codes(client.notification("textDocument/publishDiagnostics")) == []
        crd.write_text(CRD.replace("FIELD", "zone"), encoding="utf-8")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": crd.as_uri(), "type": 2}]})
        assert codes(client.notification("textDocument/publishDiagnostics")) == ["unknown-template-field"]
        client.open(CRD.replace("FIELD", "region"), uri=crd.as_uri())
        published = client.wait(lambda message: "rgd.yaml" in str(message.get("params", {}).get("uri")))
        assert codes(published["params"]) == []


@pytest.mark.parametrize("transport", ["tcp", "ws"])
def test_other_transports(transport: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "kro_ls", "serve", f"--{transport}", str(port)],
        stderr=subprocess.PIPE,
    )
    try:
        params: Message = {"processId": None, "rootUri": None, "capabilities": {}}
        request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
        answer = (ask_over_tcp if transport == "tcp" else ask_over_websocket)(port, json.dumps(request))
        assert answer["result"]["serverInfo"]["name"] == "kro-ls"
    finally:
        server.kill()
        server.communicate()


def connected(port: int) -> socket.socket:
    """Connect to a server that is about to listen."""
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        except ConnectionRefusedError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def ask_over_tcp(port: int, request: str) -> Message:
    with connected(port) as connection, connection.makefile("rwb") as stream:
        stream.write(f"Content-Length: {len(request)}\r\n\r\n{request}".encode())
        stream.flush()
        length = int(stream.readline().partition(b":")[2])
        while stream.readline().strip():
            continue
        answer: Message = json.loads(stream.read(length))
        return answer


def ask_over_websocket(port: int, request: str) -> Message:
    connected(port).close()
    with connect(f"ws://127.0.0.1:{port}", open_timeout=SECONDS) as connection:
        connection.send(request)
        answer: Message = json.loads(connection.recv(timeout=SECONDS))
        return answer
