"""When the texts of open documents are looked into for kinds."""

from __future__ import annotations

import asyncio

import pytest

from kro_ls.server import schemas
from kro_ls.server.schemas import SchemaKeeper, Session
from kro_ls.workspace.documents import Document
from kro_ls.workspace.schemas import SchemaSettings
from kro_ls.yaml_positions.text import Text

SLOW, OTHER = "file:///slow.yaml", "file:///other.yaml"


def test_a_text_that_is_being_worked_out_is_looked_into_after_that(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else both would parse it, side by side."""
    monkeypatch.setattr(schemas, "FOLLOW_SECONDS", 0)
    answers = [True, True, False]
    asked: list[str] = []

    def is_being_prepared(uri: str) -> bool:
        asked.append(uri)
        return answers.pop(0)

    def nothing(*_: object) -> None:
        return None

    async def test() -> None:
        session = Session(tuple, SchemaSettings, nothing, nothing, nothing, nothing, is_being_prepared)
        keeper = SchemaKeeper({uri: Document(uri, 1, Text("a: b")) for uri in (SLOW, OTHER)}, session)
        keeper.follow(SLOW)
        for _ in range(100):
            await asyncio.sleep(0)
        keeper.close()

    asyncio.run(test())
    assert (asked, answers) == ([SLOW] * 3, [])
