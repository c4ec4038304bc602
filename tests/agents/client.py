"""A client of the SDK that talks to the real command, to be asked from tests that are not asynchronous."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from mcp import Client, StdioServerParameters

PROGRAM = "import sys; from kro_ls.__main__ import main; sys.argv[0] = 'kro-ls'; main()"


class Conversation:
    """What one client asks of one server."""

    def __init__(self, client: Client, loop: asyncio.AbstractEventLoop) -> None:
        self.client = client
        self._loop = loop

    def run(self, asked: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(asked, self._loop).result(120)

    def ask(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Return the structured answer of a tool, which must have one."""
        result = self.run(self.client.call_tool(tool, arguments))
        assert not result.is_error, result.content
        found: dict[str, Any] = result.structured_content
        return found

    def refused(self, tool: str, **arguments: object) -> str:
        """Return why a tool has no answer."""
        result = self.run(self.client.call_tool(tool, arguments))
        assert result.is_error, result
        text: str = result.content[0].text
        return text.removeprefix(f"Error executing tool {tool}: ")


@contextmanager
def conversation(root: Path, *options: str) -> Iterator[Conversation]:
    """Yield a conversation with a server that works in a folder."""
    command = StdioServerParameters(command=sys.executable, args=["-c", PROGRAM, "mcp", "--root", str(root), *options])
    started: Future[Conversation] = Future()
    stopped = asyncio.Event()

    async def talk() -> None:
        try:
            async with Client(command) as client:
                started.set_result(Conversation(client, asyncio.get_running_loop()))
                await stopped.wait()
        except BaseException as error:
            if not started.done():
                started.set_exception(error)
            raise

    thread = Thread(target=asyncio.run, args=(talk(),))
    thread.start()
    talking = started.result(120)
    try:
        yield talking
    finally:
        talking._loop.call_soon_threadsafe(stopped.set)
        thread.join(60)
