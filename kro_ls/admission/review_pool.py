"""Shares reviews among processes, and bounds how many wait and how long each may take."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.admission.admission_review import response_body, uid_of
from kro_ls.admission.reviewer import FAILED, Reviewed, failed
from kro_ls.admission.reviewing_process import EndedError, LateError, ReviewingProcess

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.admission.reviewing_process import Stamps

LATE: Final = "it took too long"
OVERLOADED: Final = "too many reviews are waiting"
ENDED: Final = "the process that reviewed it has ended; is there enough memory?"


class Limits(Struct, frozen=True):
    """What reviews may take: seconds to wait for a process, as many to be worked on, and how many at once."""

    seconds: float
    waiting: int


class ReviewPool:
    """Processes that review. `files` may be replaced at any time; the processes then read what has changed."""

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
        """Return the answer to a body. What cannot be reviewed is let through, with a warning."""
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
