"""The symbols of the workspace's files, while others are being answered."""

from __future__ import annotations

import asyncio
import threading

from kro_ls.server.symbols import SymbolKeeper
from kro_ls.workspace.all_documents import AllDocuments
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd

SECONDS = 20
TEXT = (
    rgd("{id: web, template: {apiVersion: v1, kind: ConfigMap}}").replace("  resources:\n    {", "  resources: [{")
    + "]"
)


def test_others_are_answered_while_a_short_file_takes_long() -> None:
    gate = threading.Event()

    def make(path: str, text: str) -> Document:
        gate.wait(SECONDS)
        return Document(f"file://{path}", None, Text(text))

    opened = Document("file:///a.yaml", 1, Text(TEXT))
    keeper = SymbolKeeper(lambda: AllDocuments({"/a.yaml": opened}, None, make))

    async def test() -> None:
        task = asyncio.create_task(keeper.files())
        await asyncio.sleep(0.05)  # the loop goes on
        assert not task.done()
        gate.set()
        (found,) = await task
        assert "web" in [each.name for each in found.symbols]

    asyncio.run(asyncio.wait_for(test(), SECONDS))
