"""The WebSocket for one client, which must have the token, and if it is a web page, an allowed origin.

Browsers let every page connect to this computer, but send the page's origin
(https://www.rfc-editor.org/rfc/rfc6455#section-10.2); editors send none.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from kro_ls.server.background import Tasks
from kro_ls.server.connection.transport import LARGEST_MESSAGE, settle
from kro_ls.server.delays import STALLED_SECONDS

if TYPE_CHECKING:
    from collections.abc import Collection

    from websockets.asyncio.server import Server, ServerConnection
    from websockets.http11 import Request, Response

    from kro_ls.server.connection.protocol import KroProtocol

_MUCH_WAITING = 1024**2
_MOST_WAITING = 64 * 1024**2
"""In bytes. A message alone may be longer."""

logger = logging.getLogger(__name__)


class _Door:
    """Admits allowed clients."""

    def __init__(self, origins: Collection[str], token: str | None) -> None:
        self._origins = origins
        self._token = token

    def answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Return the refusal of a request, None if it may become a WebSocket."""
        for origin in request.headers.get_all("Origin"):
            if origin not in self._origins:
                logger.warning("refused a page of %.200s", origin)
                return connection.respond(HTTPStatus.FORBIDDEN, "This page may not connect; see --allow-origin.\n")
        if self._token is not None and not self._knows_token(request):
            logger.warning("refused a client without the token")
            return connection.respond(HTTPStatus.UNAUTHORIZED, "The token is missing or wrong.\n")
        return None

    def _knows_token(self, request: Request) -> bool:
        given = parse_qs(request.path.partition("?")[2]).get("token", [])
        given += [value.removeprefix("Bearer ") for value in request.headers.get_all("Authorization")]
        wanted = (self._token or "").encode()
        return any(secrets.compare_digest(each.encode("utf-8", "surrogateescape"), wanted) for each in given)


async def serve_websocket(
    protocol: KroProtocol, host: str, port: int, origins: Collection[str], token: str | None
) -> None:
    """Serve one client until it is gone. Raises OSError, and SystemExit after `exit`."""
    from websockets.asyncio.server import serve

    gone = asyncio.get_running_loop().create_future()
    server: Server | None = None
    taken = False

    async def talk(connection: ServerConnection) -> None:
        nonlocal taken
        if taken or server is None:
            return
        taken = True
        server.close(close_connections=False)
        await _converse(protocol, connection)
        gone.set_result(None)

    server = await serve(
        talk, host, port, process_request=_Door(origins, token).answer, max_size=LARGEST_MESSAGE, server_header=None
    )
    logger.info("waiting for a client on %s, port %s", host, port)
    await gone


class _Writer:
    """Sends messages to the client, one after the other; writing does not wait for that.

    The queue is bounded: while it is long nothing more is read from the client, and a client that does not read its
    messages is disconnected.
    """

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._waiting: deque[bytes] = deque()
        self._size = 0
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._sending = Tasks()
        self._is_sending = False
        self._is_over = False

    def write(self, data: bytes) -> None:
        if self._is_over:
            return
        self._waiting.append(data)
        self._size += len(data)
        if self._size > _MOST_WAITING and len(self._waiting) > 1:
            self._give_up()
            return
        if self._size > _MUCH_WAITING:
            self._has_room.clear()
        if not self._is_sending:
            self._is_sending = True
            self._sending.start(self._send())

    def close(self) -> None:
        """Do nothing; the connection ends with its client."""

    async def room(self) -> None:
        """Wait until the queue is short."""
        await self._has_room.wait()

    async def _send(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            while self._waiting:
                async with asyncio.timeout(STALLED_SECONDS):
                    await self._connection.send(self._waiting[0])
                if self._waiting:  # or it was given up
                    self._size -= len(self._waiting.popleft())
                if self._size <= _MUCH_WAITING:
                    self._has_room.set()
        except TimeoutError:
            self._give_up()
        except ConnectionClosed:
            self._end()
        finally:
            self._is_sending = False

    def _give_up(self) -> None:
        logger.warning("closing the connection: the client does not read, and %d KiB wait for it", self._size // 1024)
        self._end()
        self._connection.transport.abort()

    def _end(self) -> None:
        self._is_over = True
        self._waiting.clear()
        self._has_room.set()


async def _converse(protocol: KroProtocol, connection: ServerConnection) -> None:
    from websockets.exceptions import ConnectionClosed

    writer = _Writer(connection)
    protocol.set_writer(writer, include_headers=False)
    while True:
        await writer.room()
        try:
            body = await connection.recv(decode=False)
        except ConnectionClosed:
            return
        protocol.receive(body)
        if not protocol.is_settled:
            await settle()
