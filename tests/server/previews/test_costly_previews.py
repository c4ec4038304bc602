"""A preview that takes its whole budget holds up nothing else."""

from __future__ import annotations

import pytest

from tests.fixtures.bombs import DEFINITIONS, EXPRESSIONS, definition_of
from tests.fixtures.client import Client
from tests.fixtures.definitions import rgd_of_config_maps

OTHER = "file:///other.yaml"
TEXT = rgd_of_config_maps(("a", "${schema.spec.name}"))
HOVER = {
    "textDocument": {"uri": OTHER},
    "position": {
        "line": TEXT[: TEXT.index("spec.name")].count("\n"),
        "character": TEXT.split("\n")[-2].index("spec") + 1,
    },
}
BOMBS = {
    "a long search": definition_of(EXPRESSIONS["lastIndexOf again and again"]),
    "loops": definition_of(EXPRESSIONS["lists of maps"]),
    "conditions": DEFINITIONS["conditions"],
}


def begin(client: Client, bomb: str) -> int:
    """Ask for a preview and return the request's id."""
    client.initialize()
    client.open(TEXT, OTHER)
    assert client.request("textDocument/hover", HOVER)
    client.open(BOMBS[bomb])
    arguments = [{"uri": "file:///rgd.yaml", "definition": 0}]
    return client.ask("workspace/executeCommand", {"command": "kro.preview", "arguments": arguments})


@pytest.mark.parametrize("bomb", BOMBS)
def test_another_file_is_answered_meanwhile(bomb: str) -> None:
    with Client() as client:
        preview = begin(client, bomb)
        hovers = [client.ask("textDocument/hover", HOVER) for _ in range(3)]
        answered = [client.wait(lambda message: message.get("id") in {preview, *hovers})["id"] for _ in range(3)]
        assert sorted(answered) == hovers  # one that waits for a preview may be answered after the next
        assert "the preview was stopped after" in str(client.answer_to(preview)["result"])


@pytest.mark.parametrize("bomb", BOMBS)
def test_the_end_of_the_session_does_not_wait(bomb: str) -> None:
    with Client(started=True) as client:
        begin(client, bomb)
        client.request("shutdown")
        client.notify("exit")
        assert client.exit_status() == 0
