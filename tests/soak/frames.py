"""Damaged messages of the protocol: the server must still answer after them."""

from __future__ import annotations

import asyncio
import gc
import io
import json
import logging
from typing import TYPE_CHECKING, Any

from kro_ls.server.connection.transport import FrameError, read_messages, settle
from kro_ls.server.requests import create_server
from tests.soak.damage import damage_value, damaged
from tests.soak.subject import Subject
from tests.soak.texts import BUCKET

if TYPE_CHECKING:
    from random import Random

_WORK_SECONDS = 5.0
_URI = "file:///a.yaml"
_METHODS = (
    *("textDocument/hover", "textDocument/completion", "textDocument/definition", "textDocument/didChange"),
    *("textDocument/didClose", "textDocument/didOpen", "textDocument/codeAction", "textDocument/rename"),
    *("textDocument/semanticTokens/range", "textDocument/inlayHint", "textDocument/diagnostic", "workspace/symbol"),
    *("workspace/executeCommand", "workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles", "$/setTrace"),
    *("$/cancelRequest", "no/such", "initialize", "completionItem/resolve", "textDocument/documentSymbol"),
)


def _make(random: Random) -> str:
    opened = {"uri": _URI, "languageId": "yaml", "version": 1, "text": BUCKET}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": opened}},
    ]
    if random.random() < 0.1:
        damage_value(random, messages[0])
    messages += [_message(random, number) for number in range(2, random.randint(5, 50))]
    frames = ""
    for message in messages:
        body = json.dumps({"jsonrpc": "2.0", **message})
        body = damaged(random, body, 2) if random.random() < 0.05 else body
        frames += f"Content-Length: {len(body.encode('utf-8', 'surrogatepass'))}\r\n\r\n{body}"
    return damaged(random, frames, 1) if random.random() < 0.1 else frames


def _message(random: Random, number: int) -> dict[str, Any]:
    position = {"line": random.randint(-1, 30), "character": random.randint(-1, 90)}
    place = {"start": position, "end": position}
    params: dict[str, Any] = {
        "textDocument": {"uri": _URI, "version": number, "languageId": "yaml", "text": BUCKET},
        "position": position,
        "range": place,
        "context": {"diagnostics": []},
        "newName": "b",
        "contentChanges": [{"range": place, "text": random.choice(("x", "${", "\n", ""))}],
        "query": "a",
        "command": random.choice(("kro.graph", "kro.preview", "kro.crd", "kro.instance", "no.such")),
        "arguments": [{"uri": _URI}],
        "settings": {"kro": {"version": "0.9.4"}},
        "changes": [{"uri": _URI, "type": 2}],
        "value": "off",
        "id": number - 1,
        "label": "a",
    }
    method = random.choice(_METHODS)
    message: dict[str, Any] = {"method": method, "params": params}
    if "/did" not in method and not method.startswith("$"):
        message["id"] = number
    if random.random() < 0.4:
        damage_value(random, message)
    return message


class _Answers:
    def __init__(self) -> None:
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def close(self) -> None:
        pass


def _run(given: str) -> int:
    try:
        return asyncio.run(_talk(given))
    finally:
        logging.disable(logging.NOTSET)
        gc.unfreeze()  # a server exempts the objects of its start from garbage collection for ever


async def _talk(given: str) -> int:
    server, answers, count = create_server(), _Answers(), 0
    server.protocol.set_writer(answers)
    try:
        for body in read_messages(io.BytesIO(given.encode("utf-8", "surrogatepass"))):
            server.protocol.receive(body)
            await settle()
            count += 1
        server.protocol.receive(b'{"jsonrpc": "2.0", "id": "last", "method": "no/such"}')
        assert b'"id": "last"' in b"".join(answers.written) or server.protocol.was_shut_down
    except (FrameError, SystemExit):
        return count + 1
    finally:
        for uri in server.documents:
            server.publisher.clear(uri)  # otherwise it would begin to work while the loop ends
        working = asyncio.all_tasks() - {asyncio.current_task()}
        if working:
            await asyncio.wait(working, timeout=_WORK_SECONDS)
        logging.disable()  # the rest is cancelled
        server.schema_keeper.close()
        server.previews.close()
        while working := asyncio.all_tasks() - {asyncio.current_task()}:  # a task may start another as it ends
            for task in working:
                task.cancel()
            await asyncio.wait(working, timeout=_WORK_SECONDS)
    return count + 1


FRAMES = Subject(_make, _run, share=1)
"""The messages of one connection."""
