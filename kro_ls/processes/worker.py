"""What a worker process does: see `kro_ls.processes.worker_process`."""

from __future__ import annotations

import os
import pickle
import sys
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

from kro_ls.garbage import seldom_collecting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO


def main() -> None:
    """Answer items until standard input ends, which also ends the current item."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # so that nothing else can be printed among the answers
    messages: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_read, args=(sys.stdin.buffer, messages), daemon=True).start()
    try:
        for function, item in seldom_collecting(_calls(messages, answers)):
            _answer(answers, function(item))
    finally:
        os._exit(1)  # an ordinary end would wait for the thread that reads


def _read(stream: IO[bytes], messages: SimpleQueue[bytes]) -> None:
    """Read messages; when the stream ends, end the process, whatever it is doing."""
    while header := stream.read(8):
        messages.put(stream.read(int.from_bytes(header, "big")))
    os._exit(0)


def _calls(messages: SimpleQueue[bytes], answers: IO[bytes]) -> Iterator[tuple[Callable[[object], object], object]]:
    """Yield each item with the latest function, and answer each function."""
    function: Callable[[object], object] = repr
    while True:
        message = pickle.loads(messages.get())  # noqa: S301 (from who started this process)
        if isinstance(message, list):
            yield from ((function, item) for item in message)
        else:
            function = message
            _answer(answers, None)


def _answer(stream: IO[bytes], value: object) -> None:
    try:
        pickle.dump(value, stream, pickle.HIGHEST_PROTOCOL)
        stream.flush()
    except BrokenPipeError:  # nobody is left to answer
        os._exit(1)
