"""A process that runs `kro_ls.processes.worker`.

It gets pickled messages on its standard input: a function, then lists of items for it, then perhaps another function.
It answers each function with None, and each item with the function's result, on its standard output.
"""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import IO, Any, Final, cast

_ENDING_SECONDS: Final = 10.0
_PROGRAM: Final = "import sys; sys.path[:] = sys.argv[1:]; from kro_ls.processes.worker import main; main()"
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
        """When the current answer is late, by `time.monotonic`."""
        self._is_late = False
        self._seconds = 0.0
        # Nothing is imported from the working folder, which is a stranger's: `-P`, and our own path.
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
