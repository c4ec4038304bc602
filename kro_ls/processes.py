"""Worker processes, which run one function for each item that they are sent and can be killed at any time.

A worker runs `main` of this module. It gets pickled messages on its standard input: a function, then lists of items for
it, then perhaps another function. On its standard output it answers each function with None, and each item with the
function's result.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import IO, TYPE_CHECKING, Any, Final, cast

from kro_ls.garbage import seldom_collecting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_ENDING_SECONDS: Final = 10.0
_PROGRAM: Final = "import sys; sys.path[:] = sys.argv[1:]; from kro_ls.processes import main; main()"
_OUT_OF_REACH: Final[dict[str, Any]] = (
    {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
    if sys.platform == "win32"
    else {"process_group": 0}
)
"""Ctrl-C goes to all processes of a group."""


class WorkerProcess:
    """A worker process. Its owner waits for answers; another thread watches `deadline` and may `kill` it."""

    def __init__(self) -> None:
        """Start the process. Raises OSError if it cannot be started."""
        self.deadline = float("inf")
        """When the current answer becomes late, by `time.monotonic`."""
        self._is_late = False
        self._seconds = 0.0
        # `-P` and our own path: nothing is imported from the working folder, which is untrusted.
        self._process = subprocess.Popen(  # noqa: S603 (this interpreter with a text of ours)
            [sys.executable, "-P", "-c", _PROGRAM, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            **_OUT_OF_REACH,
        )
        self._input = cast("IO[bytes]", self._process.stdin)
        self._output = cast("IO[bytes]", self._process.stdout)

    def begin(self, function: bytes) -> None:
        """Send a pickled function for the items that follow."""
        self._write(function)

    def send(self, items: list[object]) -> None:
        """Send items; if the process has ended, the next answer says so."""
        self._write(pickle.dumps(items, pickle.HIGHEST_PROTOCOL))

    def answer(self, seconds: float) -> tuple[Any] | None:
        """Return the next answer in a tuple; None if the process ended, or was killed after this many seconds."""
        self._seconds = seconds
        self.deadline = time.monotonic() + seconds
        try:
            return (pickle.load(self._output),)  # noqa: S301 (from a process of ours)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            return None
        finally:
            self.deadline = float("inf")

    def end_if_late(self) -> None:
        """Kill the process if its answer is late."""
        if time.monotonic() > self.deadline:
            self._is_late = True
            self.kill()

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()

    def failure(self) -> str:
        """Return why the process gave no answer."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_ENDING_SECONDS)
        self.kill()
        code = self._process.wait()
        if self._is_late:
            return f"it took longer than {self._seconds:.0f} seconds; please report it"
        with suppress(ValueError):  # a signal that has no name
            if code < 0:
                return f"{signal.Signals(-code).name} ended its process; is there enough memory?"
        return f"its process ended with {code}; please report it"

    def close(self) -> None:
        """End the process and close its streams."""
        self.kill()
        self._process.wait()
        for stream in (self._input, self._output):
            with suppress(OSError):
                stream.close()

    def _write(self, message: bytes) -> None:
        with suppress(OSError):
            self._input.write(len(message).to_bytes(8, "big"))
            self._input.write(message)
            self._input.flush()


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
        message = pickle.loads(messages.get())  # noqa: S301 (from the process that started this one)
        if isinstance(message, list):
            yield from ((function, item) for item in message)
        else:
            function = message
            _answer(answers, None)


def _answer(stream: IO[bytes], value: object) -> None:
    try:
        pickle.dump(value, stream, pickle.HIGHEST_PROTOCOL)
        stream.flush()
    except BrokenPipeError:  # the parent has ended
        os._exit(1)
