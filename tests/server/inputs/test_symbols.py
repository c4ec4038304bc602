"""The symbols of the workspace's files, while others are being answered."""

from __future__ import annotations

import asyncio
import threading
from typing import NoReturn

import pytest

from kro_ls.features.navigation import workspace_symbols
from kro_ls.features.navigation.outlined_symbols import NamedPlace, UncertainError, outlined_symbols
from kro_ls.server.inputs.symbols import SymbolKeeper
from kro_ls.workspace.documents import Document
from kro_ls.workspace.snapshot import AllDocuments
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd

SECONDS = 20
TEXT = (
    rgd("{id: web, template: {apiVersion: v1, kind: ConfigMap}}").replace("  resources:\n    {", "  resources: [{")
    + "]"
)


OPENED = Document("file:///a.yaml", 1, Text(TEXT))


def keeper_of_opened() -> SymbolKeeper:
    def make(_path: str, _text: str) -> Document:
        raise AssertionError("the open document is at hand")

    return SymbolKeeper(lambda: AllDocuments({"/a.yaml": OPENED}, None, make))


def test_others_are_answered_while_a_short_file_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()

    def outlined_when_open(_text: str) -> NoReturn:
        gate.wait(SECONDS)
        raise UncertainError

    monkeypatch.setattr(workspace_symbols, "outlined_symbols", outlined_when_open)

    async def test() -> None:
        task = asyncio.create_task(keeper_of_opened().files())
        await asyncio.sleep(0.05)  # the loop goes on
        assert not task.done()
        gate.set()
        (found,) = await task
        assert "web" in [each.name for each in found.symbols]

    asyncio.run(asyncio.wait_for(test(), SECONDS))


def test_an_open_document_is_read_when_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[str]()

    def outlined(text: str) -> tuple[NamedPlace, ...]:
        read.append(text)
        return outlined_symbols(text)

    monkeypatch.setattr(workspace_symbols, "outlined_symbols", outlined)

    async def test() -> None:
        keeper = keeper_of_opened()
        keeper.prepare()
        await asyncio.sleep(0.1)
        assert not read
        await keeper.files()
        assert read == [TEXT]

    asyncio.run(asyncio.wait_for(test(), SECONDS))
