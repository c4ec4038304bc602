"""Runs one function for many items, on all cores.

An item whose worker process dies or takes too long gets a `Failure`, and the rest of that process's items go to a new
one. Workers do not see Ctrl-C: it ends this process and so their standard input, and then they end at once.
"""

from __future__ import annotations

import pickle
from collections import deque
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from kro_ls.cli.report import Failure
from kro_ls.processes import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Item = TypeVar("Item")
Result = TypeVar("Result")

_MOST_PROCESSES: Final = 32
_MOST_AT_ONCE: Final = 16
_START_SECONDS: Final = 60.0
_TICK_SECONDS: Final = 0.2


class Work(Generic[Item, Result]):
    """Work for some items, all of which must be picklable.

    `seconds` is the most time that an item may take. `waiting` are idle processes of an earlier task, which are used
    first. This task adds its own when it is done; the caller closes them.
    """

    def __init__(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        processes: int,
        seconds: Callable[[Item], float],
        waiting: list[WorkerProcess],
    ) -> None:
        self._function = function
        self._pickled = pickle.dumps(function, pickle.HIGHEST_PROTOCOL)
        self._items = items
        self._seconds = seconds
        self._waiting = waiting
        self._todo = deque(range(len(items)))
        self._answers: SimpleQueue[tuple[int, Result | Failure] | None] = SimpleQueue()
        self._processes: set[WorkerProcess] = set()
        self._wanted = max(1, min(processes, _MOST_PROCESSES, len(items)))
        self._is_over = False

    def results(self) -> Iterator[tuple[int, Result | Failure]]:
        """Yield the number of each item with its result, in the order of completion.

        If no process can be started, this one does the rest.
        """
        threads = [Thread(target=self._run, daemon=True) for _ in range(self._wanted)]
        try:
            for thread in threads:
                thread.start()
            running = len(threads)
            while running:
                for process in tuple(self._processes):
                    process.end_if_late()
                try:
                    answer = self._answers.get(timeout=_TICK_SECONDS)
                except Empty:
                    continue
                if answer is None:
                    running -= 1
                else:
                    yield answer
            for number in self._todo:
                yield number, self._function(self._items[number])
        finally:
            self._is_over = True
            for process in tuple(self._processes):
                process.kill()

    def _run(self) -> None:
        """Process items in one worker after the other, until none is left or no worker can be started."""
        try:
            while not self._is_over and self._todo and self._use_process():
                pass
        finally:
            self._answers.put(None)

    def _use_process(self) -> bool:
        """Process items in a worker until none is left or it ends; return whether there was a worker."""
        try:
            process = self._waiting_process() or WorkerProcess()
        except OSError:
            return False
        self._processes.add(process)
        numbers: deque[int] = deque()
        is_left = False
        try:
            process.begin(self._pickled)
            if process.answer(_START_SECONDS) is None:
                return False
            while not self._is_over:
                numbers = self._take()
                if not numbers:
                    is_left = True
                    break
                process.send([self._items[each] for each in numbers])
                while numbers:
                    answer = process.answer(self._seconds(self._items[numbers[0]]))
                    if answer is None:
                        failure = Failure(f"not checked: {process.failure()}")
                        self._answers.put((numbers.popleft(), failure))
                        return True
                    self._answers.put((numbers.popleft(), answer[0]))
            return True
        finally:
            self._todo.extendleft(reversed(numbers))
            self._processes.discard(process)
            if is_left:
                self._waiting.append(process)
            else:
                process.close()

    def _waiting_process(self) -> WorkerProcess | None:
        try:
            return self._waiting.pop()
        except IndexError:
            return None

    def _take(self) -> deque[int]:
        """Return the numbers of the next few items; fewer towards the end, so that all workers finish together."""
        most = max(1, min(_MOST_AT_ONCE, len(self._todo) // (4 * self._wanted)))
        return deque(islice(iter(self._pop, None), most))

    def _pop(self) -> int | None:
        try:
            return self._todo.popleft()
        except IndexError:
            return None
