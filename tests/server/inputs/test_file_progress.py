"""What a client sees of the reading of a workspace, and how it is called off."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest
from pygls.exceptions import JsonRpcMethodNotFound
from pygls.progress import Progress
from pygls.protocol import LanguageServerProtocol

from kro_ls.server.inputs import file_progress
from kro_ls.server.inputs.file_progress import FileProgress
from kro_ls.server.inputs.schemas import SchemaKeeper, Session
from kro_ls.workspace import schemas as workspace_schemas
from kro_ls.workspace.schemas import SchemaSettings
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


@pytest.mark.parametrize("seconds", [None, 0.0], ids=["it refuses", "it does not answer"])
def test_files_are_read_though_the_client_cannot_show_it(
    seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Refusing(Progress):
        async def create_async(self, token: object) -> Any:
            if seconds is None:
                raise JsonRpcMethodNotFound
            await asyncio.Event().wait()

    reported: list[bool] = []
    if seconds is not None:
        monkeypatch.setattr(file_progress, "PROGRESS_SECONDS", seconds)

    async def test() -> None:
        done = asyncio.Event()
        lsp = cast(LanguageServerProtocol, None)  # which is not used then
        session = Session(tuple, SchemaSettings, done.set, done.set, print, lambda: FileProgress(Refusing(lsp)), ())
        keeper = SchemaKeeper({}, session)
        monkeypatch.setattr(workspace_schemas, "_in_folders", lambda _: [Path(__file__)])
        keeper.reload()
        await asyncio.wait_for(done.wait(), 20)
        keeper.close()
        reported.append(keeper.current is not None)

    asyncio.run(test())
    assert reported == [True]


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
