"""Completion, signature help and inlay hints as a client sees them."""

from __future__ import annotations

from typing import Any

from tests.fixtures.client import Client, Message
from tests.fixtures.definitions import rgd

URI = "file:///rgd.yaml"
TEXT = rgd(
    """
- id: web
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: "${schema.spec.name}"}
- id: config
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${web.metadata.name.substring(1, 2)}
""",
    status="replicas: ${web.status.replicas}",
)
LINES = TEXT.split("\n")
LINE = next(number for number, line in enumerate(LINES) if "substring" in line)
ALL = {"start": {"line": 0, "character": 0}, "end": {"line": len(LINES), "character": 0}}


def after(text: str) -> Message:
    """Return the parameters of a request right after a text in the expression's line."""
    position = {"line": LINE, "character": LINES[LINE].index(text) + len(text)}
    return {"textDocument": {"uri": URI}, "position": position}


def hints(client: Client) -> list[str]:
    answer = client.request("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": ALL})
    return [hint["label"] for hint in answer]


def offsets(supported: bool) -> Message:
    information = {"signatureInformation": {"parameterInformation": {"labelOffsetSupport": supported}}}
    return {"textDocument": {"signatureHelp": information}}


def test_the_handshake_shows_the_triggers() -> None:
    with Client() as client:
        capabilities = client.initialize()["capabilities"]
        assert capabilities["signatureHelpProvider"]["triggerCharacters"] == ["(", ","]
        assert capabilities["inlayHintProvider"]
        assert {".", "$"} <= set(capabilities["completionProvider"]["triggerCharacters"])
        assert capabilities["completionProvider"]["resolveProvider"]


def test_a_completed_field_is_described_when_asked() -> None:
    with Client() as client:
        client.initialize()
        client.open(TEXT)
        answer = client.request("textDocument/completion", after("web."))
        assert answer["isIncomplete"], "a name that is typed to its end gets nothing more"
        item: Any = next(each for each in answer["items"] if each["label"] == "status")
        assert (item["detail"], "documentation" in item) == ("Deployment.status", False)
        assert "status" in client.request("completionItem/resolve", item)["documentation"]["value"]


def test_signature_help() -> None:
    for supported, label in ((True, [29, 37]), (False, "end: int")):
        with Client() as client:
            client.initialize(offsets(supported))
            client.open(TEXT)
            answer = client.request("textDocument/signatureHelp", after("substring(1,"))
            signature = answer["signatures"][answer["activeSignature"]]
            assert signature["label"] == "string.substring(start: int, end: int) -> string"
            assert signature["parameters"][answer["activeParameter"]]["label"] == label
            assert client.request("textDocument/signatureHelp", after("${web")) is None


def test_inlay_hints_follow_the_settings() -> None:
    with Client() as client:
        client.initialize({"workspace": {"inlayHint": {"refreshSupport": True}}})
        client.open(TEXT)
        assert hints(client) == ["→ int"]
        client.notify("workspace/didChangeConfiguration", {"settings": {"kro": {"inlayHints": {"statusTypes": False}}}})
        client.wait(lambda message: message.get("method") == "workspace/inlayHint/refresh")
        assert hints(client) == []


def test_a_wrong_setting_of_inlay_hints_is_reported() -> None:
    with Client() as client:
        client.initialize(initializationOptions={"inlayHints": {"statusTypes": "no"}})
        client.open(TEXT)
        assert "kro.inlayHints.statusTypes" in client.notification("window/showMessage")["message"]
        assert hints(client) == ["→ int"]
