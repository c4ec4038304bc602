"""Shows that files are being read, and lets the user cancel that."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from kro_ls.server.background import in_loop
from kro_ls.server.delays import PROGRESS_SECONDS

if TYPE_CHECKING:
    from pygls.progress import Progress

_REPORT_EVERY = 50
_numbers = count(1)


class CalledOffError(Exception):
    """The user cancelled the reading of files."""


class FileProgress:
    """The progress of one reading; `read` is called in the thread that reads, all else in the event loop."""

    def __init__(self, progress: Progress, title: str = "Reading the kinds of the workspace") -> None:
        self._progress = progress
        self._loop = asyncio.get_running_loop()
        self._title = title
        self._token = f"kro-ls/files/{next(_numbers)}"
        self._files = 0
        self._ended = False

    async def begin(self) -> bool:
        """Ask the client to show the progress; return whether it does. A slow client does not delay the reading."""
        try:
            await asyncio.wait_for(self._progress.create_async(self._token), PROGRESS_SECONDS)
        except (TimeoutError, JsonRpcException):
            return False
        self._progress.begin(self._token, types.WorkDoneProgressBegin(title=self._title, cancellable=True))
        return True

    def read(self) -> None:
        """Count a file. Raises CalledOffError once the user has cancelled."""
        if self._progress.tokens[self._token].cancelled():
            raise CalledOffError
        self._files += 1
        if self._files % _REPORT_EVERY == 0:
            in_loop(self._loop, self._report, self._files)

    def end(self) -> None:
        """End the progress."""
        self._ended = True
        if self._token in self._progress.tokens:
            message = f"{self._files} files read"
            self._progress.end(self._token, types.WorkDoneProgressEnd(message=message))
            del self._progress.tokens[self._token]

    def _report(self, files: int) -> None:
        if not self._ended:
            self._progress.report(self._token, types.WorkDoneProgressReport(message=f"{files} files"))
