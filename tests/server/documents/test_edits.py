"""Code actions in progress: other requests run in between, and an edit cancels outdated ones."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from lsprotocol import types

from kro_ls.repairs import proof
from kro_ls.server.connection.protocol import OvertakenError
from kro_ls.server.documents.slow_documents import SlowDocuments
from kro_ls.server.request import register
from kro_ls.server.requests import code_action
from kro_ls.workspace.documents import Edit
from kro_ls.workspace.snapshot import Snapshot
from tests.fixtures.language import URI, fixture

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.server.server import KroLanguageServer
    from kro_ls.workspace.documents import Document

BROKEN = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata
  name: app
spec: {}
"""
WHOLE = types.Range(types.Position(0, 0), types.Position(5, 0))
PARAMS = types.CodeActionParams(types.TextDocumentIdentifier(URI), WHOLE, types.CodeActionContext([]))


async def _no_updates(*_: object) -> list[types.CodeAction]:
    return []


class _Server:
    """Has one document open, and records what is registered."""

    def __init__(self) -> None:
        self.documents = {URI: fixture(BROKEN).document}
        self.slow_documents = SlowDocuments(self.documents)
        self.open_documents = SimpleNamespace(snapshot=Snapshot)
        self.client_shows_lenses = True
        self.tested = SimpleNamespace(updates=_no_updates)
        self.handlers: dict[str, Any] = {}
        for each in code_action.REGISTERED:
            register(cast("KroLanguageServer", self), each)

    def feature(self, method: str, _options: object) -> Callable[[Any], None]:
        return lambda handler: self.handlers.update({method: handler})

    async def code_actions(self) -> list[types.CodeAction]:
        found: list[types.CodeAction] = await self.handlers[types.TEXT_DOCUMENT_CODE_ACTION](PARAMS)
        return found


def test_others_come_in_between_the_fixes_that_are_tried() -> None:
    async def test() -> int:
        asked = asyncio.create_task(_Server().code_actions())
        turns = 0
        while not asked.done():
            await asyncio.sleep(0)
            turns += 1
        assert "Add ':'" in [each.title for each in asked.result()]
        return turns

    assert asyncio.run(test()) > 3


def test_an_edit_ends_the_search_for_fixes() -> None:
    server = _Server()

    async def test() -> None:
        asked = asyncio.create_task(server.code_actions())
        for _ in range(3):
            await asyncio.sleep(0)
        assert not asked.done()
        server.documents[URI] = server.documents[URI].edited(2, (Edit("a: b"),))
        with pytest.raises(OvertakenError):
            await asked

    asyncio.run(test())


def test_fixes_of_a_slow_document_are_tried_in_its_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = set[threading.Thread]()

    def document_after(*given: Any) -> Document:
        threads.add(threading.current_thread())
        return original(*given)

    original = proof.document_after
    monkeypatch.setattr(proof, "document_after", document_after)
    server = _Server()
    server.documents[URI].took(1.0)
    assert "Add ':'" in [each.title for each in asyncio.run(server.code_actions())]
    assert threads
    assert threading.main_thread() not in threads
