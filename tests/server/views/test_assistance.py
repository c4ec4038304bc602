"""What the server knows of a text that is typed in a page: an instance, or what the cluster says of an object."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.fixtures.browser import Browser
from tests.fixtures.client import Client
from tests.fixtures.definitions import rgd

URI = "file:///work/rgd.yaml"
TEXT = rgd(
    """
- id: web
  template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: "${schema.spec.name}"}}
""",
    spec="{name: 'string | required=true description=\"What it is called\"', size: integer | maximum=9 default=1}",
)
HEAD = "apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {name: a}\n"
STATUS = {"of": "observed", "apiVersion": "apps/v1", "kind": "Deployment"}


@pytest.fixture(scope="module")
def client() -> Any:
    with Client() as session:
        session.initialize()
        session.open(TEXT, URI)
        yield session


def ask(client: Client, method: str, text: str, **question: object) -> Any:
    """Ask about an instance, or about what `question` says; the position is that of `$0`."""
    before, _, after = text.partition("$0")
    lines = before.split("\n")
    position = {"line": len(lines) - 1, "character": len(lines[-1].encode("utf-16-le")) // 2}
    asked = {"method": method, "of": "instance", "text": before + after, "position": position, **question}
    return client.request("kro-ls/previewAssistance", {"uri": URI, "question": asked})


def labels(answer: Any) -> list[str]:
    return [each["label"] for each in sorted(answer["items"], key=lambda each: each["sortText"])]


def messages(answer: Any) -> list[str]:
    return [each["message"] for each in answer]


def test_fields_of_an_instance_are_completed_by_the_definition_at_hand(client: Client) -> None:
    assert labels(ask(client, "completion", f"{HEAD}spec:\n  $0")) == ["name", "size"]
    assert labels(ask(client, "completion", "$0"))[:4] == ["apiVersion", "kind", "metadata", "spec"]
    items = ask(client, "completion", f"{HEAD}spec:\n  na$0")["items"]
    assert items[0]["textEdit"]["range"]["start"] == {"line": 4, "character": 2}
    described = ask(client, "description", f"{HEAD}spec:\n  na$0", item=items[0])
    assert "What it is called" in described["value"]


def test_keys_of_an_instance_are_hovered(client: Client) -> None:
    found = ask(client, "hover", f"{HEAD}spec:\n  na$0me: x\n")
    assert "What it is called" in found["contents"]["value"]
    assert found["range"]["end"] == {"line": 4, "character": 6}
    assert ask(client, "hover", f"{HEAD}# not$0hing\n") is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{HEAD}spec: {{name: x}}\n", []),
        (f"{HEAD}spec: {{name: x, size: 10}}\n", ["'10' is not allowed; it must be less than or equal to 9"]),
        (f"{HEAD}spec: {{name: 3}}\n", ["'name' must be a string, not an integer"]),
        (f"{HEAD}spec: {{name: x, sise: 1}}\n", ["unknown field 'sise'; did you mean 'size'?"]),
        (
            f"{HEAD.replace('App', 'Nothing')}spec: {{}}\n",
            ["'kind' must be 'App', not 'Nothing', as in all instances of this definition"],
        ),
        (f"{HEAD}spec: [\n", ["expected ',' or ']'; the '[' is never closed"]),
        ("", []),
        ("# nothing yet\n", []),
        ("- a list\n", []),
    ],
)
def test_an_instance_is_checked_by_the_definition_at_hand(client: Client, text: str, found: list[str]) -> None:
    assert messages(ask(client, "diagnostics", text)) == found


def test_diagnostics_bring_their_fixes_along(client: Client) -> None:
    (found,) = ask(client, "diagnostics", f"{HEAD}spec: {{name: x, sise: 1}}\n")
    (fix,) = found["fixes"]
    assert fix["edits"][0]["newText"] == "size"
    assert fix["edits"][0]["range"] == found["range"]


def test_rules_that_were_not_checked_are_no_fault_of_their_own(client: Client) -> None:
    uri = "file:///work/rules.yaml"
    client.open(rgd(spec='{name: \'string | validation="self != \\"x\\""\', size: integer}'), uri)

    def found(spec: str) -> list[str]:
        asked = {"method": "diagnostics", "of": "instance", "text": f"{HEAD}spec: {spec}\n"}
        return messages(client.request("kro-ls/previewAssistance", {"uri": uri, "question": asked}))

    assert found("{name: x, size: 1}") == ["validation failed"]
    assert found("{name: x, size: many}") == ["'size' must be an integer, not a string"]


def test_a_status_is_completed_hovered_and_checked_by_the_kind(client: Client) -> None:
    assert "readyReplicas" in labels(ask(client, "completion", "status:\n  $0", **STATUS))
    assert ask(client, "hover", "status:\n  ready$0Replicas: 1\n", **STATUS)["contents"]["value"]
    found = ask(client, "diagnostics", "status:\n  redyReplicas: 1\n", **STATUS)
    assert messages(found) == ["unknown field 'redyReplicas'; did you mean 'readyReplicas'?"]


def test_positions_count_utf_16_units_whatever_the_editor_counts(client: Client) -> None:
    found = ask(client, "diagnostics", f'{HEAD}spec: {{name: "😀", size: 10}}\n')
    assert found[0]["range"]["start"] == {"line": 3, "character": 25}


@pytest.mark.parametrize("question", [None, {}, {"method": "sing", "of": "instance", "text": ""}, {"method": "hover"}])
def test_a_wrong_question_is_reported(client: Client, question: object) -> None:
    answer = client.exchange("kro-ls/previewAssistance", {"uri": URI, "question": question})
    assert answer["error"]["message"].startswith("kro-ls/previewAssistance: ")


def test_a_text_beyond_any_instance_gets_no_answer(client: Client) -> None:
    assert ask(client, "diagnostics", f"{HEAD}# {'x' * 300_000}") is None


def test_a_page_is_answered_by_number(client: Client) -> None:
    command = {"command": "kro.openPreview", "arguments": [{"uri": URI}]}
    found = client.exchange("workspace/executeCommand", command)
    if "not in this copy" in str(found.get("error")):
        pytest.skip("the views are not built: run scripts/views build")
    browser = Browser(found["result"]["url"])
    with browser.talk(browser.enter()) as page:
        asked = {
            "method": "completion",
            "of": "instance",
            "text": HEAD + "spec: {s",
            "position": {"line": 3, "character": 8},
        }
        for number, question in ((1, asked), (2, {"method": "sing"})):
            page.send(json.dumps({"type": "assist", "number": number, "question": question}))
        answers: dict[int, Any] = {}
        while len(answers) < 2:
            reported = json.loads(page.recv(10))
            if reported["type"] == "assistance":
                answers[reported["number"]] = reported["answer"]
    assert labels(answers[1]) == ["name", "size"]
    assert answers[2] is None
