"""The WebSocket that one client may connect to: no web page that was not allowed, no stranger without the token.

Browsers let every page connect to this computer, but tell the page's origin
(https://www.rfc-editor.org/rfc/rfc6455#section-10.2); editors tell none.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from kro_ls.server.transport import LARGEST_MESSAGE, settle

if TYPE_CHECKING:
    from collections.abc import Collection

    from websockets.asyncio.server import Server, ServerConnection
    from websockets.http11 import Request, Response

    from kro_ls.server.protocol import KroProtocol

logger = logging.getLogger(__name__)


class _Door:
    """Lets the first client in that may come, and nobody after it."""

    def __init__(self, origins: Collection[str], token: str | None) -> None:
        self._origins = origins
        self._token = token

    def answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Return the refusal of a request, None where it may become a WebSocket."""
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
    """Serve one client until it is gone. Raises OSError, and SystemExit when the client says `exit`."""
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
    """Sends messages to the client, one after the other; nobody waits for that."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._sending: set[asyncio.Task[None]] = set()

    def write(self, data: bytes) -> None:
        sending = asyncio.ensure_future(self._connection.send(data))
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    def close(self) -> None:
        """Do nothing: the connection ends with its client."""


async def _converse(protocol: KroProtocol, connection: ServerConnection) -> None:
    from websockets.exceptions import ConnectionClosed

    protocol.set_writer(_Writer(connection), include_headers=False)
    while True:
        try:
            body = await connection.recv(decode=False)
        except ConnectionClosed:
            return
        protocol.receive(body)
        if not protocol.is_settled:
            await settle()
