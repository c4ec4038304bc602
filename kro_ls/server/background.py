"""Work outside of the event loop: threads, tasks and timers, each with cancellation, and the memory of threads.

Nothing else in the server starts a thread, holds a task or sets a timer; all delays are in `delays.py`. The functions
about memory affect glibc alone (`malloc/malloc.h`, https://man7.org/linux/man-pages/man3/mallopt.3.html).
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Hashable

    from kro_ls.runtime.nodes.budget import PreviewBudget

    _Job: TypeAlias = tuple[Callable[[], Any], asyncio.Future[Any]]

T = TypeVar("T")


class Lane:
    """Runs one job after the other in a thread that never delays the end of the process.

    Jobs with different keys take turns, however many have the same key. The thread ends when it has been idle for some
    seconds.
    """

    def __init__(self, name: str, rest_seconds: float = 0.0) -> None:
        self._name = name
        self._rest_seconds = rest_seconds
        self._waiting: dict[str, deque[_Job]] = {}
        self._running: _Job | None = None
        self._changed = threading.Condition()
        self._has_thread = self._is_closed = False

    def submit(
        self, work: Callable[[], T], key: str = "", cancel: Callable[[], None] | None = None
    ) -> asyncio.Future[T]:
        """Return the future of a job. A job cancelled before it starts never runs; later, `cancel` is called, which
        may stop it.
        """
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        if cancel:
            stop = cancel
            future.add_done_callback(lambda ended: stop() if ended.cancelled() else None)
        with self._changed:
            if self._is_closed:
                future.cancel()
                return future
            self._waiting.setdefault(key, deque()).append((work, future))
            self._changed.notify()
            if not self._has_thread:
                self._has_thread = True
                start_thread(self._name, self._run)
        return future

    def submit_preview(self, key: str, work: Callable[[PreviewBudget], T]) -> asyncio.Future[T]:
        """Return the future of a job that checks its budget, and so ends soon after the future is cancelled."""
        from kro_ls.runtime.nodes.budget import PreviewBudget

        budget = PreviewBudget()

        def cancel() -> None:
            budget.is_cancelled = True

        return self.submit(lambda: work(budget), key, cancel)

    def do_waiting(self) -> None:
        """Run, from within a job, all jobs that were submitted since it started."""
        while job := self._next():
            _do(*job)

    def close(self) -> None:
        """Run no more jobs, and cancel the futures of those that wait or run."""
        with self._changed:
            self._is_closed = True
            waiting = [job for jobs in self._waiting.values() for job in jobs]
            self._waiting.clear()
            running = self._running
        for _, future in (*waiting, *([running] if running else ())):
            future.cancel()

    def _next(self) -> _Job | None:
        with self._changed:
            if not self._waiting:
                return None
            key = next(iter(self._waiting))
            jobs = self._waiting.pop(key)
            job = jobs.popleft()
            if jobs:
                self._waiting[key] = jobs  # at the end, after the other keys
            return job

    def _run(self) -> None:
        while True:
            while job := self._next():
                self._running = job
                _do(*job)
                self._running = None
                del job  # else it would be held until the next one
            with self._changed:
                if not self._waiting:
                    self._changed.wait(self._rest_seconds)
                if not self._waiting:
                    self._has_thread = False
                    return


def in_thread(name: str, work: Callable[[], T]) -> asyncio.Future[T]:
    """Return the future of a job that has a thread of its own."""
    return Lane(name).submit(work)


def start_thread(name: str, run: Callable[[], None]) -> None:
    """Start a thread that never delays the end of the process."""
    threading.Thread(target=run, name=name, daemon=True).start()


def in_loop(loop: asyncio.AbstractEventLoop, call: Callable[..., object], *arguments: object) -> None:
    """Call a function in the event loop from a thread, unless the loop is closed because the server ends."""
    try:
        loop.call_soon_threadsafe(call, *arguments)
    except RuntimeError:
        return


class Tasks:
    """Coroutines that run independently; they are referenced until they end."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def __bool__(self) -> bool:
        return bool(self._running)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a coroutine in the next iteration of the event loop."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    def cancel(self) -> None:
        """Cancel all that run."""
        for task in self._running:
            task.cancel()


class Timers:
    """Delayed calls, one for each key; a newer one replaces one that waits."""

    def __init__(self) -> None:
        self._due: dict[Hashable, asyncio.TimerHandle] = {}

    def __bool__(self) -> bool:
        return bool(self._due)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._due

    def start(self, key: Hashable, seconds: float, call: Callable[[], None]) -> None:
        """Call a function after some seconds unless it is stopped before."""
        self.stop(key)
        self._due[key] = asyncio.get_running_loop().call_later(seconds, self._call, key, call)

    def stop(self, key: Hashable) -> bool:
        """Cancel the call that waits; return whether there was one."""
        handle = self._due.pop(key, None)
        if handle:
            handle.cancel()
        return handle is not None

    def _call(self, key: Hashable, call: Callable[[], None]) -> None:
        del self._due[key]
        call()


def _do(work: Callable[[], Any], future: asyncio.Future[Any]) -> None:
    if future.cancelled():
        return
    try:
        found = work()
    except Exception as error:
        _settle(future, future.set_exception, error)
    else:
        _settle(future, future.set_result, found)
    finally:
        del work, future  # else an error would hold itself and the job through this frame of its traceback


def _settle(future: asyncio.Future[Any], settle: Callable[[Any], None], value: Any) -> None:
    def now() -> None:
        if not future.done():
            settle(value)

    in_loop(future.get_loop(), now)


_M_ARENA_MAX = -8


def use_one_heap() -> None:
    """Use one heap for all threads; must be called before there are any.

    Else each thread would keep the memory that it freed. They run in turns anyway, so none waits for the heap.
    """
    _call("mallopt", _M_ARENA_MAX, 1)


def give_memory_back() -> None:
    """Return unused memory to the system. This may take milliseconds, during which other threads run."""
    _call("malloc_trim", 0)


def _call(name: str, *arguments: int) -> None:
    function = getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
    if function is not None:
        function(*arguments)
