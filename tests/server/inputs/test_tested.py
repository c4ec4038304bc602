"""An open test file follows the definition that it tests, on disk and while that is edited."""

from __future__ import annotations

from pathlib import Path

from tests.fixtures.client import Client, Message
from tests.fixtures.definitions import rgd

DEFINITION = rgd("- id: ingress\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")
TESTS = "definition: app.yaml\ntests:\n  - name: a\n    expect: {stat: ACTIVE, nodes: {ingres: ready}}\n"


def wait_for_messages(client: Client, uri: str, *parts: str) -> None:
    """Wait until the diagnostics of a file are as many as the parts, each in the message of one."""

    def wanted(message: Message) -> bool:
        if message.get("method") != "textDocument/publishDiagnostics" or message["params"]["uri"] != uri:
            return False
        found = sorted(each["message"] for each in message["params"]["diagnostics"])
        return len(found) == len(parts) and all(part in each for part, each in zip(sorted(parts), found, strict=True))

    client.wait(wanted)


def test_a_test_file_follows_its_definition(tmp_path: Path) -> None:
    definition, tests = tmp_path / "app.yaml", tmp_path / "app.test.yaml"
    definition.write_text(DEFINITION, encoding="utf-8")
    tests.write_text(TESTS, encoding="utf-8")
    with Client() as client:
        client.initialize(rootUri=tmp_path.as_uri())
        client.open(TESTS, tests.as_uri())
        wait_for_messages(client, tests.as_uri(), "unknown key 'stat'", "unknown node 'ingres'")
        client.open(DEFINITION, definition.as_uri())
        client.change(2, {"text": DEFINITION.replace("ingress", "ingres")}, uri=definition.as_uri())
        wait_for_messages(client, tests.as_uri(), "unknown key 'stat'")
        client.change(2, {"text": TESTS.replace("app.yaml", "none.yaml")}, uri=tests.as_uri())
        wait_for_messages(client, tests.as_uri(), "there is no file none.yaml", "unknown key 'stat'")


def test_a_failing_test_is_updated_by_an_action_as_the_definition_is_now(tmp_path: Path) -> None:
    definition, tests = tmp_path / "app.yaml", tmp_path / "app.test.yaml"
    definition.write_text(DEFINITION, encoding="utf-8")
    content = "definition: app.yaml\ntests:\n  - name: a\n    expect: {objects: {ingress: {metadata: {name: b}}}}\n"
    tests.write_text(content, encoding="utf-8")
    place = {"line": 3, "character": content.splitlines()[3].index("b}")}
    asked = {
        "textDocument": {"uri": tests.as_uri()},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": [], "only": ["quickfix"]},
    }
    end = {"line": 3, "character": place["character"] + 1}
    with Client() as client:
        client.initialize(rootUri=tmp_path.as_uri())
        client.open(content, tests.as_uri())
        wait_for_messages(client, tests.as_uri(), 'expected "b", found "a"')
        one, whole, silence = client.request("textDocument/codeAction", asked)
        assert silence["title"].startswith("Silence failing-test")
        assert (one["title"], whole["kind"]) == ("Update the expected value to a", "quickfix.updateTest")
        assert one["edit"] == whole["edit"]
        assert one["edit"]["changes"] == {tests.as_uri(): [{"range": {"start": place, "end": end}, "newText": "a"}]}
        only = asked | {"context": {"diagnostics": [], "only": [whole["kind"]]}}
        assert [each["title"] for each in client.request("textDocument/codeAction", only)] == [whole["title"]]
        client.open(DEFINITION, definition.as_uri())
        client.change(2, {"text": DEFINITION.replace("name: a}}", "name: c}}")}, uri=definition.as_uri())
        wait_for_messages(client, tests.as_uri(), 'expected "b", found "c"')
        one, *_ = client.request("textDocument/codeAction", asked)
        assert one["title"] == "Update the expected value to c"
        client.forget()
        client.change(3, {"text": DEFINITION.replace("name: a}}", "name: b}}")}, uri=definition.as_uri())
        wait_for_messages(client, tests.as_uri())
        assert client.request("textDocument/codeAction", asked) == []


FAILING = "definition: app.yaml\ntests:\n  - name: a\n    expect: {objects: {ingress: {metadata: {name: a}}}}\n"


def test_an_open_test_fails_as_its_definition_is_typed(tmp_path: Path) -> None:
    """kro's refusals of a half-typed definition are not reported while a user types, and remove nothing."""
    definition, tests = tmp_path / "app.yaml", tmp_path / "app.test.yaml"
    definition.write_text(DEFINITION, encoding="utf-8")
    tests.write_text(FAILING, encoding="utf-8")
    with Client() as client:
        client.initialize(rootUri=tmp_path.as_uri())
        client.open(FAILING, tests.as_uri())
        client.open(DEFINITION, definition.as_uri())
        other = DEFINITION.replace("name: a}}", "name: b}}")
        client.change(2, {"text": other}, uri=definition.as_uri())
        wait_for_messages(client, tests.as_uri(), 'expected "a", found "b"')
        client.change(3, {"text": other.replace("kind: ConfigMap", "kind: ")}, uri=definition.as_uri())
        client.change(4, {"text": DEFINITION.replace("name: a}}", "name: c}}")}, uri=definition.as_uri())
        wait_for_messages(client, tests.as_uri(), 'expected "a", found "c"')
        client.forget()
        client.change(5, {"text": DEFINITION}, uri=definition.as_uri())
        wait_for_messages(client, tests.as_uri())
        client.change(6, {"text": DEFINITION.replace("kind: ConfigMap", "kind: ")}, uri=definition.as_uri())
        wait_for_messages(client, tests.as_uri(), "kro refuses this")


def test_a_closed_test_fails_as_its_open_definition_is_typed(tmp_path: Path) -> None:
    definition, tests = tmp_path / "app.yaml", tmp_path / "app.test.yaml"
    definition.write_text(DEFINITION.replace("name: a}}", "name: b}}"), encoding="utf-8")
    tests.write_text(FAILING, encoding="utf-8")
    with Client() as client:
        client.initialize(rootUri=tmp_path.as_uri())
        client.open(definition.read_text(encoding="utf-8"), definition.as_uri())
        wait_for_messages(client, tests.as_uri(), 'expected "a", found "b"')
        client.forget()
        client.change(2, {"text": DEFINITION}, uri=definition.as_uri())
        wait_for_messages(client, tests.as_uri())
