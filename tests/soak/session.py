"""A session with a running server that is attacked with edits and requests, while another document is asked about."""

from __future__ import annotations

import os
import time
from pathlib import Path
from random import Random
from typing import Any

from tests.fixtures.client import Client
from tests.fixtures.definitions import rgd_of_config_maps
from tests.soak.damage import an_edit, definitions

LONGEST_SECONDS = 1.0
_BURST = 60
_WATCHED = "file:///watched.yaml"
_METHODS = ("completion", "hover", "definition", "references", "documentHighlight", "signatureHelp", "prepareRename")
_OF_DOCUMENT = ("documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "documentLink", "diagnostic")


class Session:
    """Edits of one document after the other, and requests at random places of it."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.count = 0
        self.problem = ""
        self._waits: list[float] = []
        self._longest = 0.0
        self._start()

    def _start(self) -> None:
        self._client = Client("--log-level", "error")
        self._client.initialize()
        self._client.open(rgd_of_config_maps(("a", "${schema.metadata.name}")), _WATCHED)
        self._version = 0
        self._open()

    def _open(self) -> None:
        self._text = self._random.choice(definitions()).encode("utf-8", "replace").decode().replace("\r", "")
        self._uri = f"file:///{self._random.randint(0, 5)}.yaml"
        self._version += 1
        self._client.open(self._text, self._uri, self._version)

    def restart(self) -> None:
        """Begin with a new server."""
        self._client.__exit__()
        self._start()

    def close(self) -> None:
        """End the server."""
        self._client.__exit__()

    def attack(self) -> bool:
        """Make a burst of edits and requests, then look whether the other document is answered in time."""
        try:
            for _ in range(_BURST):
                self._edit()
            self._ask()
            started = time.monotonic()
            self._client.request("textDocument/hover", _at(_WATCHED, 5, 8))
            wait = time.monotonic() - started
        except (AssertionError, OSError) as error:
            self.problem = f"{error!r:.2000}"
            return False
        self._waits.append(wait)
        self._longest = max(self._longest, wait)
        self._client.forget()
        if wait > LONGEST_SECONDS:
            self.problem = f"a hover elsewhere waited {wait:.2f} s"
        return wait <= LONGEST_SECONDS

    def _edit(self) -> None:
        self.count += 1
        if self._random.random() < 0.01 or len(self._text) > 30_000:
            self._client.notify("textDocument/didClose", {"textDocument": {"uri": self._uri}})
            self._open()
            return
        start, end, new = an_edit(self._random, self._text)
        new = new.replace("\r", "").replace("\u2028", "")
        change = {"range": {"start": self._place(start), "end": self._place(end)}, "text": new}
        self._version += 1
        self._client.change(self._version, change, uri=self._uri)
        self._text = self._text[:start] + new + self._text[end:]

    def _place(self, offset: int) -> dict[str, int]:
        start = self._text.rfind("\n", 0, offset) + 1
        column = len(self._text[start:offset].encode("utf-16-le", "surrogatepass")) // 2
        return {"line": self._text.count("\n", 0, offset), "character": column}

    def _ask(self) -> None:
        self.count += 2
        place = self._place(self._random.randint(0, len(self._text)))
        self._exchange(self._random.choice(_METHODS), _at(self._uri, place["line"], place["character"]))
        self._exchange(self._random.choice(_OF_DOCUMENT), {"textDocument": {"uri": self._uri}})
        if self._random.random() < 0.05:
            self.count += 1
            command = self._random.choice(("kro.preview", "kro.graph", "kro.crd", "kro.instance"))
            self._exchange_command(command)

    def _exchange(self, method: str, params: dict[str, Any]) -> None:
        params = {"context": {"includeDeclaration": True}, **params}
        answer = self._client.exchange(f"textDocument/{method}", params)
        assert answer.get("error", {}).get("code") != -32603, (method, params, answer)

    def _exchange_command(self, command: str) -> None:
        params = {"command": command, "arguments": [{"uri": self._uri}]}
        answer = self._client.exchange("workspace/executeCommand", params)
        assert answer.get("error", {}).get("code") != -32603, (command, answer)

    def report(self) -> str:
        """Return what was done and how the server is."""
        process = self._client.process.pid
        pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
        times = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        cpu = (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")
        waits = sorted(self._waits[-2000:]) or [0.0]
        middle, high = (1000 * waits[len(waits) * percent // 100] for percent in (50, 99))
        return (
            f"{self.count} edits and requests, memory {int(pages) * os.sysconf('SC_PAGE_SIZE') // 1024**2} MB, "
            f"CPU {cpu:.0f} s, hover elsewhere median {middle:.1f} ms, 99 % {high:.1f} ms, "
            f"longest {1000 * self._longest:.0f} ms"
        )


def _at(uri: str, line: int, character: int) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
