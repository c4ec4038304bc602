"""The connection to a server over stdio, in one thread: bytes are read while it waits for something.

The time of a message is when its last byte arrived. Requests of the server are answered with null. Linux only.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec

from benchmarks.process import cpu_seconds, is_runnable

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[1]
PATIENCE_SECONDS = 300.0
"""Long enough for a slow server on a busy machine; a server that does not answer by then hangs."""
QUIET_SECONDS = 0.05
"""A server that has used no processor time for so long has finished. It is longer than any debounce."""
IDLE_SHARE = 0.02
"""The share of a processor that an idle server may use."""

Message = dict[str, Any]


class _Received(msgspec.Struct):
    """A message of the server. Its result is decoded when used, because a long one would delay the next message."""

    id: Any = None
    method: str | None = None
    params: Any = None
    result: msgspec.Raw = msgspec.Raw(b"null")
    error: Any = None


class Connection:
    """A running server and the connection to it. Use it in a `with` statement, which ends the server.

    The server gets an empty folder for its user's caches, so no earlier run can have filled them.
    """

    def __init__(self, command: tuple[str, ...]) -> None:
        self._caches = tempfile.TemporaryDirectory(prefix="kro-ls-benchmark-")
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "XDG_CACHE_HOME": self._caches.name},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._to, self._from = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self._to, False)
        os.set_blocking(self._from, False)
        self._unsent, self._unread = bytearray(), bytearray()
        self._last_id = 0
        self.answers: dict[Any, tuple[_Received, float]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None and self.process.poll() is None:
                self.request("shutdown", None)
                self.notify("exit", None)
                self.process.wait(5)
        except (ConnectionError, TimeoutError, subprocess.TimeoutExpired):
            pass
        finally:
            self.process.kill()
            with self.process:  # closes the pipes and waits for the process
                self._caches.cleanup()

    @property
    def cpu_seconds(self) -> float:
        """The processor time that the server has used."""
        return cpu_seconds(self.process.pid)

    # Messages

    def _exchange(self, seconds: float) -> bool:
        """Wait until the server sends or takes bytes, and move them; return whether it did."""
        poll = select.poll()
        poll.register(self._from, select.POLLIN)
        if self._unsent:
            poll.register(self._to, select.POLLOUT)
        ready = dict(poll.poll(max(0.0, seconds) * 1000))
        if self._to in ready:
            if not ready[self._to] & select.POLLOUT:
                raise ConnectionError("the server does not read any more")
            del self._unsent[: os.write(self._to, self._unsent[: 1 << 16])]
        if self._from in ready:
            received = os.read(self._from, 1 << 20)
            if not received:
                raise ConnectionError(f"the server has gone, exit code {self.process.wait()}")
            self._unread += received
            self._receive(time.perf_counter())
        return bool(ready)

    def _receive(self, at: float) -> None:
        """Store the complete messages."""
        while (header := self._unread.find(b"\r\n\r\n")) >= 0:
            fields = dict(line.lower().split(b":", 1) for line in bytes(self._unread[:header]).split(b"\r\n"))
            end = header + 4 + int(fields[b"content-length"])
            if len(self._unread) < end:
                return
            received = msgspec.json.decode(bytes(self._unread[header + 4 : end]), type=_Received)
            del self._unread[:end]
            if received.method is None:
                self.answers[received.id] = received, at
            elif received.id is not None:
                self._send({"id": received.id, "result": None})
            else:
                self.notified(received.method, received.params, at)

    def notified(self, method: str, parameters: Any, at: float) -> None:
        """Handle a notification of the server that arrived at that time."""

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._unsent += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

    def _flush(self) -> None:
        while self._unsent:
            if not self._exchange(PATIENCE_SECONDS):
                raise TimeoutError("the server does not take what is sent")

    def notify(self, method: str, parameters: object) -> float:
        """Send a notification; return when sending began: on a busy machine the answer may arrive before it ends."""
        self._send({"method": method, "params": parameters})
        started = time.perf_counter()
        self._flush()
        return started

    def ask(self, method: str, parameters: object) -> int:
        """Send a request and return its id without waiting."""
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": parameters})
        self._flush()
        return self._last_id

    def answer(self, identifier: int) -> tuple[Any, float]:
        """Wait for the answer to a request; return its result and time. Raises RuntimeError and TimeoutError."""
        self.wait(lambda: identifier in self.answers)
        received, at = self.answers.pop(identifier)
        if received.error is not None:
            raise RuntimeError(str(received.error))
        return msgspec.json.decode(received.result), at

    def request(self, method: str, parameters: object) -> Any:
        """Send a request and return its result."""
        return self.answer(self.ask(method, parameters))[0]

    # Waiting

    def wait(self, until: Callable[[], object], patience: float = PATIENCE_SECONDS) -> None:
        """Read what the server sends until a condition holds. Raises TimeoutError."""
        end = time.perf_counter() + patience
        while not until():
            if not self._exchange(end - time.perf_counter()) and time.perf_counter() >= end:
                raise TimeoutError(f"no answer within {patience:.0f} s")

    def pause(self, seconds: float) -> None:
        """Read what the server sends for so many seconds."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self._exchange(left)

    def settle(self, quiet: float = QUIET_SECONDS) -> None:
        """Wait until the server has nothing to do. Raises TimeoutError."""
        end = time.perf_counter() + PATIENCE_SECONDS
        while time.perf_counter() < end:
            used = self.cpu_seconds
            self.pause(quiet)
            if self.cpu_seconds - used < IDLE_SHARE * quiet and not is_runnable(self.process.pid):
                return
        raise TimeoutError("the server does not come to rest")
