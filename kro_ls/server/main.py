"""Starts the server on a transport, and ends it when its client is gone."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, NoReturn

from msgspec import Struct

from kro_ls.printable import printable, printable_lines
from kro_ls.server.background import start_thread, use_one_heap
from kro_ls.server.connection.tcp import accept_client
from kro_ls.server.connection.transport import converse
from kro_ls.server.delays import CLIENT_CHECK_SECONDS
from kro_ls.server.requests import create_server

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from kro_ls.server.connection.protocol import KroProtocol
    from kro_ls.server.server import KroLanguageServer

_LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
logger = logging.getLogger(__name__)


class PrintableFormatter(logging.Formatter):
    """Writes a message on one line without control characters, since names of files may come from strangers."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 # the name is that of `logging`
        """Return the line of a record, without its traceback."""
        return printable(super().formatMessage(record))

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record."""
        return printable_lines(super().format(record))


class Transport(Struct, frozen=True):
    """How the client connects: by pipes, or to a port. `origins` and `token` are for WebSockets."""

    name: Literal["stdio", "tcp", "ws"]
    host: str = "127.0.0.1"
    port: int = 0
    origins: tuple[str, ...] = ()
    token: str | None = None


def serve(transport: Transport, log_file: Path | None, log_level: str) -> NoReturn:
    """Serve one client until it sends `exit` or is gone, then end the process.

    The exit status is 0 after `shutdown` and 1 otherwise, as LSP demands. The log goes to standard error or to a file;
    it names files and settings, and has no text of documents unless the level is `debug`. Raises OSError if waiting for
    a client fails.
    """
    _start_log(log_file, log_level)
    use_one_heap()
    # A message is read at once even while a thread computes: otherwise the event loop would wait for its turn at each
    # of some ten steps of the message.
    sys.setswitchinterval(0.0001)
    server = create_server()
    start_thread("client watch", lambda: _end_with_client(server))
    with suppress(SystemExit, KeyboardInterrupt):
        asyncio.run(_serve(server.protocol, transport, *_streams(transport)))
    _end_now(0 if server.protocol.was_shut_down else 1)


def _streams(transport: Transport) -> tuple[BinaryIO, BinaryIO] | tuple[()]:
    if transport.name == "tcp":
        connection = accept_client(transport.host, transport.port)
        return connection.makefile("rb"), connection.makefile("wb")
    if transport.name == "stdio":
        if sys.stdin is None or sys.stdout is None:
            raise OSError("standard input or output is closed")
        # With PYTHONUNBUFFERED, `sys.stdout.buffer` writes only a part of an answer if a signal arrives meanwhile.
        return sys.stdin.buffer, open(sys.stdout.fileno(), "wb", closefd=False)
    return ()


async def _serve(protocol: KroProtocol, transport: Transport, *streams: BinaryIO) -> None:
    if streams:
        await converse(protocol, *streams)
    else:
        from kro_ls.server.connection.websocket import serve_websocket

        await serve_websocket(protocol, transport.host, transport.port, transport.origins, transport.token)


def _end_now(code: int) -> NoReturn:
    """End the process without waiting for threads, which may be blocked in a read."""
    logging.shutdown()
    os._exit(code)


def _start_log(log_file: Path | None, log_level: str) -> None:
    level = logging.getLevelNamesMapping()[log_level.upper()]
    handler = logging.FileHandler(log_file, encoding="utf-8") if log_file else logging.StreamHandler(sys.stderr)
    handler.setFormatter(PrintableFormatter(_LOG_FORMAT))
    logging.basicConfig(level=level, handlers=[handler])
    if level > logging.DEBUG:
        # pygls logs every message, with texts of documents, at its level `info`.
        logging.getLogger("pygls").setLevel(max(level, logging.WARNING))


def _end_with_client(server: KroLanguageServer) -> None:
    """End the process when the client's process is gone, which a pipe that others hold open would not show."""
    if os.name == "nt":
        return
    while True:
        time.sleep(CLIENT_CHECK_SECONDS)
        process = server.process_id
        if process and is_gone(process):
            logger.warning("the client, process %s, is gone; ending", process)
            _end_now(1)


def is_gone(process: int) -> bool:
    """Whether there is no process with this number any more; False for a number that no process can have."""
    if process <= 0:
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False
