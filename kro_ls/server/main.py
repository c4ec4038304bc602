"""Starts the server on a transport, and ends it when its client is gone."""

from __future__ import annotations

import gc
import logging
import os
import sys
import threading
from typing import TYPE_CHECKING, Literal

from kro_ls.server.handlers import create_server

if TYPE_CHECKING:
    from pathlib import Path

    from kro_ls.server.server import KroLanguageServer

_LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_CLIENT_CHECK_SECONDS = 5.0

logger = logging.getLogger(__name__)


def serve(
    transport: Literal["stdio", "tcp", "ws"], host: str, port: int | None, log_file: Path | None, log_level: str
) -> None:
    """Serve one client until it says `exit` or is gone, then end the process.

    The exit status is 0 after `shutdown` and 1 otherwise, as LSP demands. The log goes to standard error or to a file;
    it names files and settings, and holds no text of documents unless the level is `debug`.
    """
    _start_log(log_file, log_level)
    # What is remembered of large files is many objects without cycles; a full collection of them would be felt.
    gc.set_threshold(50_000, 20, 100)
    server = create_server()
    watch = threading.Thread(target=_end_with_client, args=(server,), daemon=True)
    watch.start()
    if transport == "tcp":
        server.start_tcp(host, port or 0)
    elif transport == "ws":
        server.start_ws(host, port or 0)
    else:
        server.start_io()
    sys.exit(0 if server.protocol.was_shut_down else 1)


def _start_log(log_file: Path | None, log_level: str) -> None:
    level = logging.getLevelNamesMapping()[log_level.upper()]
    target = {"filename": log_file, "encoding": "utf-8"} if log_file else {"stream": sys.stderr}
    logging.basicConfig(level=level, format=_LOG_FORMAT, **target)
    if level > logging.DEBUG:
        # pygls tells every message at its level `info`, texts of documents included.
        logging.getLogger("pygls").setLevel(max(level, logging.WARNING))


def _end_with_client(server: KroLanguageServer) -> None:
    """End the process when the client's process is gone, which a pipe held open by others would not tell."""
    if os.name == "nt":
        return
    pause = threading.Event()
    while not pause.wait(_CLIENT_CHECK_SECONDS):
        process = server.process_id
        if process and not _is_alive(process):
            logger.warning("the client, process %s, is gone; ending", process)
            logging.shutdown()
            os._exit(1)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
