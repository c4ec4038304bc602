"""Waits on a TCP port for the first client that speaks the protocol.

A web page could send a message as the body of an HTTP request, so a connection that does not start as a client does is
refused. A silent connection does not block others: all are read at once.
"""

from __future__ import annotations

import logging
import select
import socket
import time
from contextlib import suppress

from kro_ls.server.delays import GREETING_SECONDS, HALF_GREETING_SECONDS

_GREETING = b"content-"
_MOST_SILENT = 64
_NOT_FOR_BROWSERS = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

logger = logging.getLogger(__name__)


def accept_client(host: str, port: int) -> socket.socket:
    """Return the connection of the first client that speaks the protocol, and stop listening. Raises OSError."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    with socket.create_server((address[0], port), family=family, backlog=_MOST_SILENT) as listening:
        logger.info("waiting for a client on %s, port %s", *listening.getsockname()[:2])
        lobby = _Lobby()
        try:
            while True:
                client = lobby.wait(listening)
                if client is not None:
                    client.settimeout(None)
                    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    return client
        finally:
            lobby.close()


class _Lobby:
    """Connections that have not yet sent enough to be recognised, the oldest first."""

    def __init__(self) -> None:
        self._deadlines: dict[socket.socket, float] = {}

    def wait(self, listening: socket.socket) -> socket.socket | None:
        """Wait for a new connection, for input, or for the end of a deadline; return and remove a client."""
        waiting = [listening, *self._deadlines]
        first = min(self._deadlines.values(), default=None)
        timeout = None if first is None else max(0.0, first - time.monotonic())
        readable, _, _ = select.select(waiting, [], [], timeout)
        if listening in readable:
            self._let_in(listening)
        for connection in list(self._deadlines):
            is_client = _greets(connection) if connection in readable else None
            if is_client:
                del self._deadlines[connection]
                return connection
            if is_client is False or time.monotonic() > self._deadlines[connection]:
                self._turn_away(connection)
        if readable and listening not in readable:
            time.sleep(HALF_GREETING_SECONDS)
        return None

    def close(self) -> None:
        """Close all connections."""
        for connection in self._deadlines:
            connection.close()

    def _let_in(self, listening: socket.socket) -> None:
        with suppress(ConnectionError, BlockingIOError):  # gone again
            connection, _ = listening.accept()
            connection.setblocking(False)
            self._deadlines[connection] = time.monotonic() + GREETING_SECONDS
        if len(self._deadlines) > _MOST_SILENT:
            self._turn_away(next(iter(self._deadlines)))

    def _turn_away(self, connection: socket.socket) -> None:
        del self._deadlines[connection]
        with suppress(OSError):
            logger.warning(
                "refused a connection from %s, which does not speak the protocol", connection.getpeername()[0]
            )
            connection.sendall(_NOT_FOR_BROWSERS)
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(65536):  # closing with unread input would discard the answer
                continue
        connection.close()


def _greets(connection: socket.socket) -> bool | None:
    """Whether the input starts with the header of a message, None while that is open; the input stays unread."""
    try:
        seen = connection.recv(len(_GREETING), socket.MSG_PEEK).lower()
    except BlockingIOError:
        return None
    except OSError as error:
        logger.debug("a connection that was given up: %s", error)
        return False
    if not seen or not _GREETING.startswith(seen):
        return False
    return True if seen == _GREETING else None
