"""A language client over a child process's pipes: it starts `kro-ls serve` and speaks plain JSON-RPC.

It shows the bytes that an editor would see, which a client library would hide (order, versions, exit status).
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from queue import Empty, Queue
from typing import Any

SECONDS = 30.0

Message = dict[str, Any]


class Client:
    """One server process. Messages are kept in the order in which they come."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kro_ls", "serve", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._messages: Queue[Message] = Queue()
        self._kept: list[Message] = []
        self._last_id = 0
        self.errors = b""
        self._threads = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(SECONDS)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue

    def request(self, method: str, params: object = None) -> Any:
        """Send a request and return the result; fails on an error."""
        answer = self.exchange(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def exchange(self, method: str, params: object = None) -> Message:
        """Send a request and return the whole answer, error or result."""
        self._last_id += 1
        identifier = self._last_id
        self._send({"id": identifier, "method": method, "params": params})
        return self.wait(lambda message: message.get("id") == identifier and "method" not in message)

    def notify(self, method: str, params: object = None) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def answer(self, request: Message, result: object) -> None:
        """Answer a request of the server."""
        self._send({"id": request["id"], "result": result})

    def notification(self, method: str) -> Any:
        """Wait for a notification or request of the server and return its parameters."""
        return self.wait(lambda message: message.get("method") == method)["params"]

    def wait(self, wanted: Any) -> Message:
        """Return the first message, kept or new, that fits."""
        for message in self._kept:
            if wanted(message):
                self._kept.remove(message)
                return message
        while True:
            try:
                message = self._messages.get(timeout=SECONDS)
            except Empty:
                raise AssertionError(f"nothing came; kept: {self._kept}; log: {self.errors!r}") from None
            if wanted(message):
                return message
            self._kept.append(message)

    def kept(self, method: str) -> list[Message]:
        """Return what has come of a method without being waited for."""
        while not self._messages.empty():
            self._kept.append(self._messages.get())
        return [message for message in self._kept if message.get("method") == method]

    def initialize(self, capabilities: object = None, **extra: object) -> Any:
        """Go through the handshake; return the server's answer."""
        params = {"processId": None, "rootUri": None, "capabilities": capabilities or {}, **extra}
        result = self.request("initialize", params)
        self.notify("initialized", {})
        return result

    def open(self, text: str, uri: str = "file:///rgd.yaml", version: int = 1) -> None:
        """Open a document."""
        item = {"uri": uri, "languageId": "yaml", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, version: int, *changes: object, uri: str = "file:///rgd.yaml") -> None:
        """Send edits."""
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)},
        )

    def close_input(self) -> None:
        """Close the pipe, as a client that dies would."""
        assert self.process.stdin
        self.process.stdin.close()

    def exit_status(self) -> int:
        """Wait for the server to end."""
        return self.process.wait(SECONDS)

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream
        while line := stream.readline():
            length = 0
            while line.strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
                line = stream.readline()
            self._messages.put(json.loads(stream.read(length)))

    def _read_errors(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.errors += line
