"""A process that reviews: an analysis keeps a core busy, and one that takes too long can only be ended from outside."""

from __future__ import annotations

import multiprocessing
import signal
from typing import TYPE_CHECKING, Final, TypeAlias

from kro_ls.admission.reviewer import Reviewer
from kro_ls.garbage import seldom_collecting

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from multiprocessing.connection import Connection

    from kro_ls.admission.known_definitions import ReviewOptions
    from kro_ls.admission.reviewer import Reviewed

Stamps: TypeAlias = "Mapping[str, tuple[int, int]]"
"""Files, each with its modification time in nanoseconds and its size in bytes: what has changed has another stamp."""

_START_SECONDS: Final = 60.0
_ENDING_SECONDS: Final = 10.0


class LateError(Exception):
    """There was no answer in time."""


class EndedError(Exception):
    """The process has ended, perhaps for want of memory."""


class ReviewingProcess:
    """A process with the definitions that it knows. One thread at a time may use it."""

    def __init__(self, options: ReviewOptions, files: Stamps) -> None:
        """Start the process, which reads the files before it answers anything."""
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._files = files
        self.is_ready = False
        """Whether it has read the files."""
        self._process = context.Process(target=_serve, args=(theirs, options, tuple(files)), daemon=True)
        self._process.start()
        theirs.close()

    def wait_until_ready(self, seconds: float = _START_SECONDS) -> None:
        """Wait until it has read the files. Raises LateError, EndedError."""
        if not self.is_ready:
            self._answer(seconds)
            self.is_ready = True

    def review(self, body: bytes, files: Stamps, seconds: float) -> Reviewed:
        """Return the answer to a body, by what these files say now; it must be ready. Raises LateError, EndedError."""
        changed = () if files is self._files else tuple(_changed(self._files, files))
        self._files = files
        try:
            self._connection.send((changed, body))
        except OSError as error:
            raise EndedError from error
        reviewed: Reviewed = self._answer(seconds)
        return reviewed

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.join(_ENDING_SECONDS)
        self._connection.close()

    def _answer(self, seconds: float) -> Reviewed:
        if not self._connection.poll(max(seconds, 0)):
            raise LateError
        try:
            answer: Reviewed = self._connection.recv()
        except (EOFError, OSError) as error:
            raise EndedError from error
        return answer


def _changed(before: Stamps, after: Stamps) -> Iterator[str]:
    yield from (path for path, stamp in after.items() if before.get(path) != stamp)
    yield from (path for path in before if path not in after)


def _serve(connection: Connection, options: ReviewOptions, files: tuple[str, ...]) -> None:
    """Answer until nobody asks any more. Who started this process decides when it ends."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    reviewer = Reviewer(options, files)
    reviewer.warm_up()
    connection.send(None)
    for changed, body in seldom_collecting(_asked(connection)):
        if changed:
            reviewer.update(changed)
        connection.send(reviewer.review(body))


def _asked(connection: Connection) -> Iterator[tuple[tuple[str, ...], bytes]]:
    try:
        while True:
            yield connection.recv()
    except (EOFError, OSError):
        return
