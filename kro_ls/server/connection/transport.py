"""Carries messages between the server and its one client: over pipes, a TCP connection or a WebSocket.

Source of the frames: https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#baseProtocol.
Over pipes and TCP a thread reads, so that a client cannot block the event loop; it is a daemon thread, so that it does
not delay the end of the process either.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.server.background import start_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from kro_ls.server.connection.protocol import KroProtocol

LARGEST_MESSAGE = 256 * 1024**2
"""In bytes. The largest file that is read has 32 MiB, which JSON can write in up to six times as much."""

_LONGEST_HEADER = 4096
_MOST_WAITING = 64
_FIRST_STEPS = 4
_PIECE = 1024**2

logger = logging.getLogger(__name__)


class FrameError(Exception):
    """The input is not a frame of the protocol, so the start of the next one is unknown."""


def read_messages(stream: BinaryIO) -> Iterator[bytearray | None]:
    """Yield the bodies of messages until the stream ends; None for one that is too large or does not fit into memory.

    Raises FrameError.
    """
    while (length := _read_length(stream)) is not None:
        try:
            body = bytearray(length) if length <= LARGEST_MESSAGE else None
        except MemoryError:
            body = None
        if body is None:
            _skip(stream, length)
        elif not _fill(body, stream):
            return
        yield body
        del body


def _read_length(stream: BinaryIO) -> int | None:
    """Return the length in the header of a message, None at the end of the stream."""
    length = None
    while line := stream.readline(_LONGEST_HEADER):
        if not line.strip():
            if length is not None:
                return length
            continue
        name, colon, value = line.partition(b":")
        if not colon or not line.endswith(b"\n"):
            raise FrameError(f"this is not a header of a message: {line[:80]!r}")
        if name.strip().lower() == b"content-length":
            if not value.strip().isdigit() or len(value) > 20:
                raise FrameError(f"this is not the length of a message: {value[:80]!r}")
            length = int(value)
    return None


def _fill(body: bytearray, stream: BinaryIO) -> bool:
    """Read until a body is full; return False if the stream ends before."""
    rest = memoryview(body)
    while rest and (count := stream.readinto(rest)):  # type: ignore[attr-defined] # BinaryIO's stub lacks it
        rest = rest[count:]
    return not rest


def _skip(stream: BinaryIO, length: int) -> None:
    while length > 0 and (piece := stream.read(min(length, _PIECE))):
        length -= len(piece)


class _Gone(Struct, frozen=True):
    """The client is gone; `reason` is the error, None if it closed the connection."""

    reason: Exception | None


class _Writer:
    """Writes to the client; when that fails, the client is gone."""

    def __init__(self, stream: BinaryIO, client_is_gone: Callable[[OSError | ValueError], None]) -> None:
        self._stream = stream
        self._client_is_gone = client_is_gone

    def write(self, data: bytes | memoryview) -> None:
        try:
            self._stream.write(data)
            self._stream.flush()
        except (OSError, ValueError) as error:  # ValueError: the stream is closed
            self._client_is_gone(error)

    def close(self) -> None:
        with suppress(OSError, ValueError):
            self._stream.close()


class _Delivery:
    """Hands messages to the protocol, one after the other.

    A message that arrives in an idle moment is handled in the step of the event loop that it wakes; a task that waits
    for it would take two more. A message that arrives while another is handled wakes nothing.
    """

    def __init__(self, protocol: KroProtocol, ended: asyncio.Future[_Gone]) -> None:
        self.room = threading.Semaphore(_MOST_WAITING)
        self._protocol, self._ended = protocol, ended
        self._loop = ended.get_loop()
        self._waiting: deque[bytearray | _Gone | None] = deque()
        self._is_busy = False

    def came(self, message: bytearray | _Gone | None) -> None:
        """Handle a message after the first steps of those before it. Any thread may call this.

        Raises RuntimeError if the loop is closed.
        """
        self._waiting.append(message)
        if not self._is_busy:  # else it is handled after the current one
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        if not self._is_busy:
            self._handle_waiting()

    def _handle_waiting(self) -> None:
        self._is_busy = True
        handled = 0
        while self._waiting:
            message = self._waiting.popleft()
            if isinstance(message, _Gone):
                self._ended.set_result(message)
                return
            self._protocol.receive(message)
            self.room.release()
            handled += 1
            if not self._protocol.is_settled or handled == _MOST_WAITING:
                self._settle(_FIRST_STEPS)
                return
        self._is_busy = False
        if self._waiting:  # since just now
            self._loop.call_soon(self._wake)

    def _settle(self, steps: int) -> None:
        """Let the tasks that a message started make their first steps before the next message, such as answering."""
        if steps > 0:
            self._loop.call_soon(self._settle, steps - 1)
        else:
            self._handle_waiting()


async def converse(protocol: KroProtocol, incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Handle the messages of a client until it is gone. Raises SystemExit after `exit`."""
    ended: asyncio.Future[_Gone] = asyncio.get_running_loop().create_future()
    delivery = _Delivery(protocol, ended)

    def read() -> None:
        reason: Exception | None = None
        try:
            for body in read_messages(incoming):
                delivery.room.acquire()
                delivery.came(body)
                del body  # else a long message would stay until the next one arrives
        except (OSError, ValueError, MemoryError, RuntimeError, FrameError) as error:
            reason = error
        with suppress(RuntimeError):  # the loop is closed: the server has ended
            delivery.came(_Gone(reason))

    protocol.set_writer(_Writer(outgoing, lambda reason: delivery.came(_Gone(reason))))
    start_thread("client", read)
    gone = await ended
    logger.info("the client is gone%s", f": {gone.reason}" if gone.reason else "")


async def settle() -> None:
    """Let the tasks that a message started make their first steps before the next message, such as answering."""
    for _ in range(_FIRST_STEPS):
        await asyncio.sleep(0)
