"""Background programs: started with a log, identified by their process ids, stopped within a bounded time."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.cluster.versions import ClusterError

STOP_SECONDS = 15.0
POLL = 0.1

_SHOWN = 15
"""The kernel truncates the name of a process to this length."""


@dataclass(frozen=True, slots=True)
class Process:
    """A program with a folder for its log and, while it runs, its process id."""

    folder: Path
    name: str
    program: Path

    @property
    def log(self) -> Path:
        """The output of the program."""
        return self.folder / f"{self.name}.log"

    @property
    def _pid_file(self) -> Path:
        return self.folder / f"{self.name}.pid"

    def start(self, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        """Start the program in a new session, so that it outlives the terminal."""
        with self.log.open("wb") as log:
            process = subprocess.Popen(
                [str(self.program), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **environment},
                start_new_session=True,
            )
        self._pid_file.write_text(str(process.pid), encoding="utf-8")

    def pid(self) -> int | None:
        """Return the process id if the program runs; the id may belong to another program by now."""
        try:
            pid = int(self._pid_file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        _reap(pid)
        shown = subprocess.run(
            ["ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, encoding="utf-8", check=False
        ).stdout
        # Until the program is loaded, ps shows only the beginning of its name.
        is_loading = shown.strip() == f"[{self.program.name[:_SHOWN]}]"
        return pid if is_loading or shown.startswith(str(self.program)) else None

    def wait_until(self, is_ready: Callable[[], bool], seconds: float) -> None:
        """Wait until the program reports that it is ready. Raises ClusterError if it ends or takes too long."""
        end = time.monotonic() + seconds
        while not is_ready():
            if self.pid() is None:
                raise ClusterError(f"{self.name} ended:\n{self._last_lines()}")
            if time.monotonic() > end:
                raise ClusterError(f"{self.name} is not ready after {seconds:.0f} s; its log is {self.log}")
            time.sleep(POLL)

    def stop(self) -> None:
        """Terminate the process, and kill it if it does not end."""
        pid = self.pid()
        if pid is not None:
            _send(pid, signal.SIGTERM)
            end = time.monotonic() + STOP_SECONDS
            while self.pid() is not None:
                if time.monotonic() > end:
                    _send(pid, signal.SIGKILL)
                time.sleep(POLL)
        self._pid_file.unlink(missing_ok=True)

    def _last_lines(self) -> str:
        return "\n".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-10:])


def free_ports(count: int) -> list[int]:
    """Return free ports of the loopback interface."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def _send(pid: int, what: signal.Signals) -> None:
    try:
        os.kill(pid, what)
    except ProcessLookupError:
        return


def _reap(pid: int) -> None:
    """Reap a child that has ended; until then it counts as a process."""
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return
