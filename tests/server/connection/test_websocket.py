"""The output buffered for a client that reads slowly, or not at all."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, cast

import pytest
from websockets.exceptions import ConnectionClosedError

from kro_ls.server.connection import websocket
from kro_ls.server.connection.websocket import _MOST_WAITING, _MUCH_WAITING, _Writer

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection


class SlowConnection:
    """A connection whose client reads when the test says so."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.reads = asyncio.Event()
        self.is_aborted = False
        self.transport = self

    def abort(self) -> None:
        self.is_aborted = True
        self.reads.set()

    async def send(self, data: bytes) -> None:
        await self.reads.wait()
        if self.is_aborted:
            raise ConnectionClosedError(None, None)
        self.sent.append(data)


def writer_to(connection: SlowConnection) -> _Writer:
    return _Writer(cast("ServerConnection", connection))


async def steps(count: int = 20) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def has_room(writer: _Writer) -> bool:
    return writer._has_room.is_set()


@pytest.mark.asyncio
async def test_messages_come_in_order_and_nothing_more_is_read_meanwhile() -> None:
    connection = SlowConnection()
    writer = writer_to(connection)
    messages = [b"%d" % number * (_MUCH_WAITING // 4) for number in range(6)]
    for message in messages[:3]:
        writer.write(message)
    await steps()
    assert has_room(writer)
    for message in messages[3:]:
        writer.write(message)
    await steps()
    assert not has_room(writer)
    assert connection.sent == []
    connection.reads.set()
    await asyncio.wait_for(writer.room(), 10)
    await steps()
    assert connection.sent == messages
    writer.write(b"last")
    await steps()
    assert connection.sent[-1] == b"last"
    assert not connection.is_aborted


@pytest.mark.asyncio
async def test_a_client_that_never_reads_is_parted_from(caplog: pytest.LogCaptureFixture) -> None:
    connection = SlowConnection()
    writer = writer_to(connection)
    piece = b"x" * (_MOST_WAITING // 8)
    with caplog.at_level(logging.WARNING):
        for _ in range(20):
            writer.write(piece)
            await steps(2)
    assert connection.is_aborted
    assert not writer._waiting
    assert has_room(writer)  # so that the loop continues, and sees the end
    assert [record.message for record in caplog.records] == [
        f"closing the connection: the client does not read, and {9 * len(piece) // 1024} KiB wait for it"
    ]


@pytest.mark.asyncio
async def test_a_message_may_be_longer_than_what_may_wait() -> None:
    connection = SlowConnection()
    writer = writer_to(connection)
    writer.write(b"x" * (_MOST_WAITING + 1))
    connection.reads.set()
    await steps()
    assert len(connection.sent) == 1
    assert not connection.is_aborted


@pytest.mark.asyncio
async def test_a_client_that_stops_reading_is_parted_from(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(websocket, "STALLED_SECONDS", 0.01)
    connection = SlowConnection()
    writer = writer_to(connection)
    writer.write(b"x")
    await asyncio.wait_for(connection.reads.wait(), 10)
    assert connection.is_aborted
    assert "the client does not read" in caplog.text


@pytest.mark.asyncio
async def test_what_is_written_after_the_end_is_dropped() -> None:
    connection = SlowConnection()
    connection.abort()
    writer = writer_to(connection)
    for _ in range(3):
        writer.write(b"x" * _MUCH_WAITING)
    await steps()
    assert not writer._waiting
    assert has_room(writer)
