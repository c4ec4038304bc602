"""A language client over stdio that does as little as possible, so that what is measured is the server.

It runs in one thread: bytes are read when it waits for something, and the time of a message is when its last byte came.
Requests of the server are answered with null. Linux only, as is all that reads `/proc`.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from benchmarks.process import cpu_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchmarks.edits import Change

ROOT = Path(__file__).resolve().parents[1]
KRO_LS = (sys.executable, "-m", "kro_ls", "serve")
EMPTY_SERVER = (sys.executable, str(Path(__file__).with_name("empty_server.py")))
PATIENCE_SECONDS = 60.0
QUIET_SECONDS = 0.05
"""A server that has used no processor time for so long has finished; longer than any debounce may be."""
IDLE_SHARE = 0.02
"""The share of a processor that an idle server may use."""

PUSH: Mapping[str, object] = {"publishDiagnostics": {"versionSupport": True}}
PULL: Mapping[str, object] = {"diagnostic": {}}
"""A client that asks for diagnostics, for which a server does not wait before it analyses an edit."""

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Published:
    """Diagnostics of a document as they came; `at` is a time of `time.perf_counter`."""

    uri: str
    version: int | None
    diagnostics: list[Message]
    at: float


class Client:
    """A running server and the connection to it. Use it in a `with` statement, which ends the server.

    The server gets an empty folder for caches of its user, so that no earlier run can have filled one.
    """

    def __init__(
        self,
        command: tuple[str, ...] = KRO_LS,
        folder: Path | None = None,
        capabilities: Mapping[str, object] = PUSH,
    ) -> None:
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
        self._folder, self._capabilities = folder, capabilities
        self._answers: dict[int, tuple[Message, float]] = {}
        self.published: deque[Published] = deque(maxlen=100)

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
            with self.process:  # closes the pipes and waits
                self._caches.cleanup()

    @property
    def cpu_seconds(self) -> float:
        """The processor time that the server has used."""
        return cpu_seconds(self.process.pid)

    # Messages

    def _exchange(self, seconds: float) -> bool:
        """Wait for the server to send or take something, and do so; whether it did."""
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
        """Sort the messages that are complete."""
        while (header := self._unread.find(b"\r\n\r\n")) >= 0:
            fields = dict(line.lower().split(b":", 1) for line in bytes(self._unread[:header]).split(b"\r\n"))
            end = header + 4 + int(fields[b"content-length"])
            if len(self._unread) < end:
                return
            message: Message = json.loads(bytes(self._unread[header + 4 : end]))
            del self._unread[:end]
            if "method" not in message:
                self._answers[message["id"]] = message, at
            elif "id" in message:
                self._send({"id": message["id"], "result": None})
            elif message["method"] == "textDocument/publishDiagnostics":
                found = message["params"]
                self.published.append(Published(found["uri"], found.get("version"), found["diagnostics"], at))

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._unsent += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

    def _flush(self) -> None:
        while self._unsent:
            if not self._exchange(PATIENCE_SECONDS):
                raise TimeoutError("the server does not take what is sent")

    def notify(self, method: str, parameters: object) -> float:
        """Send a notification; gives the time when it was written."""
        self._send({"method": method, "params": parameters})
        self._flush()
        return time.perf_counter()

    def ask(self, method: str, parameters: object) -> int:
        """Send a request and give its id, without waiting."""
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": parameters})
        self._flush()
        return self._last_id

    def answer(self, identifier: int, patience: float = PATIENCE_SECONDS) -> tuple[Any, float]:
        """Wait for the answer to a request; gives its result and when it came. Raises RuntimeError, TimeoutError."""
        self.wait(lambda: identifier in self._answers, patience)
        message, at = self._answers.pop(identifier)
        if "error" in message:
            raise RuntimeError(str(message["error"]))
        return message["result"], at

    def request(self, method: str, parameters: object, patience: float = PATIENCE_SECONDS) -> Any:
        """Send a request and give its result."""
        return self.answer(self.ask(method, parameters), patience)[0]

    # Waiting

    def wait(self, until: Callable[[], object], patience: float = PATIENCE_SECONDS) -> None:
        """Read what the server sends until something is true. Raises TimeoutError."""
        end = time.perf_counter() + patience
        while not until():
            if not self._exchange(end - time.perf_counter()) and time.perf_counter() >= end:
                raise TimeoutError(f"no answer within {patience:.0f} s")

    def pause(self, seconds: float) -> None:
        """Read what the server sends, for that long."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self._exchange(left)

    def settle(self, quiet: float = QUIET_SECONDS) -> None:
        """Wait until the server has nothing to do. Raises TimeoutError."""
        end = time.perf_counter() + PATIENCE_SECONDS
        while time.perf_counter() < end:
            used = self.cpu_seconds
            self.pause(quiet)
            if self.cpu_seconds - used < IDLE_SHARE * quiet:
                return
        raise TimeoutError("the server does not come to rest")

    def diagnostics(
        self, uri: str, version: int, *, at_least: int = 0, patience: float = PATIENCE_SECONDS
    ) -> Published:
        """Wait for the first diagnostics of that version, or of one that the server does not tell, that are so many."""

        def found() -> Published | None:
            for each in self.published:
                if each.uri == uri and each.version in (version, None) and len(each.diagnostics) >= at_least:
                    return each
            return None

        self.wait(found, patience)
        published = found()
        assert published is not None
        return published

    # Documents

    def initialize(self) -> None:
        """Agree on what a plain editor can do; returns when the server has answered."""
        folder = self._folder.as_uri() if self._folder else None
        parameters = {
            "processId": None,
            "rootUri": folder,
            "workspaceFolders": [{"uri": folder, "name": "workspace"}] if folder else None,
            "capabilities": {"textDocument": self._capabilities},
        }
        self.request("initialize", parameters)
        self.notify("initialized", {})

    def open(self, uri: str, text: str) -> float:
        """Open a document as its version 0; gives the time when that was sent."""
        self.published.clear()
        document = {"uri": uri, "languageId": "yaml", "version": 0, "text": text}
        return self.notify("textDocument/didOpen", {"textDocument": document})

    def close(self, uri: str) -> None:
        """Close a document."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def change(self, uri: str, version: int, change: Change) -> float:
        """Send an edit of a document; gives the time when that was sent."""
        self.published.clear()
        document = {"uri": uri, "version": version}
        return self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change.as_lsp()]})

    def at(self, feature: str, uri: str, position: tuple[int, int]) -> int:
        """Ask for a feature at a line and character (0-based); gives the request's id."""
        line, character = position
        where = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
        return self.ask(f"textDocument/{feature}", where)
