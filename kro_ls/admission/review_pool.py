"""Distributes reviews to processes, and limits how many wait and how long each takes.

An analysis keeps a core busy, and one that takes too long can only be ended from outside its process.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from kro_ls.admission.admission_review import response_body, uid_of
from kro_ls.admission.reviewer import FAILED, Reviewed, Reviewer, failed
from kro_ls.garbage import seldom_collecting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from multiprocessing.connection import Connection

    from kro_ls.admission.known_definitions import ReviewOptions

Stamps: TypeAlias = "Mapping[str, tuple[int, int]]"
"""Files, each with its modification time in nanoseconds and its size in bytes, which show whether it has changed."""
_START_SECONDS: Final = 60.0
_ENDING_SECONDS: Final = 10.0
LATE: Final = "it took too long"
OVERLOADED: Final = "too many reviews are waiting"
ENDED: Final = "the process that reviewed it has ended; is there enough memory?"


class Limits(Struct, frozen=True):
    """What reviews may take: seconds to wait for a process, as many to be worked on, and how many at once."""

    seconds: float
    waiting: int


class ReviewPool:
    """The processes. `files` may be replaced at any time; each process then reads the changed ones."""

    def __init__(
        self, start: Callable[[Stamps], ReviewingProcess], workers: int, limits: Limits, files: Stamps
    ) -> None:
        self.files = files
        self.restarts = 0
        self.waiting = 0
        self._start = start
        self._limits = limits
        self._idle: SimpleQueue[ReviewingProcess | None] = SimpleQueue()  # None for one that could not be started
        self._all: set[ReviewingProcess] = set()
        self._threads = ThreadPoolExecutor(workers, "review")
        for _ in range(workers):
            self._add()

    def wait_until_ready(self) -> None:
        """Wait until all processes have read the files. Raises LateError, EndedError."""
        for process in tuple(self._all):
            process.wait_until_ready()

    async def review(self, body: bytes) -> Reviewed:
        """Return the answer to a body. A request that cannot be reviewed is allowed, with a warning."""
        if self.waiting >= self._limits.waiting:
            return _let_through(body, OVERLOADED)
        self.waiting += 1
        try:
            deadline = time.monotonic() + self._limits.seconds
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._review, body, deadline)
        except LateError:
            return _let_through(body, LATE)
        except EndedError:
            return _let_through(body, ENDED)
        finally:
            self.waiting -= 1

    def close(self) -> None:
        """End all processes."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in tuple(self._all):
            process.end()

    def _review(self, body: bytes, deadline: float) -> Reviewed:
        if time.monotonic() > deadline:
            raise LateError
        process = self._idle.get()  # there are as many as threads
        if process is None:
            self._add()
            raise EndedError
        try:
            process.wait_until_ready(deadline - time.monotonic())
            answer = process.review(body, self.files, self._limits.seconds)
        except LateError:
            self._replace(process) if process.is_ready else self._idle.put(process)
            raise
        except EndedError:
            self._replace(process)
            raise
        self._idle.put(process)
        return answer

    def _replace(self, process: ReviewingProcess) -> None:
        self._all.discard(process)
        process.end()
        self.restarts += 1
        self._add()

    def _add(self) -> None:
        try:
            process = self._start(self.files)
        except OSError:
            self._idle.put(None)
            return
        self._all.add(process)
        self._idle.put(process)


def _let_through(body: bytes, reason: str) -> Reviewed:
    return Reviewed(200, response_body(uid_of(body), failed(reason)), "other", FAILED)


class ReviewingProcess:
    """A process that has read the definitions. Only one thread at a time may use it."""

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


class LateError(Exception):
    """There was no answer in time."""


class EndedError(Exception):
    """The process has ended, perhaps for want of memory."""


def _changed(previous: Stamps, new: Stamps) -> Iterator[str]:
    yield from (path for path, stamp in new.items() if previous.get(path) != stamp)
    yield from (path for path in previous if path not in new)


def _serve(connection: Connection, options: ReviewOptions, files: tuple[str, ...]) -> None:
    """Answer until the connection is closed. Signals are ignored: the parent decides when this process ends."""
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
