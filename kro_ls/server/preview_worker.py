"""A thread beside the editing that makes previews, fairly and only as long as somebody waits for them."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.runtime.budget import PreviewBudget

T = TypeVar("T")


class _Job(Generic[T]):
    def __init__(self, work: Callable[[PreviewBudget], T], loop: asyncio.AbstractEventLoop) -> None:
        from kro_ls.runtime.budget import PreviewBudget

        self.work = work
        self.loop = loop
        self.budget = PreviewBudget()
        self.future: asyncio.Future[T] = loop.create_future()
        self.future.add_done_callback(self._end)

    def _end(self, future: asyncio.Future[T]) -> None:
        if future.cancelled():
            self.budget.is_cancelled = True

    def run(self) -> None:
        """Do the work and hand over what it gives, unless nobody waits for it any more."""
        from kro_ls.runtime.budget import PreviewCancelledError

        try:
            self.budget.check()
            self._tell(self.future.set_result, self.work(self.budget))
        except PreviewCancelledError:
            self._tell(self.future.cancel)
        except Exception as error:
            self._tell(self.future.set_exception, error)
        finally:
            del self  # else an error would hold itself, and the definition, by this frame of its traceback

    def _tell(self, tell: Callable[..., object], *values: object) -> None:
        def now() -> None:
            if not self.future.done():
                tell(*values)

        try:
            self.loop.call_soon_threadsafe(now)
        except RuntimeError:
            return  # the loop is closed: the server ends


class PreviewWorker:
    """Makes one preview at a time. Documents take turns, however many previews one of them asks for.

    The thread never holds up the end of the process.
    """

    def __init__(self, name: str = "previews") -> None:
        self._name = name
        self._changed = threading.Condition()
        self._waiting: dict[str, deque[_Job[Any]]] = {}
        self._running: _Job[Any] | None = None
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def submit(self, uri: str, work: Callable[[PreviewBudget], T]) -> asyncio.Future[T]:
        """Return the work's future. Cancelling it stops the work, if it looks at its budget."""
        job = _Job(work, asyncio.get_running_loop())
        with self._changed:
            self._waiting.setdefault(uri, deque()).append(job)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify()
        return job.future

    def close(self) -> None:
        """Stop working."""
        with self._changed:
            self._is_closed = True
            self._waiting.clear()
            if self._running is not None:
                self._running.budget.is_cancelled = True
            self._changed.notify()

    def _run(self) -> None:
        while (job := self._next()) is not None:
            job.run()
            del job  # else it would be held until there is another one

    def _next(self) -> _Job[Any] | None:
        with self._changed:
            self._running = None
            while not self._waiting and not self._is_closed:
                self._changed.wait()
            if self._is_closed:
                return None
            uri = next(iter(self._waiting))
            jobs = self._waiting.pop(uri)
            self._running = jobs.popleft()
            if jobs:
                self._waiting[uri] = jobs  # at the end: now it is the turn of the others
            return self._running
