"""A session that attacks a running server with edits and requests, while it requests hovers in another document."""

from __future__ import annotations

import os
import re
import time
from random import Random
from typing import Any

from kro_ls.server.connection import client
from tests.fixtures.client import Client
from tests.fixtures.definitions import rgd_of_config_maps
from tests.soak.damage import an_edit
from tests.soak.processes import Standstill, cpu_seconds, memory, queued_seconds
from tests.soak.texts import a_definition

LONGEST_SECONDS = 1.0
_PATIENCE_SECONDS = 300.0
"""On a busy machine a process of low priority waits long for its turn; that is subtracted from the wait."""

_HASTELESS_SECONDS = 1.0
_NOTICED_SECONDS = 0.1
"""By then it is known whether the machine stood still."""

_TRIES = 5
_WATCHED = "file:///watched.yaml"
_LARGEST = 3_000
_LONGEST_BURST = 120
_METHODS = (
    *("completion", "hover", "definition", "references", "documentHighlight", "signatureHelp", "prepareRename"),
    *("typeDefinition", "linkedEditingRange", "prepareCallHierarchy", "prepareTypeHierarchy"),
)
_OF_DOCUMENT = (
    *("documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "documentLink", "formatting", "inlayHint"),
    *("codeAction", "selectionRange"),
)
_COMPARED = ("documentSymbol", "foldingRange", "semanticTokens/range", "codeAction", "inlayHint")
_CONTEXTS = {"references": {"includeDeclaration": True}, "codeAction": {"diagnostics": []}}
_COMMANDS = ("kro.preview", "kro.graph", "kro.crd", "kro.instance")


class Session:
    """Edits of one document after another, with requests at random places in it."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.count = 0
        self.problem = ""
        self._waits: list[float] = []
        self._longest = self._longest_wall = 0.0
        self._standstill = Standstill()
        self._start()

    def _start(self) -> None:
        self._client = Client("--log-level", "error", seconds=_PATIENCE_SECONDS, started=True)
        self._client.initialize()
        self._client.open(rgd_of_config_maps(("a", "${schema.metadata.name}")), _WATCHED)
        self._version = 0
        self._open()
        for method in (*_METHODS, *_OF_DOCUMENT):  # loads what is loaded once
            self._client.request(f"textDocument/{method}", self._parameters(method, 0))
        self._hover_elsewhere()

    def _open(self) -> None:
        self._text = a_definition(self._random)
        self._uri = f"file:///{self._random.randint(0, 5)}.yaml"
        self._opened, self._changes = self._text, list[dict[str, Any]]()
        self._open_text(self._text)

    def _open_text(self, text: str) -> None:
        self._version += 1
        self._client.open(text, self._uri, self._version)

    def _close(self) -> None:
        self._client.notify("textDocument/didClose", {"textDocument": {"uri": self._uri}})

    def restart(self) -> None:
        """Start a new server."""
        self.close()
        self._start()

    def close(self) -> None:
        """End the server."""
        self._client.__exit__()

    def attack(self) -> bool:
        """Send a burst of edits and requests; check that the other document is answered in time and no error is logged.

        Now and then the document is reopened, which must not change its diagnostics.
        """
        try:
            for _ in range(self._random.randint(1, _LONGEST_BURST)):
                self._edit()
            asked = self._ask()
            wait = self._wait_elsewhere()
            for method, identifier in asked:
                answer = self._client.answer_to(identifier)
                assert answer.get("error", {}).get("code") != -32603, (method, answer)
            if self._random.random() < 0.1:
                self._compare()
            self._client.forget()
            errors = self._errors()
            for _ in range(_TRIES if errors else 0):
                time.sleep(_HASTELESS_SECONDS)  # the last entry may be incomplete
                errors = self._errors()
            assert not errors, errors
        except (AssertionError, OSError) as error:
            self.problem = f"{error!s:.4000}\n{self._text!r:.2000}"
            return False
        self.problem = f"a hover elsewhere waited {wait:.2f} s\n{self._text!r:.2000}"
        return wait <= LONGEST_SECONDS

    def _errors(self) -> str:
        """Return the errors that the server logged, without those that answered invalid requests."""
        entries = re.split(r"^(?=\d{4}-\d\d-\d\d \d)", self._client.errors.decode(), flags=re.MULTILINE)
        return "".join(
            each for each in entries if "JsonRpcInvalidParams" not in each and f"{client.__name__}: kro." not in each
        )

    def _wait_elsewhere(self) -> float:
        """Return how long the other document waits for an answer, without the time used by other processes.

        It is at least the time that the server itself computes. Time in which the machine stood still, which happens
        to virtual machines for seconds, does not count.
        """
        server = self._client.process.pid
        started, computed = time.monotonic(), cpu_seconds(server)
        before = queued_seconds(server) | queued_seconds(os.getpid())
        stood_still = self._standstill.seconds
        self._hover_elsewhere()
        wall = time.monotonic() - started
        if wall > LONGEST_SECONDS / 2:
            time.sleep(_NOTICED_SECONDS)
        stood_still = self._standstill.seconds - stood_still
        after = queued_seconds(server) | queued_seconds(os.getpid())
        queued = sum(seconds - before.get(thread, 0) for thread, seconds in after.items())
        wait = max(wall - queued, min(wall, cpu_seconds(server) - computed)) - stood_still
        self._longest_wall = max(self._longest_wall, wall)
        self._waits.append(wait)
        self._longest = max(self._longest, wait)
        return wait

    def _edit(self) -> None:
        self.count += 1
        if self._random.random() < 0.01 or len(self._text) > _LARGEST:
            self._close()
            self._open()
            return
        start, end, new = an_edit(self._random, self._text)
        start, end = (each - (self._text[each - 1 : each + 1] == "\r\n") for each in (start, end))  # no position in LSP
        new = new.replace("\r", "")
        change = {"range": {"start": self._place(start), "end": self._place(end)}, "text": new}
        self._changes.append(change)
        self._change(change)
        self._text = self._text[:start] + new + self._text[end:]

    def _change(self, change: dict[str, Any]) -> None:
        self._version += 1
        self._client.change(self._version, change, uri=self._uri)

    def _place(self, offset: int) -> dict[str, int]:
        start = self._text.rfind("\n", 0, offset) + 1
        column = len(self._text[start:offset].encode("utf-16-le", "surrogatepass")) // 2
        return {"line": self._text.count("\n", 0, offset), "character": column}

    def _ask(self) -> list[tuple[str, int]]:
        """Send some requests, and return their methods and ids."""
        methods = [*self._random.choices(_METHODS, k=4), *self._random.choices(_OF_DOCUMENT, k=2)]
        asked = []
        for method in methods:
            parameters = self._parameters(method, self._random.randint(0, len(self._text)))
            asked.append((method, self._client.ask(f"textDocument/{method}", parameters)))
        if self._random.random() < 0.1:
            command = self._random.choice(_COMMANDS)
            arguments = {"command": command, "arguments": [{"uri": self._uri}]}
            asked.append((command, self._client.ask("workspace/executeCommand", arguments)))
        self.count += len(asked)
        return asked

    def _parameters(self, method: str, offset: int) -> dict[str, Any]:
        place = self._place(offset)
        parameters = {
            **_at(self._uri, place),
            "positions": [place],
            "range": {"start": {"line": 0, "character": 0}, "end": place},
            "options": {"tabSize": 2, "insertSpaces": True},
        }
        return {**parameters, "context": _CONTEXTS[method]} if method in _CONTEXTS else parameters

    def _compare(self) -> None:
        """Check that all results for the document as a whole are the same after it is reopened."""
        found = self._said()
        self._close()
        self._open_text(self._text)
        if self._said() == found:
            return
        # Another thread may just have been listing the kinds: repeat all of it without haste.
        self._close()
        self._open_text(self._opened)
        for change in self._changes:
            self._change(change)
        time.sleep(_HASTELESS_SECONDS)
        found = self._said()
        self._close()
        self._open_text(self._text)
        time.sleep(_HASTELESS_SECONDS)
        for method, before, after in zip(_COMPARED, found, self._said(), strict=True):
            assert before == after, (method, before, after)

    def _said(self) -> list[object]:
        self.count += len(_COMPARED)
        end = len(self._text)
        return [self._client.request(f"textDocument/{each}", self._parameters(each, end)) for each in _COMPARED]

    def settle(self) -> None:
        """Close all documents except a small one, so that the memory that the server retains can be measured."""
        self._close()
        self._hover_elsewhere()

    def _hover_elsewhere(self) -> None:
        self._client.request("textDocument/hover", _at(_WATCHED, {"line": 5, "character": 8}))

    def report(self) -> dict[str, float]:
        """Return the server's state; waits are those of a hover elsewhere since the last report, in milliseconds."""
        process = self._client.process.pid
        waits = sorted(self._waits) or [0.0]
        self._waits = []
        median, high, longest = (1000 * waits[(len(waits) - 1) * percent // 100] for percent in (50, 99, 100))
        return {
            "megabytes": memory(process),
            "cpu_seconds": cpu_seconds(process),
            "hover_median_ms": round(median, 1),
            "hover_99_percent_ms": round(high, 1),
            "hover_longest_ms": round(longest, 1),
            "hover_longest_of_all_ms": round(1000 * self._longest, 1),
            "with_what_others_took_ms": round(1000 * self._longest_wall, 1),
            "machine_stood_still_seconds": round(self._standstill.seconds, 1),
        }


def _at(uri: str, place: dict[str, int]) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": place}
