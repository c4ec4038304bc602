"""What a client sees of the reading of a workspace, and how it is called off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.fixtures.client import Client
from tests.fixtures.definitions import rgd

SHOWN = {"window": {"workDoneProgress": True}}
CREATE = "window/workDoneProgress/create"


def is_creation(message: dict[str, Any]) -> bool:
    return message.get("method") == CREATE


def kinds(client: Client) -> list[str]:
    return [each["params"]["value"]["kind"] for each in client.kept("$/progress")]


def test_reading_files_is_shown(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"{number}.yaml").write_text(rgd(), encoding="utf-8")
    with Client() as client:
        client.initialize(SHOWN, rootUri=tmp_path.as_uri())
        request = client.wait(is_creation)
        client.answer(request, None)
        begin = client.notification("$/progress")["value"]
        assert (begin["kind"], begin["cancellable"]) == ("begin", True)
        assert client.notification("$/progress")["value"] == {"kind": "report", "message": "50 files"}
        assert client.notification("$/progress")["value"] == {"kind": "end", "message": "60 files read"}


def test_reading_files_is_called_off(tmp_path: Path) -> None:
    for number in range(3000):
        (tmp_path / f"{number}.yaml").write_text("a: b\n", encoding="utf-8")
    with Client() as client:
        client.initialize(SHOWN, rootUri=tmp_path.as_uri())
        request = client.wait(is_creation)
        client.answer(request, None)
        client.notify("window/workDoneProgress/cancel", {"token": request["params"]["token"]})
        client.wait(
            lambda message: message.get("method") == "$/progress" and message["params"]["value"]["kind"] == "end"
        )
        client.open(rgd())
        assert client.notification("textDocument/publishDiagnostics")
    assert b"called off" in client.errors


def test_a_client_that_shows_no_progress_is_not_asked(tmp_path: Path) -> None:
    with Client() as client:
        client.initialize(rootUri=tmp_path.as_uri())
        client.open(rgd())
        client.notification("textDocument/publishDiagnostics")
        assert client.kept(CREATE) == []
