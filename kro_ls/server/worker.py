"""Works in a thread for a loop that goes on meanwhile."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Worker:
    """Does one thing after the other in a thread that never holds up the exit.

    The thread ends when there has been nothing to do for so long: to start another one takes longer than many an edit.
    """

    def __init__(self, name: str, rest_seconds: float = 0.0) -> None:
        self._name = name
        self._rest_seconds = rest_seconds
        self._jobs: deque[tuple[Callable[[], Any], asyncio.Future[Any]]] = deque()
        self._changed = threading.Condition()
        self._is_running = False

    def submit(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Return the future of some work. What is cancelled before its turn is not begun."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        with self._changed:
            self._jobs.append((work, future))
            self._changed.notify()
            if not self._is_running:
                self._is_running = True
                threading.Thread(target=self._run, name=self._name, daemon=True).start()
        return future

    def do_waiting(self) -> None:
        """Do in the worker's thread, in the middle of some work, all that was submitted since that began."""
        while job := self._next():
            _do(*job)

    def _next(self) -> tuple[Callable[[], Any], asyncio.Future[Any]] | None:
        with self._changed:
            return self._jobs.popleft() if self._jobs else None

    def _run(self) -> None:
        while True:
            self.do_waiting()
            with self._changed:
                if not self._jobs:
                    self._changed.wait(self._rest_seconds)
                if not self._jobs:
                    self._is_running = False
                    return


def apart(name: str, work: Callable[[], T]) -> asyncio.Future[T]:
    """Return the future of some work that waits for no other and has a thread of its own."""
    return Worker(name).submit(work)


def _do(work: Callable[[], Any], future: asyncio.Future[Any]) -> None:
    if future.cancelled():
        return
    try:
        found = work()
    except Exception as error:
        _tell(future, future.set_exception, error)
    else:
        _tell(future, future.set_result, found)
    finally:
        del work, future  # else an error would hold itself, and what was worked on, by this frame of its traceback


def _tell(future: asyncio.Future[Any], tell: Callable[[Any], None], value: Any) -> None:
    def now() -> None:
        if not future.done():
            tell(value)

    try:
        future.get_loop().call_soon_threadsafe(now)
    except RuntimeError:
        return  # the loop is closed: the server ends
