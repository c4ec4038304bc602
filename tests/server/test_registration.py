"""A feature that fails answers empty, is logged, and the server lives on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from lsprotocol import types
from msgspec.structs import replace
from pygls.exceptions import JsonRpcInternalError, JsonRpcInvalidParams

from kro_ls.server.connection.protocol import NoAnswerError, OvertakenError
from kro_ls.server.documents.slow_documents import SlowDocuments
from kro_ls.server.request import DocumentRequest, Mode, Request, register
from kro_ls.server.requests import REGISTERED
from kro_ls.server.server import KroLanguageServer
from kro_ls.workspace.snapshot import NO_OTHERS, AllDocuments, Snapshot
from kro_ls.yaml_positions.text import Text
from tests.fixtures.language import URI, fixture

HERE = types.HoverParams(types.TextDocumentIdentifier(URI), types.Position(0, 0))
ELSEWHERE = types.HoverParams(types.TextDocumentIdentifier("file:///closed.yaml"), types.Position(0, 0))


SECONDS = 20


class _Protocol:
    @staticmethod
    def written(value: object) -> object:
        return value


class _Server:
    """Takes what is registered."""

    protocol = _Protocol()

    def __init__(self) -> None:
        self.documents = {URI: fixture("a: b").document}
        self.slow_documents = SlowDocuments(self.documents)
        self.all_documents = AllDocuments({}, None, lambda path, text: self.documents[URI], (Path("elsewhere"),))
        self.handlers: dict[str, Any] = {}

    @property
    def open_documents(self) -> SimpleNamespace:
        return SimpleNamespace(snapshot=lambda document: Snapshot(document, self.all_documents))

    def answer(self, method: str, answer: Any, mode: Mode) -> None:
        register(cast(KroLanguageServer, self), DocumentRequest(method, mode, answer))

    def feature(self, method: str, _options: object) -> Callable[[Any], None]:
        return lambda handler: self.handlers.update({method: handler})


def answered(answer: Any, params: types.HoverParams, mode: Mode = Mode.QUICK) -> Any:
    """Return what the client gets of a feature that reads a document."""
    server = _Server()
    server.answer("m", answer, mode)
    found = server.handlers["m"](params)
    return asyncio.run(found) if asyncio.iscoroutine(found) else found


@pytest.mark.parametrize(
    ("method", "is_about_all"),
    [
        (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, True),
        (types.TEXT_DOCUMENT_FOLDING_RANGE, True),
        (types.TEXT_DOCUMENT_CODE_LENS, True),
        (types.TEXT_DOCUMENT_DOCUMENT_LINK, True),
        (types.TEXT_DOCUMENT_FORMATTING, True),
        (types.TEXT_DOCUMENT_PREPARE_RENAME, False),
        (types.TEXT_DOCUMENT_LINKED_EDITING_RANGE, False),
    ],
)
def test_what_is_asked_about_all_of_a_large_document_does_not_hold_up_others(
    method: str, *, is_about_all: bool
) -> None:
    server = _Server()
    server.all_documents = NO_OTHERS
    server.documents[URI] = document = fixture("# " + "x" * 20_000 + "\na: b").document
    _ = document.diagnosis
    for each in REGISTERED:
        if isinstance(each, DocumentRequest):
            register(cast(KroLanguageServer, server), each)
    found = server.handlers[method](HERE)
    assert asyncio.iscoroutine(found) == is_about_all
    if is_about_all:
        asyncio.run(found)


def test_an_answer_is_passed_on() -> None:
    assert answered(lambda asked: (asked.document.uri, asked.params.position.line), HERE) == (URI, 0)


def test_a_document_that_is_not_open_has_no_answer() -> None:
    assert answered(lambda asked: 1, ELSEWHERE) is None


def test_a_failure_is_logged_and_answered_with_nothing(caplog: pytest.LogCaptureFixture) -> None:
    assert answered(lambda asked: 1 // 0, HERE) is None
    assert "m failed" in caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_a_failure_that_comes_later_is_contained_as_well(caplog: pytest.LogCaptureFixture) -> None:
    async def answer(asked: object) -> int:
        await asyncio.sleep(0)
        return 1 // 0

    assert answered(answer, HERE, Mode.IN_STEPS) is None
    assert "m failed" in caplog.text


def test_what_is_reported_to_the_client_is_not_a_failure() -> None:
    def answer(asked: object) -> None:
        raise JsonRpcInvalidParams("'x y' is not a name")

    with pytest.raises(JsonRpcInvalidParams):
        answered(answer, HERE)


def test_a_failure_may_be_answered_otherwise() -> None:
    server = _Server()
    request = Request("m", Mode.QUICK, lambda server, params: params // 0, empty=lambda params: params)
    register(cast(KroLanguageServer, server), request)
    assert server.handlers["m"](7) == 7


def test_a_client_that_knows_us_is_told_why_there_is_no_answer() -> None:
    def answer(server: object, reason: Exception) -> None:
        raise reason

    server = _Server()
    register(cast(KroLanguageServer, server), Request("m", Mode.QUICK, answer))
    with pytest.raises(JsonRpcInvalidParams, match="m: no such thing"):
        server.handlers["m"](NoAnswerError("no such thing"))
    with pytest.raises(JsonRpcInternalError, match="m failed; the server's log says why"):
        server.handlers["m"](ZeroDivisionError())


def test_what_looks_into_files_lets_others_be_answered_meanwhile() -> None:
    server, gate = _Server(), threading.Event()
    server.answer("slow", lambda asked: gate.wait(SECONDS), Mode.ACROSS_FILES)
    server.answer("quick", lambda asked: "answer", Mode.QUICK)

    async def test() -> None:
        slow = asyncio.create_task(server.handlers["slow"](HERE))
        await asyncio.sleep(0)
        assert server.handlers["quick"](HERE) == "answer"
        assert not slow.done()
        gate.set()
        assert await slow

    asyncio.run(asyncio.wait_for(test(), SECONDS))


def test_an_edit_overtakes_what_looks_into_files() -> None:
    server, begun, gate = _Server(), threading.Event(), threading.Event()

    def hold(*_: object) -> None:
        begun.set()
        gate.wait(SECONDS)

    server.answer("m", hold, Mode.ACROSS_FILES)

    async def test() -> None:
        answer = asyncio.create_task(server.handlers["m"](HERE))
        await asyncio.to_thread(begun.wait, SECONDS)
        server.documents[URI] = replace(server.documents[URI], text=Text("a: c"))
        gate.set()
        with pytest.raises(OvertakenError):
            await answer

    asyncio.run(asyncio.wait_for(test(), SECONDS))
