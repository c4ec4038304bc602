"""A language client over stdio that does as little as possible, so that what is measured is the server.

It pushes bytes and blocks until the answer is there. Requests of the server are answered with null.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[1]
KRO_LS = [sys.executable, "-m", "kro_ls", "serve"]
EMPTY_SERVER = [sys.executable, str(Path(__file__).with_name("empty_server.py"))]

Message = dict[str, Any]


class Client:
    """A running server and the connection to it. Use it in a `with` statement, which ends the server."""

    def __init__(self, command: list[str], workspace: Path | None = None) -> None:
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._last_id = 0
        self._workspace = workspace

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self.process:  # closes the pipes and waits
            if self.process.poll() is None:
                self.request("shutdown", None)
                self.notify("exit", None)

    def _write(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def read(self) -> Message:
        """The next message of the server; blocks until there is one."""
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline().strip()) or not length:
            if not line:
                raise ConnectionError(f"the server has gone, exit code {self.process.wait()}")
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message: Message = json.loads(self.process.stdout.read(length))
        if "method" in message and "id" in message:
            self._write({"id": message["id"], "result": None})
        return message

    def notify(self, method: str, parameters: object) -> None:
        """Send a notification."""
        self._write({"method": method, "params": parameters})

    def request(self, method: str, parameters: object) -> object:
        """Send a request and give its result."""
        self._last_id += 1
        self._write({"id": self._last_id, "method": method, "params": parameters})
        while True:
            message = self.read()
            if message.get("id") == self._last_id and "method" not in message:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def initialize(self) -> None:
        """Agree on what a plain editor can do; returns when the server has answered."""
        folder = self._workspace.as_uri() if self._workspace else None
        self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": folder,
                "workspaceFolders": [{"uri": folder, "name": "workspace"}] if folder else None,
                "capabilities": {"textDocument": {"publishDiagnostics": {"versionSupport": True}}},
            },
        )
        self.notify("initialized", {})

    def open(self, uri: str, text: str) -> list[Message]:
        """Open a document as its version 0 and give its diagnostics."""
        document = {"uri": uri, "languageId": "yaml", "version": 0, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return self.diagnostics(uri, 0)

    def replace(self, uri: str, version: int, line: int, columns: tuple[int, int], text: str) -> list[Message]:
        """Make an edit within a line and give the diagnostics of the new version. Columns are UTF-16 code units."""
        start, end = columns
        edit = {
            "range": {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}},
            "text": text,
        }
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [edit]})
        return self.diagnostics(uri, version)

    def diagnostics(self, uri: str, version: int) -> list[Message]:
        """Wait for the diagnostics of that version of a document."""
        while True:
            message = self.read()
            if message.get("method") == "textDocument/publishDiagnostics":
                published = message["params"]
                if published["uri"] == uri and published.get("version") == version:
                    found: list[Message] = published["diagnostics"]
                    return found
