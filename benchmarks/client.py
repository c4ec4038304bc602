"""A language client that does as little as possible, so that only the server is measured."""

from __future__ import annotations

import sys
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.connection import PATIENCE_SECONDS, Connection, Message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.edits import Change

KRO_LS = (sys.executable, "-m", "kro_ls", "serve")
EMPTY_SERVER = (sys.executable, str(Path(__file__).with_name("empty_server.py")))

PUSH: Mapping[str, object] = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}}
PULL: Mapping[str, object] = {
    "textDocument": {"diagnostic": {}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}
"""A client that pulls diagnostics; for such a client a server does not analyse an edit before it is asked."""


@dataclass(frozen=True, slots=True)
class Published:
    """Diagnostics of a document as they arrived; `at` is a time of `time.perf_counter`."""

    uri: str
    version: int | None
    diagnostics: list[Message]
    at: float


class Client(Connection):
    """A server with documents open in it. Use it in a `with` statement, which ends the server."""

    def __init__(
        self,
        command: tuple[str, ...] = KRO_LS,
        folder: Path | None = None,
        capabilities: Mapping[str, object] = PUSH,
    ) -> None:
        super().__init__(command)
        self._folder, self._capabilities = folder, capabilities
        self.published: deque[Published] = deque(maxlen=100)
        """The diagnostics that arrived since a document was last opened or edited."""

    def notified(self, method: str, parameters: Any, at: float) -> None:
        """Store published diagnostics."""
        if method == "textDocument/publishDiagnostics":
            found = parameters["diagnostics"]
            self.published.append(Published(parameters["uri"], parameters.get("version"), found, at))

    def diagnostics(
        self, uri: str, version: int, *, at_least: int = 0, patience: float = PATIENCE_SECONDS
    ) -> Published:
        """Wait for the first diagnostics of a version that are at least so many; a server may leave out the version."""

        def found() -> Published | None:
            for each in self.published:
                if each.uri == uri and each.version in (version, None) and len(each.diagnostics) >= at_least:
                    return each
            return None

        self.wait(found, patience)
        published = found()
        assert published is not None
        return published

    def initialize(self) -> None:
        """Initialize with the capabilities of a plain editor; return when the server has answered."""
        folder = self._folder.as_uri() if self._folder else None
        parameters = {
            "processId": None,
            "rootUri": folder,
            "workspaceFolders": [{"uri": folder, "name": "workspace"}] if folder else None,
            "capabilities": self._capabilities,
        }
        self.request("initialize", parameters)
        self.notify("initialized", {})

    def open(self, uri: str, text: str) -> float:
        """Open a document as version 0; return the time when the notification was sent."""
        self.published.clear()
        document = {"uri": uri, "languageId": "yaml", "version": 0, "text": text}
        return self.notify("textDocument/didOpen", {"textDocument": document})

    def close(self, uri: str) -> None:
        """Close a document."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def change(self, uri: str, version: int, change: Change) -> float:
        """Send an edit of a document; return the time when it was sent."""
        self.published.clear()
        document = {"uri": uri, "version": version}
        return self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change.as_lsp()]})

    def at(self, feature: str, uri: str, position: tuple[int, int]) -> int:
        """Ask for a feature at a line and character (0-based); return the request's id."""
        line, character = position
        where = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
        return self.ask(f"textDocument/{feature}", where)
