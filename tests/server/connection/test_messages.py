"""Messages as JSON, and documents that are looked at again."""

from __future__ import annotations

import asyncio
import json
import logging
import threading

import pytest
from lsprotocol import types

from kro_ls.features.lsp_types import DocumentSymbol, Position, Range
from kro_ls.server.connection.protocol import _decoded
from kro_ls.server.connection.transport import settle
from kro_ls.server.requests import create_server
from kro_ls.server.server import KroLanguageServer
from kro_ls.workspace.documents import Edit
from tests.fixtures.language import URI, fixture

SECONDS = 20
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}


@pytest.mark.parametrize(
    "body",
    [
        b'{"id": 1, "text": "a\\nb"}',
        '{"text": "\\ud83d\\ude00 é"}'.encode(),
        b'{"text": "\\ud83d"}',
        b'{"id": 123456789012345678901234567890}',
        b'{"value": NaN}',
        b'\xef\xbb\xbf{"a": 1, "a": 2}',
    ],
)
def test_messages_are_read_as_the_standard_library_reads_them(body: bytes) -> None:
    assert str(_decoded(bytearray(body))) == str(json.loads(body))


@pytest.mark.parametrize("body", [b"{", b"[1] x", b'"\xff"'])
def test_what_is_no_json_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        _decoded(body)


@pytest.mark.parametrize("text", ["plain", "é", "a \ud83d b"])
def test_answers_are_written_as_pygls_writes_them(text: str) -> None:
    protocol = create_server().protocol
    place = types.Range(types.Position(0, 1), types.Position(2, 3))
    answer = [types.TextEdit(place, text), types.CodeLens(place, types.Command(text, "a", arguments=[1, {"b": None}]))]
    assert json.loads(bytes(protocol.written(answer))) == [protocol._serialize_message(each) for each in answer]


@pytest.mark.parametrize("text", ["plain", "é", "a \ud83d b"])
def test_our_own_types_are_written_as_those_of_lsp(text: str) -> None:
    place = types.Range(types.Position(0, 1), types.Position(2, 3))
    ours = Range(Position(0, 1), Position(2, 3))
    inner = DocumentSymbol(text, types.SymbolKind.Field, ours, ours)
    outer = DocumentSymbol("a", types.SymbolKind.Module, ours, ours, children=[inner])
    theirs = types.DocumentSymbol(text, types.SymbolKind.Field, place, place)
    answer = [types.DocumentSymbol("a", types.SymbolKind.Module, place, place, children=[theirs])]
    protocol = create_server().protocol
    assert json.loads(bytes(protocol.written([outer]))) == json.loads(bytes(protocol.written(answer)))


@pytest.mark.parametrize("length", [1, 3 * 1024**2])
def test_an_answer_is_sent_whole_and_logged_whole(length: int, caplog: pytest.LogCaptureFixture) -> None:
    written: list[bytes] = []

    class Writer:
        def write(self, data: bytes) -> None:
            written.append(bytes(data))

        def close(self) -> None:
            pass

    protocol = create_server().protocol
    protocol.set_writer(Writer())
    with caplog.at_level(logging.DEBUG, "kro_ls"):
        protocol.notify_written("m", protocol.written("x" * length))
    header, _, body = b"".join(written).partition(b"\r\n\r\n")
    assert header == b"Content-Length: %d" % len(body)
    assert json.loads(body) == {"jsonrpc": "2.0", "method": "m", "params": "x" * length}
    assert body.decode() in caplog.text


def test_a_slow_document_of_before_other_kinds_is_freed_in_a_thread() -> None:
    threads, freed = list[threading.Thread](), threading.Event()

    class Witness:
        def __del__(self) -> None:
            threads.append(threading.current_thread())
            freed.set()

    async def test() -> None:
        server = create_server()
        server.protocol.handle_message(server.protocol.structure_message(INITIALIZE))
        await settle()
        server.documents[URI] = fixture("a: b").document.edited(2, (Edit("c" * 20_000),))
        server.documents[URI].__dict__["witness"] = Witness()
        server.renew()
        await asyncio.to_thread(freed.wait, SECONDS)
        server.publisher.clear(URI)

    asyncio.run(test())
    assert [thread is threading.main_thread() for thread in threads] == [False]


def test_a_warning_of_another_thread_is_sent_by_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it could come into the middle of a message that is written in pieces."""
    senders: list[threading.Thread] = []

    async def test() -> None:
        server = KroLanguageServer()
        server._loop, server._loop_thread = asyncio.get_running_loop(), threading.current_thread()
        monkeypatch.setattr(server, "window_show_message", lambda _: senders.append(threading.current_thread()))
        server.warn_user("here")
        await asyncio.to_thread(server.warn_user, "there")
        await asyncio.sleep(0)

    asyncio.run(test())
    assert senders == [threading.current_thread()] * 2
