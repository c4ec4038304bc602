"""Answers calls in worker processes, each in bounded time: the process of a cancelled or late call is killed.

It does not import the protocol's library, and neither do the workers."""

from __future__ import annotations

import asyncio
import pickle
from typing import TYPE_CHECKING, Final

from kro_ls.agents.tool_runner import Unanswered
from kro_ls.processes import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.agents.tool_runner import Call

_MOST_PROCESSES: Final = 2
"""Assistants call one tool after the other, or a few at once."""
_SECONDS: Final = float("inf")
"""The event loop has its own clock, and kills the process of a call that is late."""


class Calls:
    """Calls that a runner answers in other processes. Only one event loop may use it."""

    def __init__(self, runner: Callable[[Call], object], seconds: float) -> None:
        """`seconds` limit a call, including its wait for other calls. The runner must be picklable."""
        self._seconds = seconds
        self._runner = pickle.dumps(runner, pickle.HIGHEST_PROTOCOL)
        self._free = asyncio.Semaphore(_MOST_PROCESSES)
        self._idle: list[WorkerProcess] = []

    async def answer(self, call: Call) -> object:
        """Return the answer of a tool, or `Unanswered`."""
        try:
            async with asyncio.timeout(self._seconds), self._free:
                return await self._answer(call)
        except TimeoutError:
            reason_text = f"this took longer than {self._seconds:g} seconds and was ended"
            return Unanswered(f"{reason_text}; give a smaller text, or start 'kro-ls mcp' with more --seconds")

    async def _answer(self, call: Call) -> object:
        try:
            process = self._idle.pop() if self._idle else self._started()
        except OSError as error:
            return Unanswered(f"no process can be started: {error.strerror or error}")
        try:
            answer, goes_on = await asyncio.to_thread(_asked, process, call)
        except asyncio.CancelledError:
            process.kill()  # this ends the waiting thread
            raise
        if goes_on:
            self._idle.append(process)
        return answer

    def _started(self) -> WorkerProcess:
        process = WorkerProcess()
        process.begin(self._runner)
        return process

    def close(self) -> None:
        """End the idle processes; the others end when this one does."""
        for process in self._idle:
            process.close()


def _asked(process: WorkerProcess, call: Call) -> tuple[object, bool]:
    """Return what a process answers, and whether it can answer more; one that has ended is closed."""
    process.send([call])
    answered = process.answer(_SECONDS)
    if answered == (None,):  # to the runner that it began with
        answered = process.answer(_SECONDS)
    if answered is not None:
        return answered[0], True
    reason = process.failure()
    process.close()
    return Unanswered(f"this was not answered: {reason}"), False
